/** Attempts of one step by outcome; the step by its position in the flow, from 0. */
export type StepOutcomes = readonly [
  step: number,
  passed: number,
  throttled: number,
  failed: number,
];

/** One second of a run. Latencies in milliseconds, null without a sample. */
export interface SecondPoint {
  /** Whole seconds since the run started. */
  readonly t: number;
  readonly vus: number;
  /** Iterations begun and ended in this second. */
  readonly started: number;
  readonly completed: number;
  /** Of those completed; absent in files that were written without it. */
  readonly iterations_failed?: number;
  readonly iterations_throttled?: number;
  /** Attempts by class. */
  readonly passed: number;
  readonly throttled: number;
  readonly failed: number;
  readonly bytes_sent: number;
  readonly bytes_received: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
  /** CPU seconds the generator used in this second, of all its threads' share. */
  readonly cpu_share?: number;
  /** Share of it that the generator's threads waited for a core. */
  readonly core_wait_share?: number;
  /** The worst delay of the generator's timers, and the worst start lag. */
  readonly loop_lag_ms?: number;
  readonly lateness_ms?: number;
  /** Of the steps that did anything; absent in files that were written without it. */
  readonly steps?: readonly StepOutcomes[];
  /**
   * Coarse latency histogram: counts of samples per bucket, where bucket b holds
   * latencies in [2^(b/4), 2^((b+1)/4)) * 10 microseconds; sparse pairs.
   */
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

/** `series.json`. */
export interface Series {
  readonly schema: number;
  readonly interval_ms: 1000;
  readonly points: readonly SecondPoint[];
}

/** `histograms.json`: HdrHistogram V2, base64; values in microseconds. */
export interface Histograms {
  readonly schema: number;
  readonly unit: "us";
  readonly overall: HistogramSet;
  /** By step id. */
  readonly steps: Readonly<Record<string, HistogramSet>>;
}

/** The histograms of one step or of the whole run. */
export interface HistogramSet {
  /** Service time of passed and failed attempts: from the send. */
  readonly service: string;
  /** Response time of passed and failed attempts: from when it was due. */
  readonly response: string;
  /** Service time of throttled attempts. */
  readonly throttled: string;
  /**
   * Response time of passed and failed attempts, over time: stretches of so many
   * milliseconds. Earlier versions did not store them.
   */
  readonly stretches?: { readonly ms: number; readonly blocks: string };
}
