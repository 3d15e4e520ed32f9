import { type Clock, systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import type { Environment, PreparedRun } from "../../lib/compile.ts";
import { GRACE_MS } from "../../lib/engine/plan/plan.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import {
  runFlow,
  type RunOptions,
  type RunOutcome,
  Stop,
} from "../../lib/run.ts";
import { systemEnvironment } from "../inputs/environment.ts";

/**
 * A run that can be asked to stop. The first time it stops softly, so that
 * iterations under way may finish for a while; the second time at once. Results
 * are written either way.
 */
export class GracefulStop {
  #first: StopSignal | undefined;
  readonly #released = new AbortController();

  /** @param graceMs how long iterations under way may go on */
  constructor(
    readonly stop: Stop = new Stop(),
    readonly clock: Clock = systemClock,
    readonly graceMs: number = GRACE_MS,
  ) {}

  /** Why it was asked the first time; undefined when it was not. */
  get first(): StopSignal | undefined {
    return this.#first;
  }

  /** Returns whether this was the first time. */
  ask(signal: StopSignal): boolean {
    if (this.#first !== undefined) {
      this.stop.leave("interrupted", signal);
      return false;
    }
    this.#first = signal;
    this.stop.soft("interrupted", signal);
    void this.#runOut(signal);
    return true;
  }

  /** Stops at once. */
  now(signal: StopSignal): void {
    this.#first ??= signal;
    this.stop.leave("interrupted", signal);
  }

  /** Ends the waiting. */
  release(): void {
    this.#released.abort();
  }

  async #runOut(signal: StopSignal): Promise<void> {
    const { signal: released } = this.#released;
    await this.clock.sleep(this.graceMs, released);
    if (!released.aborted) this.stop.hard("interrupted", signal);
  }
}

type Needed = "seed" | "tls" | "http" | "notes";
type OfThisMachine = "clock" | "chance" | "stop" | "signal" | "agentToken";
type May<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The options that differ from run to run. */
export interface StartOptions
  extends
    Pick<RunOptions, Needed>,
    May<Omit<RunOptions, Needed | OfThisMachine>> {
  /** Ends the run; nothing does when absent. */
  readonly stopping?: GracefulStop;
  /** The machine, when the environment is another one than this process has. */
  readonly environment?: Environment;
}

/** Carries a run out on this machine. */
export function startRun<Directory extends string | undefined>(
  prepared: PreparedRun,
  { stopping, environment = systemEnvironment, ...given }: StartOptions & {
    readonly storeDir?: Directory;
  },
): Promise<RunOutcome<Directory>> {
  return runFlow(prepared, {
    rehearsal: true,
    ...given as RunOptions & { readonly storeDir?: Directory },
    clock: systemClock,
    chance: systemChance,
    stop: stopping?.stop ?? new Stop(),
    signal: () => stopping?.first,
    ...agentTokenFor(prepared, environment),
  });
}

/** Read only where it will be sent: it becomes a secret of the run. */
export function agentTokenFor(
  { target }: PreparedRun,
  { env }: Environment,
): Pick<RunOptions, "agentToken"> {
  const agentToken = target.agent_addr === undefined
    ? undefined
    : env("BENCH_AGENT_TOKEN");
  return agentToken ? { agentToken } : {};
}
