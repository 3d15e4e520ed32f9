import type { PreparedRun, World } from "../../lib/compile.ts";
import { GRACE_MS } from "../../lib/engine/plan/grace.ts";
import {
  runFlow,
  type RunOptions,
  type RunOutcome,
  Stop,
  type StoredOutcome,
} from "../../lib/run.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { type Clock, systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import type { Console } from "../terminal/console.ts";
import { progressView } from "../terminal/progress.ts";
import { systemWorld } from "../inputs/world.ts";
import { onStopSignal } from "../../lib/base/process/stop_signals.ts";
import { GracefulStop } from "./graceful_stop.ts";

/** What differs from command to command. */
interface AttendedOptions extends
  Pick<
    RunOptions,
    | "seed"
    | "tls"
    | "http"
    | "route"
    | "metrics"
    | "traceparent"
    | "notes"
    | "arrivals"
    | "stopOnBreach"
    | "until"
    | "row"
    | "onStored"
    | "duel"
    | "shard"
    | "openPool"
    | "keep"
    | "tolerateLost"
  > {
  readonly storeDir: string;
  /** One per core, when absent. */
  readonly workers?: number;
  readonly quiet?: boolean;
}

/** What a run came to, and the signal that stopped it. */
interface AttendedOutcome extends RunOutcome {
  readonly signal: StopSignal | undefined;
}

/** A run that a person may watch and interrupt. */
export function attendedRun(
  prepared: PreparedRun,
  options: AttendedOptions & { readonly keep?: never },
  console: Console,
): Promise<AttendedOutcome & StoredOutcome>;
export function attendedRun(
  prepared: PreparedRun,
  options: AttendedOptions,
  console: Console,
): Promise<AttendedOutcome>;
export async function attendedRun(
  prepared: PreparedRun,
  options: AttendedOptions,
  console: Console,
): Promise<AttendedOutcome> {
  const stop = new Stop();
  const view = progressView(console);
  const interrupts = watchInterrupts({
    stop,
    clock: systemClock,
    graceMs: GRACE_MS,
    say(text) {
      view.end();
      console.err(text);
    },
  });
  try {
    const { quiet, workers, ...given } = options;
    const outcome: RunOutcome = await runFlow(prepared, {
      ...given,
      workers: workers ?? navigator.hardwareConcurrency,
      clock: systemClock,
      chance: systemChance,
      stop,
      signal: () => interrupts.first,
      ...agentTokenFor(prepared, systemWorld),
      onProgress: quiet ? () => {} : (progress) => view.update(progress),
    });
    return { ...outcome, signal: interrupts.first };
  } finally {
    interrupts.release();
    view.end();
  }
}

/** Read only where it will be sent: it becomes a secret of the run. */
export function agentTokenFor(
  { target }: PreparedRun,
  { env }: World,
): Pick<RunOptions, "agentToken"> {
  const agentToken = target.agent_addr === undefined
    ? undefined
    : env("BENCH_AGENT_TOKEN");
  return agentToken ? { agentToken } : {};
}

/** Signals of this run, for the exit code. */
interface Interrupts {
  /** The first signal that came; undefined when none did. */
  readonly first: StopSignal | undefined;
  /** Gives the signals back to the system. */
  release(): void;
}

/** What watching for signals needs. */
interface InterruptTools {
  readonly stop: Stop;
  readonly clock: Clock;
  /** How long iterations under way may go on after the first signal. */
  readonly graceMs: number;
  /** Shows the person what is happening. */
  readonly say: (text: string) => void;
}

/**
 * Turns signals into stops: the first ends the run softly, so that iterations
 * under way may finish for a while; the second at once. Results are written
 * either way.
 */
function watchInterrupts(
  { stop, clock, graceMs, say }: InterruptTools,
): Interrupts {
  const stopping = new GracefulStop(stop, clock, graceMs);
  const giveBack = onStopSignal((signal) => {
    if (!stopping.ask(signal)) return;
    say("stopping: letting iterations under way finish; again to stop now\n");
  });
  return {
    get first() {
      return stopping.first;
    },
    release() {
      stopping.release();
      giveBack();
    },
  };
}
