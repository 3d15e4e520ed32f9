import type { Failure } from "../../lib/model/result/failure.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import { locator } from "../../lib/run.ts";

/** Where the failed part of a flow was written. */
interface Located extends Failure {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A finished iteration: its trace, with the locations of what failed. */
export interface IterationMessage extends Omit<Trace, "spans"> {
  readonly spans: readonly (Omit<Span, "failure"> & {
    readonly failure?: Located;
  })[];
}

/** Makes the messages of a run's iterations. */
export function iterationMessages(
  prepared: PreparedRun,
): (trace: Trace) => IterationMessage {
  const locate = locator(prepared);
  const pointers = new Map(
    prepared.flow.steps.map(({ id }, index) => [id, `/steps/${index}`]),
  );
  return (trace) => {
    let step = "";
    const spans = trace.spans.map((span) => {
      if (span.parent_id === undefined) step = pointers.get(span.name) ?? "";
      const { failure } = span;
      if (!failure) return span;
      const location = locate(failure.pointer ?? step);
      return { ...span, failure: { ...failure, ...location } };
    });
    return { ...trace, spans };
  };
}
