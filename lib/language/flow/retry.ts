import { duration } from "../fields/durations.ts";
import { defaulted, required } from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { integer, oneOf } from "../fields/scalars.ts";
import type { ValueOf } from "../fields/value.ts";
import { statuses } from "./statuses.ts";

const BACKOFFS = ["fixed", "exponential", "honor_retry_after"] as const;

/** `retry` of a step. */
export const retry = mapping({
  on_status: required(
    statuses({
      code: "no-statuses",
      needs: "one status",
      hint: "for example [503]",
    }),
    "statuses that are retried, each 100 to 599",
  ),
  backoff: required(
    oneOf(BACKOFFS),
    "`fixed`, `exponential` or `honor_retry_after`; the first waits `base_delay` each time, the second doubles it each time, the third waits as long as the response asks for, or `base_delay`",
  ),
  max_attempts: required(
    integer({ min: 1 }),
    "attempts in all, the first included",
  ),
  base_delay: defaulted(
    duration,
    "100ms",
    "wait before the second attempt",
    { ir: "base_delay_us" },
  ),
});
export type Retry = ValueOf<typeof retry>;
