import { readable } from "../../base/values/canonical.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { Embedded } from "../../language/expressions/template.ts";
import type {
  AttemptResult,
  CheckResult,
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import { BAD_OUTCOMES, type Outcome } from "../../model/outcome.ts";
import {
  type BodyLimits,
  type Marks,
  type Phase,
  type StepResponse,
  STORED_BODIES,
  touchedTheWire,
} from "../../model/result/response.ts";
import {
  contractFailure,
  type ContractResult,
  type Violation,
} from "../../model/result/contract.ts";
import type { Span, Trace, TracedStep } from "../../model/result/trace.ts";
import { reasonOf } from "../failures/failures.ts";
import { messagesOf } from "./trace_draft.ts";
import { type IdWords, requestSpanId, spanId, traceId } from "./trace_ids.ts";

/** The attributes of a span. */
type SpanFacts =
  & Partial<Omit<Span, "name" | "kind" | "start_us" | "duration_us">>
  & Pick<Span, "kind">;

/** The spans of a trace as they are added: parents before their children. */
class SpanList {
  readonly list: Span[] = [];
  #attempts = 0;
  constructor(
    readonly ids: IdWords,
    readonly iteration: number,
    readonly runStart: number,
    readonly bodies: BodyLimits,
  ) {}

  /** Adds a span and gives its id. */
  add(name: string, from: number, to: number, facts: SpanFacts): string {
    const { span_id = spanId(this.ids, this.iteration, this.list.length) } =
      facts;
    const times = timing(this.runStart, from, to);
    this.list.push({ ...facts, span_id, name, ...times });
    return span_id;
  }

  /** The span id that the request of the next attempt went out with. */
  requestId(): string {
    return requestSpanId(this.ids, this.iteration, this.#attempts++);
  }
}

/** Milliseconds of the run's clock as microseconds since the run started. */
function timing(
  runStart: number,
  from: number,
  to: number,
): Pick<Span, "start_us" | "duration_us"> {
  const start_us = Math.round((from - runStart) * 1_000);
  const end = Math.round((to - runStart) * 1_000);
  return { start_us, duration_us: Math.max(0, end - start_us) };
}

/** The values drawn for an iteration, as text; a text that could not be made is left out. */
export function valuesOf(
  { values = [] }: IterationResult,
  names: readonly string[],
): Pick<Trace, "values"> {
  const texts = names.flatMap((name, index) => {
    const value = values[index];
    if (value === undefined || value instanceof Error) return [];
    if (value instanceof Embedded) return [{ name, value: value.text }];
    return [{
      name,
      value: typeof value === "string" ? value : readable(value as JsonValue),
    }];
  });
  return texts.length === 0 ? {} : { values: texts };
}

/** The class of an iteration. */
export function outcomeOf(result: IterationResult): Outcome {
  return BAD_OUTCOMES.find((each) => result[each]) ?? "passed";
}

/**
 * One iteration as a tree of spans: a root span a step;
 * below it `attempt <n>` and `backoff` when there is a retry policy or there
 * was more than one attempt, `http_call` with its phases where something was
 * sent or dialled, and one span for every extraction and assertion; those of a
 * poll's `until` are below the round they judge.
 *
 * @param runStart the run's start on the run's clock, in milliseconds
 * @param bodies how much of them it holds
 */
export function buildTrace(
  result: IterationResult,
  steps: readonly TracedStep[],
  runStart: number,
  ids: IdWords,
  bodies: BodyLimits = STORED_BODIES,
): Trace {
  // Threads agree on the run's start to a millisecond; none is before it.
  const start = Math.min(runStart, result.startedAt);
  const spans = new SpanList(ids, result.iteration, start, bodies);
  for (const each of result.steps) {
    const step = steps[each.step];
    if (step) addStep(spans, each, step);
  }
  return {
    trace_id: traceId(ids, result.iteration),
    iteration: result.iteration,
    vu: result.vu,
    ...(result.row !== undefined && { row: result.row }),
    outcome: outcomeOf(result),
    ...timing(start, result.startedAt, result.endedAt),
    spans: spans.list,
  };
}

function addStep(spans: SpanList, result: StepResult, step: TracedStep): void {
  const failure = reasonOf(result);
  const parent_id = spans.add(step.id, result.startedAt, result.endedAt, {
    kind: "step",
    outcome: result.outcome,
    attributes: {
      kind: step.kind,
      ...step.facts,
      ...(result.attempts.length > 1 && { attempts: result.attempts.length }),
      ...(result.isError && result.outcome === "throttled" &&
        { throttle_is_error: true }),
    },
    ...(failure && { failure }),
  });
  const shown = step.repeats === true || result.attempts.length > 1;
  result.attempts.forEach((attempt, index) => {
    if (!shown) return addAttempt(spans, attempt, step, parent_id);
    const id = spans.add(
      `attempt ${index + 1}`,
      attempt.startedAt,
      attempt.endedAt,
      {
        parent_id,
        kind: "attempt",
        outcome: attempt.outcome,
        ...(attempt.failure && { failure: attempt.failure }),
      },
    );
    addAttempt(spans, attempt, step, id);
    const { backoff } = attempt;
    if (!backoff) return;
    spans.add("backoff", backoff.startedAt, backoff.endedAt, {
      parent_id,
      kind: "backoff",
    });
  });
  addChecks(spans, result.checks, step, result.endedAt, parent_id);
  addContract(spans, result, step, parent_id);
  const { ending, outcome } = result;
  if (!ending) return;
  addExchange(spans, ending, result.endedAt, outcome, step, { parent_id });
}

/** @param endedAt when checks ran that were not timed */
function addChecks(
  spans: SpanList,
  checks: readonly CheckResult[],
  { id, checks: texts }: TracedStep,
  endedAt: number,
  parent_id: string,
): void {
  for (const check of checks) {
    const { kind, name: label } = check;
    spans.add(
      `${id}.${kind}@${label}`,
      Number.isNaN(check.startedAt) ? endedAt : check.startedAt,
      Number.isNaN(check.endedAt) ? endedAt : check.endedAt,
      {
        ...{ parent_id, kind, label },
        outcome: check.failure ? "failed" : "passed",
        ...checkFacts(check, texts?.[kind].get(label)),
        ...(check.failure && { failure: check.failure }),
      },
    );
  }
}

/** A span a violation, and one of a response that is as described. */
function addContract(
  spans: SpanList,
  { contract = [], endedAt }: StepResult,
  { id }: TracedStep,
  parent_id: string,
): void {
  let index = 0;
  const add = (result: ContractResult, violation?: Violation) => {
    const label = String(index++);
    spans.add(`${id}.contract@${label}`, endedAt, endedAt, {
      ...{ parent_id, kind: "contract", label },
      outcome: violation ? "failed" : "passed",
      attributes: { check: `${result.operation} ${result.status}` },
      ...(violation && { failure: contractFailure(result, violation) }),
    });
  };
  for (const each of contract) {
    if (each.operation === undefined) continue;
    if (each.violations.length === 0) add(each);
    for (const violation of each.violations) add(each, violation);
  }
}

/** The expected value of a check and, of one that holds, the actual one. */
function checkFacts(
  { actual }: CheckResult,
  check: string | undefined,
): Pick<Span, "attributes"> {
  if (check === undefined && !actual) return {};
  return {
    attributes: {
      ...(check !== undefined && { check }),
      ...(actual && { type: actual.type, value: actual.text }),
    },
  };
}

function addAttempt(
  spans: SpanList,
  attempt: AttemptResult,
  step: TracedStep,
  parent: string,
): void {
  const { response, endedAt, outcome, checks = [] } = attempt;
  const before = response?.before;
  const span_id = spans.requestId();
  const request = { parent_id: parent, span_id };
  const below = before ? { parent_id: parent } : request;
  if (before) addExchange(spans, before, endedAt, "passed", step, request);
  if (response) addExchange(spans, response, endedAt, outcome, step, below);
  addChecks(spans, checks, step, endedAt, parent);
}

function addExchange(
  spans: SpanList,
  response: StepResponse,
  endedAt: number,
  outcome: Outcome,
  step: TracedStep,
  place: Pick<SpanFacts, "parent_id" | "span_id">,
): void {
  const { marks, span } = response;
  if (!touchedTheWire(response)) return;
  const end = Number.isFinite(marks.end) ? marks.end : endedAt;
  const parent_id = spans.add(span ?? "http_call", marks.start, end, {
    ...place,
    kind: span ?? "call",
    outcome,
    attributes: callAttributes(response, step),
    ...(response.failure && { failure: response.failure }),
    ...(reachedServer(marks) && messagesOf(response, spans.bodies)),
  });
  if (span !== undefined) return;
  for (const [name, from, to] of phases(marks)) {
    const failed = name === marks.failed && response.failure;
    spans.add(name, from, to, {
      parent_id,
      kind: "phase",
      ...(failed && { outcome: "failed", failure: response.failure }),
    });
  }
}

function callAttributes(
  response: StepResponse,
  { statuses }: TracedStep,
): Record<string, string | number | boolean> {
  const retryAfter = response.retryAfter();
  const name = statuses?.get(response.status ?? NaN);
  return {
    ...(response.origin !== undefined && { origin: response.origin }),
    ...(response.status !== undefined && { status: response.status }),
    ...(response.httpVersion !== undefined &&
      { http_version: response.httpVersion }),
    ...(name !== undefined && { status_name: name }),
    bytes_sent: response.bytesSent,
    bytes_received: response.bytesReceived,
    ...(retryAfter !== undefined && { retry_after_ms: retryAfter }),
    // A load run does not copy every response out of its connection's buffer, and
    // which iterations are kept is known only after the next request.
    ...(response.overwritten && { response_overwritten: true }),
  };
}

/** After a failed dial nothing was sent. */
function reachedServer({ failed }: Readonly<Marks>): boolean {
  return failed !== "dns" && failed !== "connect" && failed !== "tls";
}

/**
 * The phases that happened, end to end, the one that failed last. `ttfb` counts
 * from the send.
 */
function phases(marks: Readonly<Marks>): [Phase, number, number][] {
  const found: [Phase, number, number][] = [];
  let at = marks.start;
  const ends = [
    ["dns", marks.dns],
    ["connect", marks.connect],
    ["tls", marks.tls],
    ["ttfb", marks.firstByte],
    ["transfer", marks.end],
  ] as const;
  for (const [name, end] of ends) {
    if (name === marks.failed) {
      found.push([name, at, marks.end]);
      break;
    }
    if (!Number.isFinite(end)) continue;
    // Without a first byte there is an end, but nothing was transferred.
    if (name === "transfer" && !Number.isFinite(marks.firstByte)) continue;
    found.push([name, at, end]);
    at = end;
  }
  return found;
}
