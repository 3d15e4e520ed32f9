import { type Failure, failureKey } from "../../lib/model/result/failure.ts";
import { throttleFailure } from "../../lib/results/failures/step_failures.ts";
import type { FailureGroup } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rootsOf } from "./waterfall.ts";

/** A step of a kept trace that did not pass. */
export interface KeptFailure {
  /** Of its failure group. */
  readonly key: string;
  readonly outcome: FailureGroup["outcome"];
  /** What the responses asked to wait, in milliseconds. */
  readonly retryAfterMs: readonly number[];
  readonly trace_id: string;
  /** From 0. */
  readonly iteration: number;
  readonly vu: number;
  readonly row?: number;
  /** Microseconds since the run started. */
  readonly at_us: number;
}

/** What went wrong in a trace, step by step. */
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
  const calls = below.filter(({ name }) =>
    name === "http_call" || name === "frames"
  );
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

/** A throttle that was no failure has none in traces of earlier versions. */
function throttleOf(call: Span | undefined): Failure {
  const status = call?.attributes?.status;
  return throttleFailure(
    status === undefined ? undefined : `status ${status}`,
  );
}

/** Those of one group, in the order of time. */
export function keptFailuresIn(
  { key }: FailureGroup,
  all: readonly KeptFailure[],
): KeptFailure[] {
  return all.filter((each) => each.key === key)
    .sort((a, b) => a.at_us - b.at_us);
}
