import type { GeneratorSink } from "../result/iteration.ts";
import { Histogram, type HistogramData, mergeHistograms } from "./histogram.ts";

/** How one thread of the generator was doing, as plain data. */
export interface GeneratorData {
  /** How late request slots were handed out; absent without any. */
  readonly late?: HistogramData;
  /** How late the event loop's timers fired. */
  readonly loopLag: HistogramData;
  /** Milliseconds requests were held back by `max_rps`, all together. */
  readonly heldMs: number;
  /** Requests held back. */
  readonly held: number;
}

/** Several threads put together. Milliseconds. */
export interface GeneratorTotals {
  readonly lateP99: number;
  readonly loopLagP99: number;
  readonly heldMs: number;
  readonly held: number;
  /** Slots handed out. */
  readonly slots: number;
}

/** Records the health of one thread of the generator, in constant memory. */
export class GeneratorRecorder implements GeneratorSink {
  #late: Histogram | undefined;
  readonly #loopLag = new Histogram();
  #heldMs = 0;
  #held = 0;

  late(ms: number): void {
    (this.#late ??= new Histogram()).record(ms);
  }

  held(ms: number): void {
    this.#heldMs += ms;
    this.#held++;
  }

  /** A timer fired this long after it should have. */
  loopLag(ms: number): void {
    this.#loopLag.record(ms);
  }

  data(): GeneratorData {
    return {
      ...(this.#late && { late: this.#late.data() }),
      loopLag: this.#loopLag.data(),
      heldMs: this.#heldMs,
      held: this.#held,
    };
  }
}

/** Puts threads together. */
export function mergeGenerators(
  parts: readonly GeneratorData[],
): GeneratorTotals {
  const late = mergeHistograms(
    parts.map((part) => part.late).filter((each) => each !== undefined),
  ).distribution();
  const lag = mergeHistograms(parts.map((part) => part.loopLag)).distribution();
  return {
    lateP99: late.count === 0 ? 0 : late.percentile(99),
    slots: late.count,
    loopLagP99: lag.count === 0 ? 0 : lag.percentile(99),
    heldMs: parts.reduce((sum, part) => sum + part.heldMs, 0),
    held: parts.reduce((sum, part) => sum + part.held, 0),
  };
}
