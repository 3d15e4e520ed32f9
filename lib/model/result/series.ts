import * as v from "valibot";
import { recordOf } from "../../base/values/record_schema.ts";
import { n, object, type Stored } from "./stored.ts";

const s = v.string();
const absent = v.exactOptional;

/** Attempts of one step by outcome; the step by its place in the flow, from 0. */
export type StepOutcomes = Stored<typeof stepOutcomes>;
/** Step, passed, throttled, failed. */
const stepOutcomes = v.tuple([n, n, n, n]);

/** One second of a run. Latencies in milliseconds, null without a sample. */
export type SecondPoint = Stored<typeof point>;
const point = object({
  /** Whole seconds since the run started. */
  t: v.pipe(n, v.minValue(0), v.maxValue(1e9)),
  vus: n,
  /** Iterations begun and ended in this second. */
  started: n,
  completed: n,
  /** Of those completed; absent in files that were written without it. */
  iterations_failed: absent(n),
  iterations_throttled: absent(n),
  /** Attempts by class. */
  passed: n,
  throttled: n,
  failed: n,
  bytes_sent: n,
  bytes_received: n,
  p50: v.nullable(n),
  p95: v.nullable(n),
  p99: v.nullable(n),
  max: v.nullable(n),
  /** CPU seconds the generator used in this second, of all its threads' share. */
  cpu_share: absent(n),
  /** Share of it that the generator's threads waited for a core. */
  core_wait_share: absent(n),
  /** The worst delay of the generator's timers, and the worst start lag. */
  loop_lag_ms: absent(n),
  lateness_ms: absent(n),
  /** Of the steps that did anything; absent in files that were written without it. */
  steps: absent(v.array(stepOutcomes)),
  /**
   * Coarse latency histogram: counts of samples per bucket, where bucket b holds
   * latencies in [2^(b/4), 2^((b+1)/4)) * 10 microseconds; sparse pairs of bucket
   * and count.
   */
  buckets: v.array(v.tuple([n, n])),
});

/** Columns of the map of latencies over time at most. */
export const MAP_COLUMNS = 60;

/** Seconds to a column of the map of so many seconds: columns are put together by two. */
export function columnWidth(seconds: number): number {
  let width = 1;
  while (seconds > MAP_COLUMNS * width) width *= 2;
  return width;
}

/** `series.json`. */
export type Series = Stored<typeof series>;
export const series = object({
  schema: n,
  interval_ms: v.literal(1000),
  points: v.array(point),
  /** Of the warm-up, from its beginning on; they are in no figure of the run. */
  warm_up: absent(v.array(point)),
});

/** The histograms of one step or of the whole run. */
export type HistogramSet = Stored<typeof histogramSet>;
const histogramSet = object({
  /** Service time of passed and failed attempts: from the send. */
  service: s,
  /** Response time of passed and failed attempts: from when it was due. */
  response: s,
  /** Service time of throttled attempts. */
  throttled: s,
  /**
   * Response time of passed and failed attempts, over time: stretches of so many
   * milliseconds. Earlier versions did not store them.
   */
  stretches: absent(object({ ms: v.pipe(n, v.minValue(1)), blocks: s })),
});

/** `histograms.json`: HdrHistogram V2, base64; values in microseconds. */
export type Histograms = Stored<typeof histograms>;
export const histograms = object({
  schema: n,
  unit: v.literal("us"),
  overall: histogramSet,
  /** By step id. */
  steps: recordOf(s, histogramSet),
});
