import type { Outcome } from "../../model/result/iteration.ts";
import { FineBuckets } from "../histograms/fine_buckets.ts";
import { OutcomeCounts } from "./step_outcomes.ts";

/** A second in which nothing happened yet. */
const NOTHING = {
  /** The most iterations that were under way at once. */
  vus: 0,
  started: 0,
  completed: 0,
  iterations_failed: 0,
  iterations_throttled: 0,
  passed: 0,
  throttled: 0,
  failed: 0,
  bytes_sent: 0,
  bytes_received: 0,
  /** Milliseconds. */
  max: 0,
};
/** What a second counts. */
type SecondCounts = typeof NOTHING;

/** One second of one recorder, as plain data. */
export interface SecondData extends Readonly<SecondCounts> {
  /** Whole seconds since the run started. */
  readonly t: number;
  /** Packed `FineBuckets`. */
  readonly buckets: Uint32Array;
  /** Packed `OutcomeCounts`. */
  readonly steps: Uint32Array;
}

/**
 * Counts by the second. A closed second takes about 300 bytes and 16
 * for each step that was at work, so that a run of a day (86,400 points) takes
 * 26 MB, and of 5 steps 33 MB, whatever its request rate.
 *
 * Seconds only move forward: what arrives for a closed one counts in the open
 * one, so that a late event never makes the series grow.
 */
export class Seconds {
  readonly #closed: SecondData[] = [];
  readonly #buckets = new FineBuckets();
  readonly #steps: OutcomeCounts;
  #t = 0;
  /** Run-clock time at which the open second ends. */
  #ends: number;
  #open: SecondCounts = emptySecond(0);
  /** Iterations under way: each is a VU's. */
  #running = 0;

  /**
   * @param start the run's start on the run's clock, in milliseconds
   * @param steps how many the flow has
   */
  constructor(readonly start: number, steps = 1) {
    this.#ends = start + 1_000;
    this.#steps = new OutcomeCounts(steps);
  }

  started(at: number): void {
    if (at >= this.#ends) this.#roll(at);
    this.#open.started++;
    this.#running++;
    if (this.#running > this.#open.vus) this.#open.vus = this.#running;
  }

  /** An iteration ended; `counts` is false for an interrupted one. */
  ended(
    at: number,
    counts: boolean,
    failed: boolean,
    throttled: boolean,
  ): void {
    if (at >= this.#ends) this.#roll(at);
    this.#running--;
    if (!counts) return;
    this.#open.completed++;
    if (failed) this.#open.iterations_failed++;
    if (throttled) this.#open.iterations_throttled++;
  }

  /** One attempt; its latency in milliseconds counts unless it was throttled or is NaN. */
  attempt(
    step: number,
    at: number,
    outcome: Outcome,
    latency: number,
    sent: number,
    received: number,
  ): void {
    if (at >= this.#ends) this.#roll(at);
    const open = this.#open;
    open[outcome]++;
    this.#steps.note(step, outcome);
    open.bytes_sent += sent;
    open.bytes_received += received;
    if (outcome === "throttled" || Number.isNaN(latency)) return;
    this.#buckets.record(latency);
    if (latency > open.max) open.max = latency;
  }

  /** Bytes that belong to no attempt with a latency. */
  bytes(at: number, sent: number, received: number): void {
    if (at >= this.#ends) this.#roll(at);
    this.#open.bytes_sent += sent;
    this.#open.bytes_received += received;
  }

  /** The last second that is whole at `at`, for progress: events or none. */
  last(at: number): SecondData | undefined {
    if (at >= this.#ends) this.#roll(at);
    return this.#closed.at(-1);
  }

  /** Whole seconds from this one on. */
  closedFrom(t: number): SecondData[] {
    return this.#closed.slice(t);
  }

  /** Everything up to now; the open second is in it as far as it got. */
  data(): SecondData[] {
    return [...this.#closed, this.#second()];
  }

  #second(): SecondData {
    return {
      t: this.#t,
      ...this.#open,
      buckets: this.#buckets.packed(),
      steps: this.#steps.packed(),
    };
  }

  #roll(at: number): void {
    const next = Math.floor((at - this.start) / 1_000);
    while (this.#t < next) {
      this.#closed.push(this.#second());
      this.#buckets.clear();
      this.#steps.clear();
      this.#open = emptySecond(this.#running);
      this.#t++;
    }
    this.#ends = this.start + (this.#t + 1) * 1_000;
  }
}

/** A second that begins with so many iterations under way. */
export function emptySecond(vus: number): SecondCounts {
  return { ...NOTHING, vus };
}
