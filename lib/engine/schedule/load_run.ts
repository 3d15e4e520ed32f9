import type { RunPlan } from "../plan/plan.ts";
import type { Shard } from "../plan/shard.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { CompiledStep } from "../vu/compiled_step.ts";
import type { IterationInput } from "../vu/iteration.ts";
import type { VirtualUser, VuTools } from "../vu/vu.ts";

/** What an executor needs. */
export interface LoadRun {
  readonly plan: RunPlan;
  readonly shard: Shard;
  readonly steps: readonly CompiledStep[];
  readonly tools: VuTools;
  readonly generator: GeneratorSink;
  /** When the run began, on the run's clock. */
  readonly startedAt: number;
  makeVu(id: number): VirtualUser;
  /**
   * The next iteration, and what it runs with; undefined when the bound is met
   * or a dry pool ends the run. A promise while the numbers that this process
   * may use are used up and more may come.
   *
   * @param active whether an iteration may still begin
   */
  nextIteration(active: () => boolean): NextIteration;
}

/** What a VU runs next. */
type NextIteration =
  | IterationInput
  | undefined
  | Promise<IterationInput | undefined>;

/** How often a run is asked whether it goes on, in milliseconds. */
export const CONTROL_MS = 50;

/**
 * The shortest sleep between two due times. What is due within it begins
 * together: a run at any rate leaves the event loop to its requests.
 */
const SHORTEST_MS = 0.1;

/** How long the control of a run sleeps when the next thing is due in `ms`. */
export function controlSleep(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST_MS), CONTROL_MS);
}

/**
 * Lets iterations under way finish for the grace period, then cuts them off:
 * they are marked interrupted and count in no rate.
 */
export async function finishGracefully(
  run: LoadRun,
  loops: readonly Promise<void>[],
): Promise<void> {
  const { clock, stop } = run.tools;
  const done = Promise.all(loops);
  const grace = new AbortController();
  const timeout = clock.sleep(
    run.plan.graceMs,
    AbortSignal.any([grace.signal, stop.signal]),
  );
  await Promise.race([done, timeout]);
  grace.abort();
  stop.cut();
  await done;
}
