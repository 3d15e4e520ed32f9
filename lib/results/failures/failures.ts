import {
  type Failure,
  failureKey,
  type TypedValue,
} from "../../model/result/failure.ts";
import { type Outcome, OUTCOMES } from "../../model/outcome.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import { statusTextOf } from "../../model/result/response.ts";
import type { CountedFailure } from "../../model/result/totals.ts";
import { causingStep } from "../../model/result/trace.ts";
import { redact } from "../redact/redacted.ts";
import { MARK, Secrets } from "../redact/secrets.ts";

/** A text without the plain values: enough to compare texts, not to store one. */
function plainlyHidden(
  text: string,
  { secrets = [] }: IterationResult,
): string {
  return secrets.reduce(
    (shown, value) => value === "" ? shown : shown.replaceAll(value, MARK),
    text,
  );
}

/**
 * An iteration as it is stored, without the values that are secrets in it
 * alone. They are hidden where they are recorded and known nowhere else: a run
 * may make a million of them.
 */
export function withoutSecrets<T>(
  kept: T,
  { secrets: values }: IterationResult,
): T {
  if (!values) return kept;
  const secrets = new Secrets();
  for (const value of values) secrets.register(value);
  return redact(kept, secrets);
}

/** The parts of the flow's steps that a failure shows. */
export interface NamedStep {
  readonly id: string;
  /** JSON Pointer into the IR. */
  readonly pointer?: string;
  /** Its extractions, by variable. */
  readonly checks?: { readonly extract: ReadonlyMap<string, unknown> };
}

/**
 * Why a step did not pass; undefined when it did, or when that only follows from an
 * earlier step.
 */
export function stepFailure(
  step: StepResult,
  result: IterationResult,
  steps: readonly NamedStep[],
): CountedFailure | undefined {
  const reason = reasonOf(step);
  return reason && !isMissing(reason, step, result, steps)
    ? counted(step, reason, result, steps)
    : undefined;
}

/** Whether a template has no value because an earlier step could not extract it. */
function isMissing(
  { code, message }: Failure,
  step: StepResult,
  { steps }: IterationResult,
  named: readonly NamedStep[],
): boolean {
  if (code !== "resolution") return false;
  const variableOf = (earlier: StepResult) =>
    named[earlier.step]?.checks?.extract.keys()
      .find((name) => isAbout(message, name));
  const source = steps.slice(0, steps.indexOf(step)).findLast(variableOf);
  return source !== undefined && source.outcome !== "passed" &&
    !source.checks.some(({ kind, name, failure }) =>
      kind === "extract" && name === variableOf(source) && !failure
    );
}

/** `{{ token }} has no value`, and so for a part of it. */
function isAbout(message: string, variable: string): boolean {
  return message.includes(`{{ ${variable} }}`) ||
    message.includes(`{{ ${variable}.`) || message.includes(`{{ ${variable}[`);
}

/** Whether a check had nothing to look at. */
function isAbsent({ code, actual }: Failure): boolean {
  return code === "extraction" || actual?.type === "nothing";
}

/**
 * Whether a check does not hold only because the response is that of an error, which
 * is reported: a 401 has no token.
 */
function isOfError(
  check: Failure,
  reason: Failure,
  { attempts }: StepResult,
): boolean {
  const response = attempts.at(-1)?.response;
  return response !== undefined && response.signal !== "ok" &&
    isAbsent(check) && !isAbsent(reason);
}

/**
 * Everything that is wrong with an iteration: why each step did not pass, and
 * which other checks of a failed one do not hold, without what only follows from
 * that. The causing step comes first.
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
    if (!reason || isMissing(reason, step, result, named)) return [];
    const others = OUTCOMES[step.outcome].byChecks
      ? step.checks.flatMap(({ failure }) => failure ?? [])
      : [];
    // The reason may be one of them, with more said of it.
    const { pointer } = reason;
    return [
      reason,
      ...others.filter((each) =>
        each.pointer !== pointer && !isOfError(each, reason, step)
      ),
    ]
      .map((each) => counted(step, each, result, named));
  });
}

function counted(
  { step, outcome, isError }: StepResult,
  { code, message, check, pointer, expected, actual }: Failure,
  result: IterationResult,
  steps: readonly NamedStep[],
): CountedFailure {
  const { iteration, row } = result;
  const { id = String(step), pointer: whole = `/steps/${step}` } =
    steps[step] ?? {};
  const hidden = (value: TypedValue) => ({
    ...value,
    text: plainlyHidden(value.text, result),
  });
  const cause = {
    code,
    message: plainlyHidden(message, result),
    ...(check !== undefined && { check: plainlyHidden(check, result) }),
    ...(expected && { expected: hidden(expected) }),
    ...(actual && { actual: hidden(actual) }),
  };
  return {
    key: failureKey(id, cause),
    step: id,
    outcome: outcome as CountedFailure["outcome"],
    ...(outcome === "throttled" && { throttle_is_error: isError }),
    ...cause,
    count: 1,
    pointer: pointer ?? whole,
    iteration,
    ...(row !== undefined && { row }),
  };
}

const UNKNOWN: Failure = { code: "failed", message: "The step failed" };

const REASONS: Readonly<
  Record<Outcome, (step: StepResult) => Failure | undefined>
> = {
  passed: () => undefined,
  throttled: throttleOf,
  failed({ failure, attempts }) {
    const last = attempts.at(-1);
    return failure ?? last?.failure ?? last?.response?.failure ?? UNKNOWN;
  },
};

/** Why a step did not pass, also for its span; undefined when it did. */
export function reasonOf(step: StepResult): Failure | undefined {
  return REASONS[step.outcome](step);
}

function throttleOf({ attempts, ending }: StepResult): Failure {
  const last = attempts.findLast(({ outcome }) => outcome === "throttled");
  // Nothing was sent, for want of a token.
  if (!ending && last?.failure) return last.failure;
  const response = ending ?? last?.response;
  // Only rounds of a poll have checks of their own.
  const tries = attempts.some(({ checks }) => checks) ? "rounds" : "attempts";
  return throttleFailure(
    response && statusTextOf(response),
    attempts.length > 1 ? `${attempts.length} ${tries}` : undefined,
    response?.forbidsRetry,
  );
}

/**
 * @param status such as `status 429`
 * @param tries such as `3 attempts`; absent of a single one
 * @param forbidsRetry why a step with `retry` has a single one
 */
export function throttleFailure(
  status: string | undefined,
  tries?: string,
  forbidsRetry = false,
): Failure {
  const message = `Throttled by the target${status ? `: ${status}` : ""}${
    tries === undefined ? "" : `, after ${tries}`
  }${forbidsRetry ? "; the target asks for no retry" : ""}`;
  return { code: "throttled", message };
}
