import * as v from "valibot";
import type { ReadonlyTree } from "../../base/values/readonly_tree.ts";
import { object } from "./stored_object.ts";

const n = v.number();

/** How fast one figure of a soak run rose, each hour, with 95 % confidence. */
export type DriftFigure = ReadonlyTree<v.InferOutput<typeof figure>>;
const figure = object({
  metric: v.picklist([
    "p95",
    "error_rate",
    "target_memory",
    "target_cpu",
    "target_open_files",
  ]),
  unit: v.picklist(["ms", "share", "bytes", "count"]),
  per_hour: n,
  low: n,
  high: n,
  /** Surely up or down, or neither. */
  verdict: v.picklist(["grew", "fell", "steady"]),
});

/** What changed over a soak run. */
export type Drift = ReadonlyTree<v.InferOutput<typeof drift>>;
export const drift = object({
  /** Stretches of the run that were looked at; 0 when it was too short. */
  windows: n,
  figures: v.array(figure),
});
