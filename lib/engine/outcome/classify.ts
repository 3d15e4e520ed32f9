import type { Retry, Step } from "../../language/ir.ts";
import { type Mode, throttleIsError } from "../../model/mode.ts";
import {
  LONGEST_BACKOFF_US,
  type Outcome,
  OUTCOMES,
} from "../../model/outcome.ts";
import type { Failure } from "../../model/result/failure.ts";
import {
  isStatusFailure,
  statusTextOf,
  type StepResponse,
} from "../../model/result/response.ts";

/** The keys of a step that decide its class, looked up once before the run. */
export interface StepRules {
  /** HTTP statuses throttled besides what the protocol itself calls so. */
  readonly throttled: ReadonlySet<number>;
  /** An assertion has the subject `status`, so an error status alone is no failure. */
  readonly judgesStatus: boolean;
  /** Which classes fail the iteration. */
  readonly errors: Readonly<Record<Outcome, boolean>>;
}

/** The rules of `step` in `mode` (specification, "Mode effect on throttles"). */
export function stepRules(step: Step, mode: Mode): StepRules {
  return {
    throttled: new Set(step.throttle?.statuses),
    judgesStatus: (step.assert ?? []).some((each) =>
      each.subject.kind === "status"
    ),
    errors: {
      passed: OUTCOMES.passed.isError,
      throttled: throttleIsError(step, mode),
      failed: OUTCOMES.failed.isError,
    },
  };
}

/**
 * The class of one response before its checks (specification, "Outcome classification").
 * A throttle is one by the protocol's own signal; by another status only when the
 * step declares it: 503 is never guessed.
 */
export function classify(response: StepResponse, rules: StepRules): Outcome {
  if (response.signal === "throttle") return "throttled";
  const status = response.httpStatus ?? response.status;
  if (status !== undefined && rules.throttled.has(status)) return "throttled";
  if (response.signal === "ok") return "passed";
  return isStatusFailure(response) && rules.judgesStatus ? "passed" : "failed";
}

/**
 * The class after extraction and assertions. A throttled response stays
 * throttled, whatever they say; a failing check fails a passed one.
 */
export function afterChecks(before: Outcome, checksHold: boolean): Outcome {
  return before === "passed" && !checksHold ? "failed" : before;
}

/** A microsecond that is doubled so often is longer than that. */
const MOST_DOUBLINGS = 60;

/** Whether the response has a status of `on_status`; a broken connection has none. */
export function isListed(policy: Retry, response: StepResponse): boolean {
  const status = response.httpStatus ?? response.status;
  return status !== undefined && policy.on_status.includes(status);
}

/**
 * Whether to retry after `attempt` (1-based) brought a listed status. The
 * target may ask for no retry at all.
 */
export function mayRetry(
  policy: Retry,
  attempt: number,
  response: StepResponse,
): boolean {
  return attempt < policy.max_attempts && !response.forbidsRetry;
}

/**
 * Why a step failed whose attempts all brought a listed status.
 *
 * @param cause what is wrong with the last response; undefined where nothing
 *   else objects to its status
 * @param pointer JSON Pointer of the list
 */
export function usedUp(
  response: StepResponse,
  attempts: number,
  cause: Failure | undefined,
  pointer: string,
): Failure {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const asked = response.forbidsRetry
    ? ", as the target asks for no retry"
    : "";
  const failure = cause ?? {
    code: "status",
    message: `the response still had ${statusTextOf(response)}`,
    pointer,
  };
  const message = `gave up after ${count}${asked}: ${failure.message}`;
  return { ...failure, message };
}

/**
 * How long to wait after `attempt` (1-based), in milliseconds.
 *
 * @param asked how long the target asks for
 */
export function backoff(
  policy: Retry,
  attempt: number,
  asked: () => number | undefined,
): number {
  const base = policy.base_delay_us / 1_000;
  return Math.min(LONGEST_BACKOFF_US / 1_000, delay());

  function delay(): number {
    switch (policy.backoff) {
      case "fixed":
        return base;
      case "exponential":
        return base * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS);
      case "honor_retry_after":
        return asked() ?? base;
    }
  }
}
