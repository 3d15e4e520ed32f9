import { toThousandths } from "../../base/values/numbers.ts";
import { sum, sumFields } from "../../base/values/sum.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { CoreUse, GeneratorFigures } from "../../model/result/run.ts";
import {
  Histogram,
  type HistogramData,
  mergeHistograms,
} from "../histograms/histogram.ts";
import type { SecondHealth } from "./series.ts";

/** How one thread of the generator was doing, or all of them, as plain data. */
export interface GeneratorData {
  /** How late request slots were handed out; absent without any. */
  readonly late?: HistogramData;
  /** Requests that were due in what is measured; absent where none are due. */
  readonly offered?: number;
  /** How late the event loop's timers fired. */
  readonly loopLag: HistogramData;
  /** Milliseconds requests were held back by `max_rps`, all together. */
  readonly heldMs: number;
  /** Requests held back. */
  readonly held: number;
  /** Milliseconds VUs paused after iterations without a byte, all together. */
  readonly pausedMs: number;
  /** Pauses. */
  readonly paused: number;
  /** Milliseconds the threads waited for a core; absent where the system does not report it. */
  readonly coreWaitMs?: number;
  /** Each second of the run, in milliseconds. */
  readonly seconds: readonly GeneratorSecond[];
}

/** A second in which nothing happened. */
const NOTHING = {
  loopLag: 0,
  late: 0,
  /** All of it, over all threads. */
  coreWait: 0,
};
/** How the generator was doing in one second: the worst of it. */
type GeneratorSecond = Readonly<typeof NOTHING>;

/** Nothing was held back yet, and no VU paused. */
const NO_WAITS = { heldMs: 0, held: 0, pausedMs: 0, paused: 0 };

/** Records the health of one thread of the generator, in constant memory. */
export class GeneratorRecorder implements GeneratorSink {
  #late: Histogram | undefined;
  #offered: number | undefined;
  #loopLag = new Histogram();
  #waits = { ...NO_WAITS };
  #seconds: GeneratorSecond[] = [];
  #open = { ...NOTHING };
  #coreWaitMs: number | undefined;

  /**
   * @param start of what is measured, on the run's clock in milliseconds
   * @param isWarming whether it lies ahead: what comes before counts nowhere
   */
  constructor(readonly start: number, private isWarming = false) {}

  offered(at: number): void {
    if (at >= this.start) this.#offered = (this.#offered ?? 0) + 1;
  }

  late(ms: number): void {
    (this.#late ??= new Histogram()).record(ms);
    if (ms > this.#open.late) this.#open.late = ms;
  }

  /** The latest of the last whole second; until there is one, so far. */
  get lastLate(): number {
    return (this.#seconds.at(-1) ?? this.#open).late;
  }

  held(ms: number): void {
    this.#waits.heldMs += ms;
    this.#waits.held++;
  }

  paused(ms: number): void {
    this.#waits.pausedMs += ms;
    this.#waits.paused++;
  }

  /**
   * A timer fired at `at`, this long after it should have. While it was late the
   * next ones could not be set: they are counted as late as they would have
   * been, so that a fraction of the timers is one of the time.
   *
   * @param everyMs how far apart the timers are
   */
  loopLag(ms: number, at: number, everyMs: number): void {
    if (this.isWarming) {
      if (at < this.start) return;
      this.#restart();
    }
    this.#loopLag.record(ms);
    for (let next = ms - everyMs; next > 0; next -= everyMs) {
      this.#loopLag.record(next);
    }
    while (at >= this.start + (this.#seconds.length + 1) * 1_000) {
      this.#seconds.push(this.#open);
      this.#open = { ...NOTHING };
    }
    if (ms > this.#open.loopLag) this.#open.loopLag = ms;
  }

  #restart(): void {
    this.isWarming = false;
    this.#late = undefined;
    this.#loopLag = new Histogram();
    this.#waits = { ...NO_WAITS };
    this.#seconds = [];
    this.#open = { ...NOTHING };
    this.#coreWaitMs = undefined;
  }

  /** The thread waited this long for a core since the last call. */
  waitedForCore(ms: number): void {
    this.#coreWaitMs = (this.#coreWaitMs ?? 0) + ms;
    this.#open.coreWait += ms;
  }

  data(): GeneratorData {
    return {
      ...(this.#late && { late: this.#late.data() }),
      ...(this.#offered !== undefined && { offered: this.#offered }),
      loopLag: this.#loopLag.data(),
      ...this.#waits,
      ...(this.#coreWaitMs !== undefined && { coreWaitMs: this.#coreWaitMs }),
      seconds: [...this.#seconds, { ...this.#open }],
    };
  }
}

/** Puts threads together. */
export function mergeGenerators(
  parts: readonly GeneratorData[],
): GeneratorData {
  const late = parts.flatMap((part) => part.late ?? []);
  const offered = parts.flatMap((part) => part.offered ?? []);
  const waits = parts.flatMap((part) => part.coreWaitMs ?? []);
  return {
    ...(late.length > 0 && { late: mergeHistograms(late).data() }),
    ...(offered.length > 0 && { offered: sum(offered, (each) => each) }),
    loopLag: mergeHistograms(parts.map((part) => part.loopLag)).data(),
    ...sumFields(parts, Object.keys(NO_WAITS) as (keyof typeof NO_WAITS)[]),
    ...(waits.length > 0 && { coreWaitMs: sum(waits, (each) => each) }),
    seconds: worstSeconds(parts.map((part) => part.seconds)),
  };
}

function worstSeconds(
  parts: readonly (readonly GeneratorSecond[])[],
): GeneratorSecond[] {
  const length = Math.max(0, ...parts.map((part) => part.length));
  const worst = (t: number, key: keyof GeneratorSecond) =>
    Math.max(0, ...parts.map((part) => part[t]?.[key] ?? 0));
  return Array.from({ length }, (_, t) => ({
    loopLag: worst(t, "loopLag"),
    late: worst(t, "late"),
    coreWait: sum(parts, (part) => part[t]?.coreWait ?? 0),
  }));
}

/** The resources of its machine that the run used. */
export interface GeneratorCost {
  readonly durationMs: number;
  readonly threads: number;
  /** CPU seconds of all its threads in each second, and in the whole run. */
  readonly cpuSeconds: readonly number[];
  readonly cpuTotal: number;
  readonly cores?: CoreUse | undefined;
  /** Slots that were due and never served. */
  readonly unserved: number;
}

/** As `meta.json` has it, but for the verdict. */
export function generatorFigures(
  { late, loopLag, held, heldMs, coreWaitMs }: GeneratorData,
  { durationMs, threads, cpuTotal, cores, unserved }: GeneratorCost,
): GeneratorFigures {
  const fraction = (ms: number) => fractionOf(ms / durationMs / threads);
  return {
    cpu_share: fraction(cpuTotal * 1_000),
    core_wait_share: coreWaitMs === undefined ? null : fraction(coreWaitMs),
    cores: cores ? rounded(cores) : null,
    loop_lag_p99_ms: highest(loopLag),
    late_p50_ms: late ? percentile(late, 50) : 0,
    late_p99_ms: late ? highest(late) : 0,
    unserved_slots: unserved,
    held_requests: held,
    held_ms: toThousandths(heldMs),
  };
}

/** Clocks are read a little apart: without a bound all of a core is 100.1 %. */
function fractionOf(value: number): number {
  return toThousandths(Math.min(1, value));
}

function percentile(data: HistogramData, percent: number): number {
  const distribution = mergeHistograms([data]).distribution();
  return toThousandths(distribution.percentile(percent));
}

/**
 * p99, which of 100 is the last but one; of fewer it is that too, as a single one that was
 * late is no limit of a run.
 */
function highest(data: HistogramData): number {
  const { count } = mergeHistograms([data]).distribution();
  // A little below its rank, so that rounding does not make it the last.
  return percentile(data, count < 2 ? 100 : Math.min(99, 100 - 101 / count));
}

function rounded({ total, generator, target, others }: CoreUse): CoreUse {
  return {
    total,
    generator: toThousandths(generator),
    target: target === null ? null : toThousandths(target),
    others: toThousandths(others),
  };
}

/** As the points of `series.json` have it. */
export function generatorSeconds(
  { seconds, coreWaitMs }: GeneratorData,
  { cpuSeconds, threads }: GeneratorCost,
): SecondHealth[] {
  return seconds.map(({ loopLag, late, coreWait }, t) => ({
    // A second that the run did not reach the end of has no reading.
    ...(t < cpuSeconds.length && {
      cpu_share: fractionOf(cpuSeconds[t]! / threads),
      ...(coreWaitMs !== undefined && {
        core_wait_share: fractionOf(coreWait / 1_000 / threads),
      }),
    }),
    loop_lag_ms: toThousandths(loopLag),
    lateness_ms: toThousandths(late),
  }));
}
