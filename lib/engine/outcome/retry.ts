import type { Retry } from "../../model/ir/flow.ts";
import type { Reply } from "../../model/result/reply.ts";

/** No single wait is longer than this (spec, Limits). */
const LONGEST_BACKOFF_MS = 120_000;

/**
 * Whether to try again after `attempt` (1-based) brought `reply`. Only a status
 * listed in `on_status` is retried; a broken connection has none and never is.
 */
export function shouldRetry(
  policy: Retry,
  attempt: number,
  reply: Reply,
): boolean {
  const status = reply.httpStatus ?? reply.status;
  return attempt < policy.max_attempts && status !== undefined &&
    policy.on_status.includes(status);
}

/** How long to wait after `attempt` (1-based), in milliseconds. */
export function backoff(policy: Retry, attempt: number, reply: Reply): number {
  const base = policy.base_delay_us / 1_000;
  return Math.min(LONGEST_BACKOFF_MS, wanted());

  function wanted(): number {
    switch (policy.backoff) {
      case "fixed":
        return base;
      case "exponential":
        return base * 2 ** (attempt - 1);
      case "honor_retry_after":
        return reply.retryAfter() ?? base;
    }
  }
}
