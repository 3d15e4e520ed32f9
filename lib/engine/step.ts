import { AuthError } from "../auth/scheme.ts";
import { ResolutionError } from "../expr/template.ts";
import { afterChecks, classify } from "../outcome/classify.ts";
import { backoff, shouldRetry } from "../outcome/retry.ts";
import type {
  AttemptResult,
  CheckResult,
  Outcome,
  StepResult,
} from "../result/iteration.ts";
import type { Failure } from "../result/failure.ts";
import type { Reply } from "../result/reply.ts";
import { runChecks } from "./checks.ts";
import type { CompiledStep } from "./compiled_step.ts";
import { type Ticket, UNHINDERED } from "./gate.ts";
import type { VirtualUser } from "./vu.ts";

/** One attempt, and what to do next. */
interface Try {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly reply?: Reply;
  /** Before checks. */
  readonly outcome: Outcome;
  readonly failure?: Failure;
  readonly ticket: Ticket;
}

/** Runs one step: attempts and the waits between them, then its checks. */
export async function runStep(
  step: CompiledStep,
  vu: VirtualUser,
): Promise<StepResult> {
  const attempts: AttemptResult[] = [];
  let last = await attempt(step, vu);
  const { startedAt } = last;
  for (let number = 1;; number++) {
    const next = again(step, vu, last, number, startedAt);
    if (next === undefined) break;
    if (next.kind === "give up") {
      last = { ...last, outcome: "failed", failure: next.failure };
      break;
    }
    vu.sample(step, last.reply, last.outcome, last.ticket);
    attempts.push({ ...last, backoffMs: next.ms });
    await vu.sleep(next.ms);
    if (vu.stopped) break;
    last = await attempt(step, vu);
  }
  return finish(step, vu, startedAt, attempts, last);
}

async function attempt(step: CompiledStep, vu: VirtualUser): Promise<Try> {
  const entered = step.requests ? vu.enter() : UNHINDERED;
  const ticket = entered instanceof Promise ? await entered : entered;
  try {
    const reply = await step.adapter.attempt(vu);
    if (vu.keepsReplies) reply.detach();
    const outcome = classify(reply, step.rules);
    const { start: startedAt, end: endedAt } = reply.marks;
    return outcome === "failed" && reply.failure
      ? { startedAt, endedAt, reply, outcome, ticket, failure: reply.failure }
      : { startedAt, endedAt, reply, outcome, ticket };
  } catch (error) {
    const failure = causeOf(error);
    const at = vu.now();
    return { startedAt: at, endedAt: at, outcome: "failed", ticket, failure };
  }
}

/** Errors that belong to the step; any other is a fault of this program. */
function causeOf(error: unknown): Failure {
  if (error instanceof ResolutionError) {
    return { code: "resolution", message: error.message };
  }
  if (error instanceof AuthError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof Error && error.name === "RequestError") {
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
  attempts: AttemptResult[],
  last: Try,
): StepResult {
  const checks = last.reply && !brokenAnswer(last.reply)
    ? runChecks(step, last.reply, vu)
    : [];
  const failedCheck = tellingFailure(step, checks);
  const outcome = afterChecks(last.outcome, failedCheck === undefined);
  // A failure is worth its bytes: the trace that shows it is likely kept.
  if (outcome !== "passed") last.reply?.detach();
  const failure = outcome === "failed"
    ? last.failure ?? failedCheck
    : undefined;
  if (!vu.stopped) vu.sample(step, last.reply, outcome, last.ticket);
  attempts.push({ ...last, outcome, ...(failure && { failure }) });
  return {
    step: step.index,
    startedAt,
    endedAt: checks.at(-1)?.endedAt ?? last.endedAt,
    outcome,
    throttleIsError: outcome === "throttled" && step.rules.throttleIsError,
    attempts,
    checks,
    ...(failure && { failure }),
  };
}
