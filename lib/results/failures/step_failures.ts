import { type Failure, failureKey } from "../../model/result/failure.ts";
import { causingStep } from "../../model/result/trace.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import { statusTextOf } from "../../model/result/response.ts";
import type { CountedFailure } from "../../model/result/totals.ts";
import { plainlyHidden } from "./without_secrets.ts";

/** What a failure needs to know of the flow's steps. */
export interface NamedStep {
  readonly id: string;
}

/** Why a step did not pass; undefined when it did. */
export function stepFailure(
  step: StepResult,
  result: IterationResult,
  steps: readonly NamedStep[],
): CountedFailure | undefined {
  const reason = reasonOf(step);
  return reason && counted(step, reason, result, steps);
}

/**
 * Everything that is wrong with an iteration: why each step did not pass, and
 * which other checks of a failed one do not hold. The causing step comes first.
 */
export function allFailures(
  result: IterationResult,
  named: readonly NamedStep[],
): CountedFailure[] {
  const cause = causingStep(result.steps, (step) => step);
  const steps = result.steps.toSorted((a, b) =>
    Number(b === cause) - Number(a === cause)
  );
  return steps.flatMap((step) => {
    const reason = reasonOf(step);
    if (!reason) return [];
    const others = step.outcome === "failed"
      ? step.checks.map(({ failure }) => failure)
      : [];
    // The reason may be one of them, with more said of it.
    const { pointer } = reason;
    return [
      reason,
      ...others.filter((each) => each && each.pointer !== pointer),
    ]
      .map((each) => counted(step, each!, result, named));
  });
}

function counted(
  { step, outcome }: StepResult,
  { code, message, check, pointer, expected, actual }: Failure,
  result: IterationResult,
  steps: readonly NamedStep[],
): CountedFailure {
  const { iteration, row } = result;
  const id = steps[step]?.id ?? String(step);
  const cause = {
    code,
    message: plainlyHidden(message, result),
    ...(check !== undefined && { check: plainlyHidden(check, result) }),
  };
  return {
    key: failureKey(id, cause),
    step: id,
    outcome: outcome as CountedFailure["outcome"],
    ...cause,
    count: 1,
    pointer: pointer ?? `/steps/${step}`,
    ...(expected && { expected }),
    ...(actual && { actual }),
    iteration,
    ...(row !== undefined && { row }),
  };
}

const UNKNOWN: Failure = { code: "failed", message: "The step failed" };

/** Why a step did not pass, also for its span; undefined when it did. */
export function reasonOf(step: StepResult): Failure | undefined {
  if (step.outcome === "passed") return undefined;
  if (step.outcome === "throttled") return throttleOf(step);
  const last = step.attempts.at(-1);
  return step.failure ?? last?.failure ?? last?.response?.failure ?? UNKNOWN;
}

function throttleOf({ attempts, ending }: StepResult): Failure {
  const response = ending ??
    attempts.findLast(({ outcome }) => outcome === "throttled")?.response;
  return throttleFailure(response && statusTextOf(response), attempts.length);
}

/** @param status such as `status 429` */
export function throttleFailure(
  status: string | undefined,
  attempts = 1,
): Failure {
  const message = `Throttled by the target${status ? `: ${status}` : ""}${
    attempts > 1 ? `, after ${attempts} attempts` : ""
  }`;
  return { code: "throttled", message };
}
