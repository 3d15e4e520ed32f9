import * as v from "valibot";
import type { ReadonlyTree } from "../../base/values/readonly_tree.ts";
import { object } from "./stored_object.ts";

/** The percentiles of `meta.json`. */
export const PERCENTILES = [50, 90, 95, 99] as const;

/** Milliseconds. */
export type Interval = ReadonlyTree<v.InferOutput<typeof interval>>;
const interval = object({ low: v.number(), high: v.number() });

/**
 * How sure the percentiles are: between which values the true one lies, with a
 * confidence of 95 %; null where there are too few samples or seconds to say.
 */
export type LatencyIntervals = ReadonlyTree<
  v.InferOutput<typeof latencyIntervals>
>;
export const latencyIntervals = object({
  samples: v.number(),
  p50: v.nullable(interval),
  p90: v.nullable(interval),
  p95: v.nullable(interval),
  p99: v.nullable(interval),
  /** Absent where there are too few samples for the percentile itself. */
  "p99.9": v.exactOptional(v.nullable(interval)),
});
