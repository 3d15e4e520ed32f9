import { ResolutionError } from "../../language/expressions/template.ts";
import { type Failure, failureBy } from "../../model/result/failure.ts";
import {
  contractFailure,
  type ContractResult,
} from "../../model/result/contract.ts";
import {
  type CheckResult,
  PassedStep,
  type StepResult,
} from "../../model/result/iteration.ts";
import {
  isStatusFailure,
  startOf,
  type StepResponse,
} from "../../model/result/response.ts";
import { AuthError, THROTTLED } from "../../steps/auth/scheme.ts";
import type { AttemptEnd } from "../../steps/protocol.ts";
import { WireError } from "../../wire/net/wire_error.ts";
import { IMMEDIATE, type Permit } from "../limiter/limiter.ts";
import { afterChecks, classify } from "../outcome/classify.ts";
import { runChecks } from "./checks.ts";
import type { CompiledStep, StepContract } from "./compiled_step.ts";
import {
  afterRound,
  type Ending,
  gaveUp,
  type Next,
  roundLimit,
  tellingFailure,
} from "./poll_rounds.ts";
import { afterAttempt, type RetriedAttempt } from "./retry_attempts.ts";
import type { VirtualUser } from "./vu.ts";

/** An attempt under way; becomes its `AttemptResult`. */
interface OpenAttempt extends Writable<RetriedAttempt> {
  readonly permit: Permit;
}
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Takes the result of a step. One of the two is called, once, maybe before `begin` returns. */
export interface StepEnd {
  ended(result: StepResult): void;
  /** An error of this program. */
  broke(error: unknown): void;
}

/**
 * Runs the steps of one VU, one at a time: attempts and the waits between them, then
 * the checks.
 *
 * A response leads to the next request by calls, from where it came in: see
 * docs/decisions/094-from-response-to-request.md.
 */
export class StepRun implements AttemptEnd {
  readonly #vu: VirtualUser;
  readonly #end: StepEnd;
  #step!: CompiledStep;
  #attempts = NO_ATTEMPTS;
  /** When a poll began. */
  #since = NaN;
  #held: ContractResult[] | undefined;
  #permit: Permit = IMMEDIATE;
  #spare: PassedStep | undefined;

  constructor(vu: VirtualUser, end: StepEnd) {
    this.#vu = vu;
    this.#end = end;
  }

  /**
   * Runs a step, after the one before it has ended.
   *
   * @param spare its result in an iteration that has ended
   */
  begin(step: CompiledStep, spare?: StepResult): void {
    this.#step = step;
    this.#spare = spare instanceof PassedStep ? spare : undefined;
    this.#vu.spare = this.#spare?.response;
    this.#attempts = NO_ATTEMPTS;
    this.#held = undefined;
    this.#attempt();
  }

  #attempt(): void {
    const acquired = this.#step.requests ? this.#vu.acquire() : IMMEDIATE;
    if (!(acquired instanceof Promise)) return this.#permitted(acquired);
    acquired.then((permit) => this.#permitted(permit))
      .catch((error) => this.#end.broke(error));
  }

  #permitted(permit: Permit): void {
    const { poll, adapter } = this.#step;
    this.#permit = permit;
    let limit: number | undefined;
    if (poll) {
      const now = this.#vu.now();
      if (this.#attempts.length === 0) this.#since = now;
      limit = roundLimit(poll, now - this.#since);
    }
    // The time ran out while the request was held back.
    if (limit === 0) {
      return this.#finish(gaveUp(poll!, this.#attempts), this.#vu.stopped);
    }
    this.#vu.attempting();
    try {
      adapter.attempt(this.#vu, this, limit);
    } catch (error) {
      this.error(error);
    }
  }

  response(response: StepResponse): void {
    let last: OpenAttempt;
    try {
      last = judged(this.#step, this.#vu, response, this.#permit);
    } catch (error) {
      return this.error(error);
    }
    this.#attempted(last);
  }

  error(error: unknown): void {
    let last: OpenAttempt;
    try {
      const cause = causeOf(error, this.#step);
      last = unanswered(cause, this.#vu.now(), this.#permit);
      if (error instanceof AuthError) last.withoutCredential = error;
    } catch (broken) {
      return this.#end.broke(broken);
    }
    this.#attempted(last);
  }

  /** An attempt has ended: another follows, or the step ends with it. */
  #attempted(last: OpenAttempt): void {
    try {
      const step = this.#step;
      if (step.contract && last.response) {
        const { contract } = step;
        this.#held = withContract(
          contract,
          last.response,
          this.#vu,
          this.#held,
        );
      }
      // Pushed to an empty list, one attempt would take the room of seventeen.
      if (this.#attempts.length === 0) this.#attempts = [last];
      else this.#attempts.push(last);
      const { stopped } = this.#vu;
      const next = stopped ? undefined : this.#next(last);
      if (next?.kind === "wait") this.#waitFor(next.ms, last);
      else this.#finish(next?.ending, stopped);
    } catch (error) {
      this.#end.broke(error);
    }
  }

  #next(last: OpenAttempt): Next {
    const { poll, retry } = this.#step;
    const attempts = this.#attempts;
    if (poll) return afterRound(poll, attempts, this.#since, this.#vu.now());
    return retry && afterAttempt(this.#step, retry, last, attempts.length);
  }

  /** The wait between two attempts. */
  #waitFor(ms: number, last: OpenAttempt): void {
    const vu = this.#vu;
    const { poll, authorizer } = this.#step;
    const { response } = last;
    // What accepts an error status accepts it of the last response alone.
    const { failure } = response ?? {};
    if (failure && last.outcome === "passed") fail(last, failure);
    vu.sample(this.#step, response, last.outcome, last.permit);
    last.sampled = true;
    if (!poll && response?.refusesCredentials) {
      authorizer?.refused?.(vu.scope, response.marks.start);
    }
    response?.checked?.();
    const startedAt = vu.now();
    vu.sleep(ms).then(() => {
      last.backoff = { startedAt, endedAt: vu.now() };
      if (vu.stopped) this.#finish(undefined, true);
      else this.#attempt();
    }).catch((error) => this.#end.broke(error));
  }

  /**
   * Ends the step: another one may begin before it returns.
   *
   * @param stopped the end of the run cuts it off
   */
  #finish(ending: Ending | undefined, stopped = false): void {
    const attempts = this.#attempts;
    const held = this.#held;
    // A VU between two iterations holds nothing of the last one.
    this.#attempts = NO_ATTEMPTS;
    this.#held = undefined;
    const spare = this.#spare;
    const result = finish(
      this.#step,
      this.#vu,
      attempts,
      held,
      spare,
      stopped,
      ending,
    );
    this.#end.ended(result);
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
  const outcome = failure.code === THROTTLED ? "throttled" : "failed";
  return { startedAt: at, endedAt: at, outcome, permit, failure };
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
  if (error instanceof WireError) return error.failure;
  if (exchanges) return failureBy(error);
  throw error;
}

function brokenResponse(response: StepResponse): boolean {
  return response.signal === "failure" && !isStatusFailure(response);
}

function finish(
  step: CompiledStep,
  vu: VirtualUser,
  attempts: readonly OpenAttempt[],
  held: readonly ContractResult[] | undefined,
  spare: PassedStep | undefined,
  stopped: boolean,
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
  const failure = outcome === "failed"
    ? ending?.failure(cause) ?? cause
    : undefined;
  // The trace that shows a failure is likely kept, so its bytes are.
  if (outcome !== "passed") response?.detach();
  if (!last.sampled) {
    const own = last.outcome === "failed" ? last.outcome : outcome;
    vu.sample(step, response, own, last.permit);
  }
  if (
    response && !stopped && outcome === "passed" && attempts.length === 1 &&
    !held &&
    checks === step.held && last.checks === undefined && !last.failure &&
    last.outcome === "passed"
  ) return passedStep(step, response, last.permit, spare);
  // What was counted already stays as it was.
  if (failure && !stopped && !last.sampled) fail(last, failure);
  return {
    step: step.index,
    startedAt,
    // A wait for another attempt is a part of the step, though none came.
    endedAt: last.backoff ? vu.now() : endOf(checks) ?? last.endedAt,
    outcome,
    isError: step.rules.errors[outcome],
    attempts,
    checks,
    ...(held && { contract: held }),
    ...(stopped && { cutOff: true as const }),
    ...(failure && { failure }),
  };
}

/** @param spare its result in an iteration that has ended, which may say the same */
function passedStep(
  step: CompiledStep,
  response: StepResponse,
  permit: Permit,
  spare: PassedStep | undefined,
): PassedStep {
  const dueAt = permit.backlogged ? permit.dueAt : undefined;
  return spare?.isOf(step, response, dueAt)
    ? spare
    : new PassedStep(step, response, dueAt);
}

/** When the last of these ended; undefined where they were not timed. */
function endOf(checks: readonly CheckResult[]): number | undefined {
  const at = checks[checks.length - 1]?.endedAt ?? NaN;
  return Number.isNaN(at) ? undefined : at;
}

const NO_ATTEMPTS: OpenAttempt[] = [];
const NO_CHECKS: readonly CheckResult[] = [];
