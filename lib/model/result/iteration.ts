import type { Outcome } from "../outcome.ts";
import type { ContractResult } from "./contract.ts";
import type { Failure, TypedValue } from "./failure.ts";
import { startOf, type StepResponse } from "./response.ts";

/** One try of a step. Times are milliseconds on the run's clock. */
export interface AttemptResult {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly response?: StepResponse;
  readonly failure?: Failure;
  /** When its request was due; NaN where it was not bound to a time. */
  readonly permit?: { readonly dueAt: number };
  /** The conditions of a poll, as they were in this round. */
  readonly checks?: readonly CheckResult[];
  /** The wait that followed, as it was, when there was another attempt. */
  readonly backoff?: Backoff;
  /** It was counted before its step ended, as another was to follow. */
  readonly sampled?: boolean;
}

/** A wait between attempts. Milliseconds on the run's clock. */
interface Backoff {
  readonly startedAt: number;
  /** Later than planned when the timer was late, earlier when the run was cut off. */
  readonly endedAt: number;
}

/** Extractions, assertions, the description of the API, and conditions of a poll. */
export type CheckKind = (typeof CHECK_KINDS)[number];
export const CHECK_KINDS = ["extract", "assert", "contract", "until"] as const;

/** One extraction or assertion, in the order they ran. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** The variable's name, or the assertion's 0-based index. */
  readonly name: string;
  /** NaN, as is `endedAt`, where it was not timed: it ran at the step's end. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failure?: Failure;
  /** The actual value, when the check holds and the iteration is surely kept. */
  readonly actual?: TypedValue;
}

/** The result of one step in one iteration. */
export interface StepResult {
  /** Index into the flow's steps. */
  readonly step: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** It fails its iteration: a throttle may, too. */
  readonly isError: boolean;
  readonly attempts: readonly AttemptResult[];
  readonly checks: readonly CheckResult[];
  readonly failure?: Failure;
  /** Responses of it that were held against the description of the API. */
  readonly contract?: readonly ContractResult[];
  /** The end of the run cut it off: only attempts that were `sampled` count. */
  readonly cutOff?: true;
  /** How the server ended a session that this step used last, where no step saw it. */
  readonly ending?: StepResponse;
}

/** A step as the result of one that passed needs it. */
interface HeldStep {
  readonly index: number;
  /** The results of its checks when all of them hold. */
  readonly held: readonly CheckResult[];
}

/**
 * A step that passed at its first attempt. An iteration holds the results of all of
 * its steps until it ends, and kept traces hold them until the run does: this is a
 * fifth of the memory of a result with its attempt.
 */
export class PassedStep implements StepResult {
  /** When its request was due, where it had to wait for a VU; most have no room for it. */
  declare readonly dueAt?: number;

  constructor(
    readonly of: HeldStep,
    readonly response: StepResponse,
    dueAt?: number,
  ) {
    if (dueAt !== undefined) this.dueAt = dueAt;
  }

  /** Whether it says what one of these would say. */
  isOf(of: HeldStep, response: StepResponse, dueAt?: number): boolean {
    return this.response === response && this.of === of &&
      this.dueAt === dueAt;
  }

  get step(): number {
    return this.of.index;
  }

  get startedAt(): number {
    return startOf(this.response);
  }

  get endedAt(): number {
    return this.response.marks.end;
  }

  get outcome(): "passed" {
    return "passed";
  }

  get isError(): false {
    return false;
  }

  get checks(): readonly CheckResult[] {
    return this.of.held;
  }

  get attempts(): readonly AttemptResult[] {
    const { outcome, startedAt, endedAt, response, dueAt } = this;
    const permit = dueAt === undefined ? {} : { permit: { dueAt } };
    return [{ outcome, startedAt, endedAt, response, ...permit }];
  }
}

/** One pass of the flow. */
export interface IterationResult {
  /** 0-based, unique in the run. */
  readonly iteration: number;
  /** Index of the flow among those of the run. */
  readonly flow: number;
  readonly vu: number;
  /** 0-based fixture row of the `user` pool, when there is one. */
  readonly row?: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** A step failed, or was throttled and throttles count as failures. */
  readonly failed: boolean;
  /** Some step's final class was throttled. */
  readonly throttled: boolean;
  /** Ended by a stop signal before its last step; counts in no rate. */
  readonly interrupted: boolean;
  /** Steps begun, in order. */
  readonly steps: readonly StepResult[];
  /** The values drawn for it, by index. */
  readonly values?: readonly unknown[];
  /** Values it extracted and sent as credentials: nothing stored may hold them. */
  readonly secrets?: readonly string[];
}

/** Who watches the generator itself. Milliseconds. */
export interface GeneratorSink {
  /** A request is to be sent, whether it can be or not, in an iteration that began at `at`. */
  offered(at: number): void;
  /** A request slot was handed out this long after it was due. */
  late(ms: number): void;
  /** A request was held back this long by the target's `max_rps`. */
  held(ms: number): void;
  /** A VU waits this long because its last iteration got no byte from the network. */
  paused(ms: number): void;
}

/** Who listens to the engine. The engine does not know what for. */
export interface Sink {
  /**
   * An iteration began at `at`. True when its trace will be kept, so that the
   * bytes of its responses must outlive the next request.
   */
  started(at: number, iteration: number): boolean;
  /**
   * One attempt with its latency in milliseconds, NaN where it has none. `step` is
   * an index into the flow's steps. `response` counts from when the request was due
   * (open loop) and is equal to `service` in the other executors.
   */
  sample(
    step: number,
    outcome: Outcome,
    at: number,
    service: number,
    response: number,
    sent: number,
    received: number,
  ): void;
  /** One more latency of the attempt before, such as of a frame after its handshake. */
  latency(
    step: number,
    outcome: Outcome,
    at: number,
    service: number,
    response: number,
  ): void;
  /** An attempt that was no request: it could not be made, or only waited for a frame. */
  unsent(step: number, at: number, outcome: Outcome): void;
  /**
   * Bytes of what is no attempt, or is counted by itself: a frame that was only
   * received, and requests that the end of the run cut off.
   */
  bytes(
    step: number,
    at: number,
    sent: number,
    received: number,
    requests: number,
  ): void;
  /** An iteration ended. Its steps may be used again unless it is marked as `held`. */
  iteration(result: IterationResult): void;
}
