import { typedValue } from "../../language/expressions/mismatch.ts";
import { ResolutionError } from "../../language/expressions/template.ts";
import type { Retry } from "../../language/ir.ts";
import {
  type Failure,
  failureBy,
  type TypedValue,
} from "../../model/result/failure.ts";
import {
  contractFailure,
  type ContractResult,
} from "../../model/result/contract.ts";
import {
  type AttemptResult,
  type CheckResult,
  PassedStep,
  type StepResult,
} from "../../model/result/iteration.ts";
import {
  isStatusFailure,
  serviceTime,
  startOf,
  type StepResponse,
} from "../../model/result/response.ts";
import { AuthError } from "../../steps/auth/scheme.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import { IMMEDIATE, type Permit } from "../limiter/limiter.ts";
import {
  afterChecks,
  backoff,
  classify,
  isListed,
  mayRetry,
  usedUp,
} from "../outcome/classify.ts";
import type {
  CheckSet,
  CompiledAssertion,
  CompiledExtraction,
  CompiledStep,
  StepContract,
} from "./compiled_step.ts";
import {
  afterRound,
  type Ending,
  gaveUp,
  type Next,
  roundLimit,
  tellingFailure,
} from "./poll_rounds.ts";
import type { VirtualUser } from "./vu.ts";

/**
 * Extracts, then asserts. Every one of them runs, also on a throttled response,
 * so that a report shows all that is wrong with it.
 *
 * Reading the clock costs as much as a check: only checks of a trace that is
 * certainly kept are timed. Where all hold, the others share the set's `held`.
 */
function runChecks(
  { extractions, assertions, held }: CheckSet,
  response: StepResponse,
  vu: VirtualUser,
): readonly CheckResult[] {
  if (held.length === 0) return held;
  const latency = serviceTime(response.marks);
  const timed = vu.keepsResponses;
  let results = timed ? held.slice() : held;
  for (let index = 0; index < held.length; index++) {
    const startedAt = timed ? vu.now() : NaN;
    const check = extractions[index] ??
      assertions[index - extractions.length]!;
    const failure = failureOf(check, response, latency, vu);
    if (!failure && !timed) continue;
    if (results === held) results = held.slice();
    const times = { startedAt, endedAt: timed ? vu.now() : NaN };
    const named = { kind: held[index]!.kind, name: held[index]!.name };
    (results as CheckResult[])[index] = failure
      ? { ...named, ...times, failure }
      : { ...named, ...times, actual: seenBy(check, response, latency, vu) };
  }
  return results;
}

/** The value that a check that holds looked at. */
function seenBy(
  check: CompiledExtraction | CompiledAssertion,
  response: StepResponse,
  latency: number,
  vu: VirtualUser,
): TypedValue {
  return "find" in check
    ? typedValue(vu.scope.variables[check.index])
    : check.read(response, latency, vu.scope);
}

/** Why a check does not hold; what breaks on the response does not either. */
function failureOf(
  check: CompiledExtraction | CompiledAssertion,
  response: StepResponse,
  latency: number,
  vu: VirtualUser,
): Failure | undefined {
  const { pointer, needsBody } = check;
  const unreadable = needsBody ? response.bodyFailure : undefined;
  if (unreadable) return { ...unreadable, pointer };
  try {
    return "find" in check
      ? extract(check, response, vu)
      : assert(check, response, latency, vu);
  } catch (error) {
    return { ...failureBy(error), pointer };
  }
}

/** A failed extraction leaves the variable without a value. */
function extract(
  { variable, index, pointer, source, find, why, fallback, secrets }:
    CompiledExtraction,
  response: StepResponse,
  vu: VirtualUser,
): Failure | undefined {
  const found = find(response);
  const value = found ?? fallback ?? found;
  vu.scope.variables[index] = value ?? undefined;
  if (value !== undefined && value !== null) {
    if (secrets) vu.keepSecret(secrets);
    return undefined;
  }
  const says = value === null ? "is null" : `does not exist${why(response)}`;
  return {
    code: "extraction",
    message: `cannot extract \`${variable}\`: ${source} ${says}`,
    pointer,
    expected: { type: "anything", text: "" },
    actual: typedValue(value),
  };
}

function assert(
  { pointer, check }: CompiledAssertion,
  response: StepResponse,
  latency: number,
  vu: VirtualUser,
): Failure | undefined {
  const mismatch = check(response, latency, vu.scope);
  if (!mismatch) return undefined;
  const { unresolved, ...facts } = mismatch;
  return { code: unresolved ? "resolution" : "assertion", pointer, ...facts };
}

/** An attempt under way; becomes its `AttemptResult`. */
interface OpenAttempt extends Writable<AttemptResult> {
  readonly permit: Permit;
  /** Its latency was recorded. */
  sampled?: boolean;
}
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Runs one step: attempts and the waits between them, then its checks.
 *
 * One async function for all of it, and one object an attempt: each further
 * promise in the chain costs a request 1 to 2 %.
 */
export async function runStep(
  step: CompiledStep,
  vu: VirtualUser,
): Promise<StepResult> {
  let attempts = NO_ATTEMPTS;
  const { poll, retry } = step;
  let pollingSince = NaN;
  let held: ContractResult[] | undefined;
  for (;;) {
    const acquired = step.requests ? vu.acquire() : IMMEDIATE;
    const permit = acquired instanceof Promise ? await acquired : acquired;
    let limit: number | undefined;
    if (poll) {
      const now = vu.now();
      if (attempts.length === 0) pollingSince = now;
      limit = roundLimit(poll, now - pollingSince);
    }
    // The time ran out while the request was held back.
    if (limit === 0) {
      return finish(step, vu, attempts, held, gaveUp(poll!, attempts));
    }
    let last: OpenAttempt;
    vu.attempting();
    try {
      last = judged(step, vu, await step.adapter.attempt(vu, limit), permit);
    } catch (error) {
      last = unanswered(causeOf(error, step), vu.now(), permit);
    }
    if (step.contract && last.response) {
      held = withContract(step.contract, last.response, vu, held);
    }
    // Pushed to an empty list, one attempt would take the room of seventeen.
    if (attempts.length === 0) attempts = [last];
    else attempts.push(last);
    let next: Next;
    if (poll) {
      next = vu.stopped
        ? undefined
        : afterRound(poll, attempts, pollingSince, vu.now());
    } else if (retry && !vu.stopped) {
      next = afterAttempt(step, retry, last, attempts.length);
    }
    if (next?.kind !== "wait") {
      return finish(step, vu, attempts, held, next?.ending);
    }
    // What accepts an error status accepts it of the last response alone.
    const { failure } = last.response ?? {};
    if (failure && last.outcome === "passed") fail(last, failure);
    vu.sample(step, last.response, last.outcome, permit);
    last.sampled = true;
    if (!poll && last.response?.refusesCredentials) {
      step.authorizer?.refused?.(vu.scope, last.response.marks.start);
    }
    last.response?.checked?.();
    const waitedFrom = vu.now();
    await vu.sleep(next.ms);
    last.backoff = { startedAt: waitedFrom, endedAt: vu.now() };
    if (vu.stopped) return finish(step, vu, attempts, held);
  }
}

/** Holds a response against the description. What is wrong with it is kept for its trace. */
function withContract(
  contract: StepContract,
  response: StepResponse,
  vu: VirtualUser,
  held: ContractResult[] | undefined,
): ContractResult[] | undefined {
  if (brokenResponse(response)) return held;
  const result = contract.hold(response, vu.iteration);
  if (!result) return held;
  if (result.violations.length > 0) response.detach();
  if (!held) return [result];
  held.push(result);
  return held;
}

/** Why a step whose responses have to be as described fails. */
function brokenContract(
  { contract }: CompiledStep,
  held: readonly ContractResult[] | undefined,
): Failure | undefined {
  if (!held || !contract?.fails) return undefined;
  const broken = held.find(({ violations }) => violations.length > 0);
  return broken && contractFailure(broken, broken.violations[0]!);
}

function judged(
  step: CompiledStep,
  vu: VirtualUser,
  response: StepResponse,
  permit: Permit,
): OpenAttempt {
  if (vu.keepsResponses) response.detach();
  const outcome = classify(response, step.rules);
  const startedAt = startOf(response);
  const endedAt = response.marks.end;
  const judged: OpenAttempt = outcome === "failed" && response.failure
    ? {
      startedAt,
      endedAt,
      outcome,
      response,
      permit,
      failure: response.failure,
    }
    : { startedAt, endedAt, outcome, response, permit };
  if (step.poll && !brokenResponse(response)) {
    judged.checks = runChecks(step.poll.until, response, vu);
    judged.endedAt = endOf(judged.checks) ?? endedAt;
  }
  return judged;
}

function unanswered(failure: Failure, at: number, permit: Permit): OpenAttempt {
  return { startedAt: at, endedAt: at, outcome: "failed", permit, failure };
}

function fail(last: OpenAttempt, failure: Failure): void {
  last.outcome = "failed";
  last.failure = failure;
}

/** Any error belongs to a step that has talked to the target. */
function causeOf(error: unknown, { exchanges }: CompiledStep): Failure {
  if (error instanceof ResolutionError) {
    return { code: "resolution", message: error.message };
  }
  if (error instanceof AuthError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof RequestError) {
    return { code: "request", message: error.message };
  }
  if (exchanges) return failureBy(error);
  throw error;
}

/** Another attempt after a wait, or what comes of attempts that are used up. */
function afterAttempt(
  { pointer }: CompiledStep,
  retry: Retry,
  { response, outcome }: OpenAttempt,
  count: number,
): Next {
  if (!response || !isListed(retry, response)) return undefined;
  if (mayRetry(retry, count, response)) {
    return { kind: "wait", ms: backoff(retry, count, response) };
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

function brokenResponse(response: StepResponse): boolean {
  return response.signal === "failure" && !isStatusFailure(response);
}

function finish(
  step: CompiledStep,
  vu: VirtualUser,
  attempts: readonly OpenAttempt[],
  held: readonly ContractResult[] | undefined,
  ending?: Ending,
): StepResult {
  const last = attempts[attempts.length - 1]!;
  const { response } = last;
  const { startedAt } = attempts[0]!;
  const checks = response && !brokenResponse(response)
    ? runChecks(step, response, vu)
    : NO_CHECKS;
  let failedCheck = checks === step.held
    ? undefined
    : tellingFailure(checks, step.step.assert ?? []);
  failedCheck ??= brokenContract(step, held);
  response?.checked?.();
  // That no response came in time says more than that its status is not OK.
  if (failedCheck && response?.failedByStatus) failedCheck = response.failure;
  const outcome = ending?.outcome ??
    afterChecks(last.outcome, failedCheck === undefined);
  const cause = last.failure ?? failedCheck;
  const failure = outcome !== "failed"
    ? undefined
    : ending
    ? ending.failure(cause)
    : cause;
  // The trace that shows a failure is likely kept, so its bytes are.
  if (outcome !== "passed") response?.detach();
  if (!vu.stopped && !last.sampled) {
    const own = last.outcome === "failed" ? last.outcome : outcome;
    vu.sample(step, response, own, last.permit);
  }
  if (
    response && outcome === "passed" && attempts.length === 1 && !held &&
    checks === step.held && last.checks === undefined && !last.failure &&
    last.outcome === "passed"
  ) {
    const { permit } = last;
    const dueAt = permit.backlogged ? permit.dueAt : undefined;
    return new PassedStep(step, response, dueAt);
  }
  if (failure) fail(last, failure);
  const result = {
    step: step.index,
    startedAt,
    endedAt: endOf(checks) ?? last.endedAt,
    outcome,
    isError: step.rules.errors[outcome],
    attempts,
    checks,
    ...(held && { contract: held }),
  };
  return failure ? { ...result, failure } : result;
}

/** When the last of these ended; undefined where they were not timed. */
function endOf(checks: readonly CheckResult[]): number | undefined {
  const at = checks[checks.length - 1]?.endedAt ?? NaN;
  return Number.isNaN(at) ? undefined : at;
}

const NO_ATTEMPTS: OpenAttempt[] = [];
const NO_CHECKS: readonly CheckResult[] = [];
