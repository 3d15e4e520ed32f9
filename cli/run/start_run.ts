import type { PreparedRun, World } from "../../lib/compile.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import {
  runFlow,
  type RunOptions,
  type RunOutcome,
  Stop,
  type StoredOutcome,
} from "../../lib/run.ts";
import { systemWorld } from "../inputs/world.ts";
import type { GracefulStop } from "./graceful_stop.ts";

type Needed = "seed" | "tls" | "http" | "notes";
type OfThisMachine = "clock" | "chance" | "stop" | "signal" | "agentToken";
type May<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** What differs from run to run. */
export interface StartOptions
  extends
    Pick<RunOptions, Needed>,
    May<Omit<RunOptions, Needed | OfThisMachine>> {
  /** Ends the run; nothing does when absent. */
  readonly stopping?: GracefulStop;
  /** The machine, when the environment is another one than this process has. */
  readonly world?: World;
}

/** Carries a run out on this machine. */
export function startRun(
  prepared: PreparedRun,
  options: StartOptions & { readonly storeDir: string },
): Promise<StoredOutcome>;
export function startRun(
  prepared: PreparedRun,
  options: StartOptions,
): Promise<RunOutcome>;
export function startRun(
  prepared: PreparedRun,
  { stopping, world = systemWorld, ...given }: StartOptions,
): Promise<RunOutcome> {
  return runFlow(prepared, {
    ...given as RunOptions,
    clock: systemClock,
    chance: systemChance,
    stop: stopping?.stop ?? new Stop(),
    signal: () => stopping?.first,
    ...agentTokenFor(prepared, world),
    onProgress: given.onProgress ?? (() => {}),
  });
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
