import {
  type LatencyEvidence,
  percentileInterval,
} from "../../results/statistics/percentile_bounds.ts";
import { leastSamples } from "../../results/statistics/sample_floor.ts";
import { LatencyGroups } from "../../results/statistics/latency_groups.ts";

/** How sure a percentile has to be before a run ends. */
export interface Precision {
  readonly percentile: number;
  /** How far its interval may reach to either side, as a fraction of it. */
  readonly within: number;
}

/** Seconds after which an interval may be looked at for the first time. */
const FIRST = 10;
/** Then whenever there are so many more of them, as a fraction. */
const MORE = 0.1;
/** Looks in a row that have to find it so: one alone may be chance. */
const IN_A_ROW = 2;

/**
 * Says when a percentile is sure enough, by the interval that the run would store if
 * it ended then.
 */
export class PrecisionWatch {
  #next: number;
  #met = 0;

  /** @param settledMs from when on the load stays at one level */
  constructor(readonly asked: Precision, settledMs = 0) {
    this.#next = Math.max(FIRST, settledMs / 1_000);
  }

  /** Whether the latencies so far are to be looked at. */
  isDue(elapsedMs: number): boolean {
    return elapsedMs >= this.#next * 1_000;
  }

  /** True when it is as sure as was asked. */
  note(evidence: LatencyEvidence): boolean {
    const seconds = evidence.durationMs / 1_000;
    this.#met = this.isMet(evidence) ? this.#met + 1 : 0;
    this.#next = this.#met > 0
      ? Math.floor(seconds) + 1
      : Math.ceil(seconds * (1 + MORE));
    return this.#met >= IN_A_ROW;
  }

  isMet(evidence: LatencyEvidence): boolean {
    return (this.#reachOf(evidence) ?? Infinity) <= this.asked.within;
  }

  /** How sure it is, in words. */
  known(evidence: LatencyEvidence): string {
    const reach = this.#reachOf(evidence);
    if (reach !== undefined) {
      return `within ${Number((reach * 100).toPrecision(3))}%`;
    }
    return evidence.latency.count < leastSamples(this.asked.percentile)
      ? "too few samples"
      : "too short to say";
  }

  /**
   * How far the interval reaches to its longer side, as a fraction; undefined where
   * there is none. That of a high percentile reaches further up than down.
   */
  #reachOf({ latency, blocks }: LatencyEvidence): number | undefined {
    const { percentile } = this.asked;
    const groups = new LatencyGroups(blocks);
    const interval = percentileInterval(latency, groups, percentile);
    const value = latency.percentile(percentile);
    return interval &&
      Math.max(interval.high - value, value - interval.low) / value;
  }
}
