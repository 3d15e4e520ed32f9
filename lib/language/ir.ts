/**
 * Hinge 1: what was asked. The types are those of the tables that files are read
 * by and that IR JSON is checked with.
 *
 * Keys are written as they are in the IR. Durations are whole microseconds and
 * end in `_us`. A list or mapping that would be empty is absent.
 *
 * @module
 */
export type { Assertion, Subject } from "./expressions/assertion_ir.ts";
export type { Operator } from "./expressions/operator.ts";
export type { Threshold } from "./expressions/threshold.ts";
export type { Extraction } from "./flow/extract.ts";
export type { Flow } from "./flow/flow.ts";
export type { Mix, RunFlow } from "./flow/mix.ts";
export type { Pool } from "./flow/pools.ts";
export type { Profile } from "./flow/profile.ts";
export type {
  Capture,
  OnFailure,
  Retry,
  Step,
  Throttle,
} from "./flow/step_form.ts";
export type { Target } from "./flow/target.ts";
export type { DrawnValue } from "./flow/values.ts";
