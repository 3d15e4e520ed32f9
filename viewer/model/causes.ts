import type { FailureGroup, RowSummary } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rootsOf } from "./waterfall.ts";

/** Why iterations of a functional run did not pass. */
export interface Cause {
  /** As the first of the iterations has it. */
  readonly failure: FailureGroup;
  /** Those it is the cause of. */
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
  return failure.outcome === "failed" ? 0 : 1;
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
