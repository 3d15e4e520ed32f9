import type { Retry } from "../../language/ir.ts";
import type { AttemptResult } from "../../model/result/iteration.ts";
import type { AuthError } from "../../steps/auth/scheme.ts";
import { backoff, isListed, mayRetry, usedUp } from "../outcome/classify.ts";
import type { CompiledStep } from "./compiled_step.ts";
import type { Next } from "./poll_rounds.ts";

/** An attempt as `retry` looks at it. */
export interface RetriedAttempt extends AttemptResult {
  /** Why there was no credential for it. */
  readonly withoutCredential?: AuthError | undefined;
}

/** Another attempt after a wait, or what comes of attempts that are used up. */
export function afterAttempt(
  { pointer }: CompiledStep,
  retry: Retry,
  { response, outcome, withoutCredential }: RetriedAttempt,
  count: number,
): Next {
  if (!response) {
    const { status, retryInMs = 0 } = withoutCredential ?? {};
    const repeats = status !== undefined && count < retry.max_attempts &&
      retry.on_status.includes(status);
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
