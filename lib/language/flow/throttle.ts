import { optional } from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { boolean } from "../fields/scalars.ts";
import type { ValueOf } from "../fields/value.ts";
import { statuses } from "./statuses.ts";

/** `throttle` of a step. */
export const throttle = mapping({
  statuses: optional(
    statuses(),
    "statuses that mean rate limiting, besides 429",
  ),
  as_error: optional(
    boolean,
    "whether a throttle counts as a failure, in any mode",
  ),
});
export type Throttle = ValueOf<typeof throttle>;
