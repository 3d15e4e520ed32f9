import type {
  FailureGroup,
  RowSummary,
  RunMeta,
} from "../../lib/model/result/run.ts";
import {
  causingSpan,
  isExchange,
  type Span,
  type Trace,
} from "../../lib/model/result/trace.ts";
import { rootsOf, type WaterfallRow } from "./waterfall.ts";
import { type Failure, failureKey } from "../../lib/model/result/failure.ts";
import {
  BAD_OUTCOMES,
  type Outcome,
  OUTCOMES,
} from "../../lib/model/outcome.ts";
import { throttleFailure } from "../../lib/results/failures/failures.ts";

/** Why iterations of a functional run did not pass. */
export interface Cause {
  /** As the first of the iterations has it. */
  readonly failure: FailureGroup;
  /** The rows that it is the cause of. */
  readonly rows: readonly RowSummary[];
}

/** The causes of a functional run: failures before throttles, frequent ones first. */
export function causesOf(rows: readonly RowSummary[]): Cause[] {
  const bad = rows.filter(({ failures }) => failures.length > 0);
  return [...Map.groupBy(bad, ({ failures }) => failures[0]!.key).values()]
    .map((own) => ({ failure: own[0]!.failures[0]!, rows: own }))
    .sort((a, b) =>
      rankOf(a) - rankOf(b) || b.rows.length - a.rows.length ||
      a.rows[0]!.iteration - b.rows[0]!.iteration
    );
}

function rankOf({ failure }: Cause): number {
  return BAD_OUTCOMES.indexOf(failure.outcome);
}

/** The last exchange of a step that did not pass: what its checks looked at. */
export function exchangeOf(
  { spans }: Trace,
  step: string,
): Span | undefined {
  const root = spans.findLast(({ parent_id, name, outcome }) =>
    parent_id === undefined && name === step && outcome !== "passed"
  );
  if (!root) return;
  const roots = rootsOf(spans);
  return spans.findLast((span) =>
    span.parent_id !== undefined && (span.request || span.response) &&
    roots.get(span.span_id)?.span_id === root.span_id
  );
}

/** Something that is wrong with an iteration. */
export interface TraceFailure {
  readonly step: string;
  readonly outcome: Outcome;
  readonly failure: Failure;
  /** Of the span that shows it. */
  readonly number: number;
  /** Where it was written, as far as `meta.json` knows. */
  readonly at?: Pick<FailureGroup, "file" | "line" | "column"> | undefined;
}

/**
 * Everything that is wrong with an iteration: why each step did not pass, and
 * which other checks do not hold. Its cause comes first.
 */
export function traceFailures(
  meta: RunMeta,
  { trace_id, spans }: Trace,
  rows: readonly WaterfallRow[],
): TraceFailure[] {
  const own = [meta.setup, meta.teardown, ...meta.rows ?? []]
    .find((each) => each?.trace_id === trace_id);
  const known = [...own?.failures ?? [], ...meta.failures];
  const cause = causingSpan(spans);
  const steps = rows.filter(({ kind, span }) =>
    kind === "step" && span.outcome !== undefined && span.outcome !== "passed"
  ).toSorted((a, b) => Number(b.span === cause) - Number(a.span === cause));
  return steps.flatMap((row) => {
    const { step, span: { outcome, failure } } = row;
    const failed = rows.filter((each) =>
      each.step === step && each.span.failure
    );
    const checks = failed.filter(({ kind }) => kind === "check");
    // The check, or the exchange, that failed says more than its step.
    const shows = (failure: Failure) =>
      [...checks, ...failed.toReversed(), row].find(({ span }) =>
        span.failure?.message === failure.message
      ) ?? row;
    const others = checks.map(({ span }) => span.failure!)
      .filter(({ message }) => message !== failure?.message);
    return [
      ...failure ? [failure] : [],
      ...OUTCOMES[outcome!].byChecks ? others : [],
    ]
      .map((each) => ({
        step,
        outcome: outcome!,
        failure: each,
        number: shows(each).number,
        at: known.find(({ key }) => key === failureKey(step, each)),
      }));
  });
}

/** A step of a kept trace that did not pass. */
export interface KeptFailure {
  /** Of its failure group. */
  readonly key: string;
  readonly outcome: FailureGroup["outcome"];
  /** Waits that responses asked for, in milliseconds. */
  readonly retryAfterMs: readonly number[];
  readonly trace_id: string;
  /** From 0. */
  readonly iteration: number;
  readonly vu: number;
  readonly row?: number;
  /** Microseconds since the run started. */
  readonly at_us: number;
}

/** The steps of a trace that did not pass. */
export function keptFailuresOf(trace: Trace): KeptFailure[] {
  const bad = trace.spans.filter(({ parent_id, outcome }) =>
    parent_id === undefined && outcome !== undefined && outcome !== "passed"
  );
  if (bad.length === 0) return [];
  const roots = rootsOf(trace.spans);
  const below = Map.groupBy(
    trace.spans.filter(({ parent_id }) => parent_id !== undefined),
    ({ span_id }) => roots.get(span_id)?.span_id,
  );
  return bad.map((step) =>
    keptFailure(trace, step, below.get(step.span_id) ?? [])
  );
}

function keptFailure(
  { trace_id, iteration, vu, row }: Trace,
  step: Span,
  below: readonly Span[],
): KeptFailure {
  const calls = below.filter(({ kind }) => isExchange(kind));
  const failure: Failure = step.failure ??
    below.findLast((span) => span.failure)?.failure ??
    throttleOf(calls.at(-1));
  return {
    key: failureKey(step.name, failure),
    outcome: step.outcome as KeptFailure["outcome"],
    retryAfterMs: calls.map(({ attributes }) => attributes?.retry_after_ms)
      .filter((ms) => typeof ms === "number"),
    trace_id,
    iteration,
    vu,
    ...(row !== undefined && { row }),
    at_us: step.start_us,
  };
}

/** The failure of a throttle; in traces of earlier versions one that was no failure has none. */
function throttleOf(call: Span | undefined): Failure {
  const status = call?.attributes?.status;
  return throttleFailure(
    status === undefined ? undefined : `status ${status}`,
  );
}

/** The kept failures of one group, in the order of time. */
export function keptFailuresIn(
  { key }: FailureGroup,
  all: readonly KeptFailure[],
): KeptFailure[] {
  return all.filter((each) => each.key === key)
    .sort((a, b) => a.at_us - b.at_us);
}
