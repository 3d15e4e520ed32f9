import { optional } from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { boolean } from "../fields/scalars.ts";
import type { ValueOf } from "../fields/value.ts";
import { statuses } from "./statuses.ts";

/** `throttle` of a step. */
export const throttle = mapping({
  statuses: optional(
    statuses(),
    "statuses that are throttles besides 429, which always is",
  ),
  as_error: optional(
    boolean,
    "whether a throttle counts as a failure; by default it does in `integration` and `system` mode, and does not in `load`, `stress` and `soak`",
  ),
});
export type Throttle = ValueOf<typeof throttle>;
