import { AuthError } from "../../steps/auth/scheme.ts";
import { ResolutionError } from "../../language/expressions/template.ts";
import { afterChecks, classify } from "../outcome/classify.ts";
import { backoff, shouldRetry } from "../outcome/retry.ts";
import type {
  AttemptResult,
  CheckResult,
  StepResult,
} from "../../model/result/iteration.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { Reply } from "../../model/result/reply.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import { runChecks } from "./checks.ts";
import type { CompiledStep } from "./compiled_step.ts";
import { type Ticket, UNHINDERED } from "./gate.ts";
import type { VirtualUser } from "./vu.ts";

/** One attempt as it goes; becomes its `AttemptResult`. */
interface Try extends Writable<AttemptResult> {
  readonly ticket: Ticket;
}
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Runs one step: attempts and the waits between them, then its checks.
 *
 * One async function for all of it, and one object an attempt: each further
 * promise in the chain costs a request 1 to 2 % (decision 010).
 */
export async function runStep(
  step: CompiledStep,
  vu: VirtualUser,
): Promise<StepResult> {
  const attempts: AttemptResult[] = [];
  let startedAt = NaN;
  for (let number = 1;; number++) {
    const entered = step.requests ? vu.enter() : UNHINDERED;
    const ticket = entered instanceof Promise ? await entered : entered;
    let last: Try;
    try {
      last = judged(step, vu, await step.adapter.attempt(vu), ticket);
    } catch (error) {
      last = unanswered(causeOf(error), vu.now(), ticket);
    }
    attempts.push(last);
    if (number === 1) startedAt = last.startedAt;
    const next = again(step, vu, last, number, startedAt);
    if (next?.kind !== "wait") {
      if (next) fail(last, next.failure);
      return finish(step, vu, startedAt, attempts, last);
    }
    vu.sample(step, last.reply, last.outcome, ticket);
    const waitedFrom = vu.now();
    await vu.sleep(next.ms);
    last.backoff = { startedAt: waitedFrom, endedAt: vu.now() };
    if (vu.stopped) return finish(step, vu, startedAt, attempts, last);
  }
}

function judged(
  step: CompiledStep,
  vu: VirtualUser,
  reply: Reply,
  ticket: Ticket,
): Try {
  if (vu.keepsReplies) reply.detach();
  const outcome = classify(reply, step.rules);
  const { start, end: endedAt } = reply.marks;
  const startedAt = reply.before?.marks.start ?? start;
  return outcome === "failed" && reply.failure
    ? { startedAt, endedAt, outcome, reply, ticket, failure: reply.failure }
    : { startedAt, endedAt, outcome, reply, ticket };
}

function unanswered(failure: Failure, at: number, ticket: Ticket): Try {
  return { startedAt: at, endedAt: at, outcome: "failed", ticket, failure };
}

function fail(last: Try, failure: Failure): void {
  last.outcome = "failed";
  last.failure = failure;
}

/** Errors that belong to the step; any other is a fault of this program. */
function causeOf(error: unknown): Failure {
  if (error instanceof ResolutionError) {
    return { code: "resolution", message: error.message };
  }
  if (error instanceof AuthError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof RequestError) {
    return { code: "request", message: error.message };
  }
  throw error;
}

type Next =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "give up"; readonly failure: Failure };

/** Another attempt after a wait, a verdict that replaces the answer's, or neither. */
function again(
  step: CompiledStep,
  vu: VirtualUser,
  last: Try,
  number: number,
  startedAt: number,
): Next | undefined {
  const { reply } = last;
  if (!reply || vu.stopped) return undefined;
  if (step.retry && shouldRetry(step.retry, number, reply)) {
    return { kind: "wait", ms: backoff(step.retry, number, reply) };
  }
  const { repeat } = step.adapter;
  // An answer of any status is judged by `until`; a broken exchange ends it.
  if (!repeat || reply.status === undefined || brokenAnswer(reply)) {
    return undefined;
  }
  const unmet = last.outcome === "throttled"
    ? undefined
    : repeat.until(reply, vu.scope);
  if (!unmet && last.outcome !== "throttled") return undefined;
  const spent = vu.now() - startedAt;
  const more = number < (repeat.maxAttempts ?? Infinity) &&
    spent + repeat.intervalMs <= (repeat.timeoutMs ?? Infinity);
  if (more) return { kind: "wait", ms: repeat.intervalMs };
  if (!unmet) return undefined;
  const rounds = number === 1 ? "1 round" : `${number} rounds`;
  return {
    kind: "give up",
    failure: {
      code: "poll",
      message: `gave up after ${rounds}: ${unmet.message}`,
      pointer: `${step.pointer}/block${unmet.pointer}`,
      expected: unmet.expected,
      actual: unmet.actual,
    },
  };
}

/**
 * The failed check a person should see first: one on the status explains what
 * the others only suffer from.
 */
function tellingFailure(
  step: CompiledStep,
  checks: readonly CheckResult[],
): Failure | undefined {
  const failed = checks.filter((each) => each.failure);
  const onStatus = failed.find(({ kind, name }) =>
    kind === "assert" &&
    step.step.assert?.[Number(name)]?.subject.kind === "status"
  );
  return (onStatus ?? failed[0])?.failure;
}

function brokenAnswer(reply: Reply): boolean {
  return reply.signal === "failure" && reply.failure?.code !== "status";
}

function finish(
  step: CompiledStep,
  vu: VirtualUser,
  startedAt: number,
  attempts: readonly AttemptResult[],
  last: Try,
): StepResult {
  const { reply } = last;
  const checks = reply && !brokenAnswer(reply)
    ? runChecks(step, reply, vu)
    : NO_CHECKS;
  const failedCheck = checks === step.held
    ? undefined
    : tellingFailure(step, checks);
  const outcome = afterChecks(last.outcome, failedCheck === undefined);
  // A failure is worth its bytes: the trace that shows it is likely kept.
  if (outcome !== "passed") reply?.detach();
  if (!vu.stopped) vu.sample(step, reply, outcome, last.ticket);
  const failure = outcome === "failed"
    ? last.failure ?? failedCheck
    : undefined;
  if (failure) fail(last, failure);
  const timedEnd = checks.at(-1)?.endedAt ?? NaN;
  const result = {
    step: step.index,
    startedAt,
    endedAt: Number.isNaN(timedEnd) ? last.endedAt : timedEnd,
    outcome,
    throttleIsError: outcome === "throttled" && step.rules.throttleIsError,
    attempts,
    checks,
  };
  return failure ? { ...result, failure } : result;
}

const NO_CHECKS: readonly CheckResult[] = [];
