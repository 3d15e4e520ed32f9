import type { Retry } from "../../language/ir.ts";
import type { AttemptResult } from "../../model/result/iteration.ts";
import { THROTTLE_STATUS } from "../../steps/auth/scheme.ts";
import { backoff, isListed, mayRetry, usedUp } from "../outcome/classify.ts";
import type { CompiledStep } from "./compiled_step.ts";
import type { Next } from "./poll_rounds.ts";

/** An attempt as `retry` looks at it. */
export interface RetriedAttempt extends AttemptResult {
  /** How long no credential for another one can be had, where that is known. */
  readonly retryInMs?: number | undefined;
}

/** Another attempt after a wait, or what comes of attempts that are used up. */
export function afterAttempt(
  { pointer }: CompiledStep,
  retry: Retry,
  { response, outcome, retryInMs = 0 }: RetriedAttempt,
  count: number,
): Next {
  if (!response) {
    // The credential is throttled, not the step's own request.
    const repeats = outcome === "throttled" && count < retry.max_attempts &&
      retry.on_status.includes(THROTTLE_STATUS);
    if (!repeats) return undefined;
    const own = backoff(retry, count, () => retryInMs);
    return { kind: "wait", ms: Math.max(own, retryInMs) };
  }
  if (!isListed(retry, response)) return undefined;
  if (mayRetry(retry, count, response)) {
    return {
      kind: "wait",
      ms: backoff(retry, count, () => response.retryAfter()),
    };
  }
  if (outcome === "throttled") return undefined;
  return {
    kind: "end",
    ending: {
      outcome: "failed",
      failure: (cause) =>
        usedUp(response, count, cause, `${pointer}/retry/on_status`),
    },
  };
}
