import { toThousandths } from "../../base/values/numbers.ts";
import { type Outcome, OUTCOME_NAMES } from "../../model/outcome.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import {
  type IterationCounts,
  NO_ITERATIONS,
} from "../../model/result/totals.ts";
import type {
  SecondPoint,
  Series,
  StepOutcomes,
} from "../../model/result/series.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import { FineBuckets } from "../histograms/fine_buckets.ts";

/** Counts of a step by outcome, in this order. */
const OFFSETS: Readonly<Record<Outcome, number>> = {
  passed: 0,
  throttled: 1,
  failed: 2,
};
const KINDS = OUTCOME_NAMES.length;
/** A step with its counts, packed. */
const PACKED = 1 + KINDS;

/** Attempts of each step by outcome, in one second. */
class OutcomeCounts {
  #counts: Uint32Array;
  #any = false;

  /** @param steps how many there are */
  constructor(steps: number) {
    this.#counts = new Uint32Array(steps * KINDS);
  }

  note(step: number, outcome: Outcome): void {
    this.#counts[step * KINDS + OFFSETS[outcome]]!++;
    this.#any = true;
  }

  /** Adds what `packed` returned. */
  add(packed: Uint32Array): void {
    for (let i = 0; i < packed.length; i += PACKED) {
      const at = packed[i]! * KINDS;
      this.#grow(at + KINDS);
      for (let kind = 0; kind < KINDS; kind++) {
        this.#counts[at + kind]! += packed[i + 1 + kind]!;
      }
      this.#any = true;
    }
  }

  /** Of the steps that did anything: index, passed, throttled, failed. */
  packed(): Uint32Array {
    if (!this.#any) return NO_ATTEMPTS;
    const counts = this.#counts;
    const packed: number[] = [];
    for (let at = 0; at < counts.length; at += KINDS) {
      const own = counts.subarray(at, at + KINDS);
      if (own.some((each) => each > 0)) packed.push(at / KINDS, ...own);
    }
    return Uint32Array.from(packed);
  }

  clear(): void {
    if (this.#any) this.#counts.fill(0);
    this.#any = false;
  }

  #grow(length: number): void {
    if (length <= this.#counts.length) return;
    const longer = new Uint32Array(length);
    longer.set(this.#counts);
    this.#counts = longer;
  }
}

const NO_ATTEMPTS = new Uint32Array(0);

/** As a point of `series.json` has them. */
export function stepOutcomes(packed: Uint32Array): StepOutcomes[] {
  return Array.from(
    { length: packed.length / PACKED },
    (_, i) => [...packed.subarray(i * PACKED, (i + 1) * PACKED)],
  ) as unknown as StepOutcomes[];
}

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
/** The counts of one second. */
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
 * Counts in all, and by the second. A closed second takes about 300 bytes and 16
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
  readonly #iterations: { -readonly [Key in keyof IterationCounts]: number } = {
    ...NO_ITERATIONS,
  };
  /** A refused connection sent nothing, and so is none. */
  requests = 0;

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
    this.#iterations.started++;
    this.#open.started++;
    this.#running++;
    if (this.#running > this.#open.vus) this.#open.vus = this.#running;
  }

  ended(
    { endedAt, failed, throttled, interrupted }: Pick<
      IterationResult,
      "endedAt" | "failed" | "throttled" | "interrupted"
    >,
  ): void {
    if (endedAt >= this.#ends) this.#roll(endedAt);
    this.#running--;
    const all = this.#iterations;
    const open = this.#open;
    if (interrupted) return void all.interrupted++;
    all.completed++;
    open.completed++;
    if (failed) {
      all.failed++;
      open.iterations_failed++;
    }
    if (throttled) {
      all.throttled++;
      open.iterations_throttled++;
    }
    if (!failed && !throttled) all.passed++;
  }

  iterations(): IterationCounts {
    return { ...this.#iterations };
  }

  /** Iterations of another record, which are under way in these seconds too. */
  carry(change: 1 | -1, at: number): void {
    if (at >= this.#ends) this.#roll(at);
    this.#running += change;
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
    if (sent > 0) this.requests++;
    const open = this.#open;
    open[outcome]++;
    this.#steps.note(step, outcome);
    open.bytes_sent += sent;
    open.bytes_received += received;
    if (outcome === "throttled" || Number.isNaN(latency)) return;
    this.#buckets.record(latency);
    if (latency > open.max) open.max = latency;
  }

  /** One more latency of an attempt that was counted and not throttled, in milliseconds. */
  latency(at: number, ms: number): void {
    if (at >= this.#ends) this.#roll(at);
    this.#buckets.record(ms);
    if (ms > this.#open.max) this.#open.max = ms;
  }

  /** An attempt that was no request: it counts for its step alone. */
  unsent(step: number, at: number, outcome: Outcome): void {
    if (at >= this.#ends) this.#roll(at);
    this.#steps.note(step, outcome);
  }

  /** Bytes that belong to no attempt with a latency. */
  bytes(at: number, sent: number, received: number, requests: number): void {
    if (at >= this.#ends) this.#roll(at);
    this.requests += requests;
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

/** Puts the seconds of several recorders together, second by second. */
export function mergeSeconds(
  parts: readonly (readonly SecondData[])[],
): SecondData[] {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only) return [...only];
  const last = Math.max(-1, ...parts.map((part) => part.at(-1)?.t ?? -1));
  const merged: SecondData[] = [];
  const fine = new FineBuckets();
  const steps = new OutcomeCounts(0);
  for (let t = 0; t <= last; t++) {
    const sum = emptySecond(0);
    for (const part of parts) {
      const second = part[t];
      if (!second) continue;
      fine.add(second.buckets);
      steps.add(second.steps);
      addCounts(sum, second);
    }
    const packed = { buckets: fine.packed(), steps: steps.packed() };
    merged.push({ t, ...sum, ...packed });
    fine.clear();
    steps.clear();
  }
  return merged;
}

/** The generator's own readings in a point; absent where it was not watched. */
export type SecondHealth = Pick<
  SecondPoint,
  "cpu_share" | "core_wait_share" | "loop_lag_ms" | "lateness_ms"
>;

/**
 * `series.json`.
 *
 * @param warmUp seconds of the warm-up, where there was one
 */
export function seriesOf(
  seconds: readonly SecondData[],
  health: readonly SecondHealth[] = [],
  warmUp?: readonly SecondData[],
): Series {
  const points = seconds.map((second) => ({
    ...pointOf(second),
    ...health[second.t],
  }));
  return {
    schema: RUN_SCHEMA,
    interval_ms: 1000,
    points,
    ...(warmUp && { warm_up: warmUp.map(pointOf) }),
  };
}

/** One second as a reader sees it. */
function pointOf(second: SecondData): SecondPoint {
  const { buckets, steps, max, ...counts } = second;
  const fine = new FineBuckets();
  fine.add(buckets);
  const known = (ms: () => number) =>
    fine.total === 0 ? null : toThousandths(ms());
  const quantile = (p: number) =>
    known(() => Math.min(max, fine.percentile(p)));
  return {
    ...counts,
    p50: quantile(50),
    p95: quantile(95),
    p99: quantile(99),
    max: known(() => max),
    steps: stepOutcomes(steps),
    buckets: fine.coarse(),
  };
}

function addCounts(
  sum: ReturnType<typeof emptySecond>,
  second: SecondData,
): void {
  const max = Math.max(sum.max, second.max);
  for (const key of Object.keys(sum) as (keyof typeof sum)[]) {
    sum[key] += second[key];
  }
  sum.max = max;
}
