import * as v from "valibot";
import type { ReadonlyTree } from "../../base/values/readonly_tree.ts";
import { object } from "./stored_object.ts";

const n = v.number();
const s = v.string();

/** One level that was tried. */
export type CapacityTrial = ReadonlyTree<v.InferOutput<typeof trial>>;
const trial = object({
  level: n,
  duration_ms: n,
  held: v.boolean(),
  /** The generator was the limit: it bounds nothing. */
  limited: v.boolean(),
  requests_per_second: n,
  /** Milliseconds; null without a sample. */
  p50: v.nullable(n),
  p95: v.nullable(n),
  error_rate: n,
  throttle_rate: n,
  /** Thresholds that were broken, with what they came out at. */
  broken: v.array(s),
});

/** The highest load at which the thresholds hold. */
export type Capacity = ReadonlyTree<v.InferOutput<typeof capacity>>;
export const capacity = object({
  unit: v.picklist(["requests_per_second", "vus"]),
  /** The highest level that held; null when none did. */
  lower: v.nullable(n),
  /** The lowest that did not; null when every level held that could be tried. */
  upper: v.nullable(n),
  /** The load that the lower bound had to reach, when one was asked for. */
  least: v.exactOptional(n),
  /** What broke above the bound, or why there is no upper bound. */
  cause: s,
  trials: v.array(trial),
});
