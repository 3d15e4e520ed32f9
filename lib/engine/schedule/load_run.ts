import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { Shard } from "../plan/shard.ts";
import type { IterationInput } from "../vu/iteration.ts";
import type { VirtualUser, VuTools } from "../vu/vu.ts";

/** The run as an executor sees it. */
export interface LoadRun {
  readonly plan: RunPlan;
  readonly shard: Shard;
  readonly tools: VuTools;
  readonly generator: GeneratorSink;
  /** When the run began, on the run's clock. */
  readonly startedAt: number;
  makeVu(id: number): VirtualUser;
  /**
   * The input of the next iteration; undefined when the bound is met
   * or an exhausted pool ends the run. A promise while the numbers that this process
   * may use are used up and more may come.
   *
   * @param active whether an iteration may still begin
   */
  nextIteration(active: () => boolean): NextIteration;
  /** Whether every iteration that the run may have has begun. */
  isOver(): boolean;
}

/** The next iteration of a VU. */
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
  done: Promise<unknown>,
): Promise<void> {
  const { clock, stop } = run.tools;
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

/** The first pause, and the longest that doubling it makes, in milliseconds. */
const FIRST_MS = 1;
const LONGEST_MS = 100;

/** One turn of the event loop, for a VU that left it none. */
export function turnOf(vu: VirtualUser): Promise<void> | undefined {
  return vu.hasExchanged ? undefined : vu.sleep(0);
}

/**
 * Keeps one VU from spinning while its iterations end without a byte from the
 * network: a host off the allow-list, a refused connection, no port left, an
 * exhausted pool.
 *
 * Such iterations take microseconds. In a run that is bounded by time they would
 * outnumber the real ones by thousands, and take the CPU from the other VUs. So
 * the VU begins its next iteration no sooner than 1 ms after it began the last
 * one, then 2 ms, 4 ms and so on up to 100 ms. The first byte that arrives, or a
 * `wait`, ends that. Where the number of iterations is fixed nothing would be
 * gained by it: there the event loop gets its turn, and no more.
 */
export class IdlePace {
  #pauseMs = 0;

  constructor(
    readonly vu: VirtualUser,
    readonly sink: Pick<GeneratorSink, "paused">,
    /** Time bounds the run, not the number of iterations alone. */
    readonly timed: boolean,
  ) {}

  /** To be awaited after the iteration that began at `startedAt`, if anything. */
  after(startedAt: number): Promise<void> | undefined {
    const { vu } = this;
    if (vu.hasExchanged) {
      this.#pauseMs = 0;
      return undefined;
    }
    if (!this.timed) return turnOf(vu);
    this.#pauseMs = Math.min(
      Math.max(FIRST_MS, this.#pauseMs * 2),
      LONGEST_MS,
    );
    const left = startedAt + this.#pauseMs - vu.now();
    if (left <= 0) return turnOf(vu);
    this.sink.paused(left);
    return vu.sleep(left);
  }
}
