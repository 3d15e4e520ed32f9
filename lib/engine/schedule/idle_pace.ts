import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { VirtualUser } from "../vu/vu.ts";

/** What the first pause is, and what doubling it ends at, in milliseconds. */
const FIRST_MS = 1;
const LONGEST_MS = 100;

/** One turn of the event loop, for a VU that left it none. */
export function turnOf(vu: VirtualUser): Promise<void> | undefined {
  return vu.hasExchanged ? undefined : vu.sleep(0);
}

/**
 * Keeps one VU from spinning while its iterations end without a byte from the
 * network: a host off the allow-list, a refused connection, no port left, a dry
 * pool.
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
