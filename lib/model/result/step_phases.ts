import * as v from "valibot";
import type { ReadonlyTree } from "../../base/values/readonly_tree.ts";
import { object } from "./stored_object.ts";

/** Phases of an exchange that a step's figures have. */
export const STEP_PHASES = ["connect", "tls", "ttfb", "transfer"] as const;
export type StepPhase = (typeof STEP_PHASES)[number];

const n = v.number();
const quantiles = object({
  count: n,
  avg: n,
  p50: n,
  p95: n,
  p99: n,
  max: n,
});

/** Milliseconds; a phase that never happened is absent. */
export type StepPhases = ReadonlyTree<v.InferOutput<typeof stepPhases>>;
export const stepPhases = object({
  connect: v.exactOptional(quantiles),
  tls: v.exactOptional(quantiles),
  ttfb: v.exactOptional(quantiles),
  transfer: v.exactOptional(quantiles),
});
