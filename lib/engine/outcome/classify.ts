import type { Step } from "../../language/ir.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import type { Outcome } from "../../model/result/iteration.ts";
import {
  isStatusFailure,
  type StepResponse,
} from "../../model/result/response.ts";

/** What a step's own keys say about classes, looked up once before the run. */
export interface StepRules {
  /** HTTP statuses throttled besides what the protocol itself calls so. */
  readonly throttled: ReadonlySet<number>;
  /** An assertion has the subject `status`, so an error status alone is no failure. */
  readonly judgesStatus: boolean;
  /** A throttle of this step counts as a failure. */
  readonly throttleIsError: boolean;
}

/** The rules of `step` in `mode` (specification, "Mode effect on throttles"). */
export function stepRules(step: Step, mode: Mode): StepRules {
  return {
    throttled: new Set(step.throttle?.statuses),
    judgesStatus: (step.assert ?? []).some((each) =>
      each.subject.kind === "status"
    ),
    throttleIsError: step.throttle?.as_error ?? isFunctional(mode),
  };
}

/**
 * The class of one response before its checks (specification, "Outcome classification").
 * What a protocol calls a throttle is one; other statuses only when the step
 * declares them: 503 is never guessed.
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
