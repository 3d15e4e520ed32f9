import { causingSpan, type Trace } from "../../lib/model/result/trace.ts";
import { type Failure, failureKey } from "../../lib/model/result/failure.ts";
import type { Outcome } from "../../lib/model/result/iteration.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import type { WaterfallRow } from "./waterfall.ts";

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
  const known = [
    ...meta.rows?.find((row) => row.trace_id === trace_id)?.failures ?? [],
    ...meta.failures,
  ];
  const cause = causingSpan(spans);
  const steps = rows.filter(({ kind, span }) =>
    kind === "step" && span.outcome !== undefined && span.outcome !== "passed"
  ).toSorted((a, b) => Number(b.span === cause) - Number(a.span === cause));
  return steps.flatMap((row) => {
    const { step, span: { outcome, failure } } = row;
    const own = rows.filter((each) => each.step === step && each.span.failure);
    const checks = own.filter(({ kind }) => kind === "check");
    // The check, or the exchange, that failed says more than its step.
    const shows = (failure: Failure) =>
      [...checks, ...own.toReversed(), row].find(({ span }) =>
        span.failure?.message === failure.message
      ) ?? row;
    const others = checks.map(({ span }) => span.failure!)
      .filter(({ message }) => message !== failure?.message);
    return [...failure ? [failure] : [], ...outcome === "failed" ? others : []]
      .map((each) => ({
        step,
        outcome: outcome!,
        failure: each,
        number: shows(each).number,
        at: known.find(({ key }) => key === failureKey(step, each)),
      }));
  });
}
