import type { Outcome } from "./iteration.ts";
import type { Failure } from "./failure.ts";
import type { CapturedMessage } from "./response.ts";

/** One timed piece of work. Ids are hex as in OTLP: 8 bytes a span, 16 a trace. */
export interface Span {
  readonly span_id: string;
  readonly parent_id?: string;
  /** `<step>`, `attempt 1`, `backoff`, `http_call`, `dns` ... */
  readonly name: string;
  /** Microseconds since the run started. */
  readonly start_us: number;
  readonly duration_us: number;
  readonly outcome?: Outcome;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly failure?: Failure;
  readonly request?: CapturedMessage;
  readonly response?: CapturedMessage;
}

/** One kept iteration: a root span a step, with what happened below it. */
export interface Trace {
  readonly trace_id: string;
  readonly iteration: number;
  readonly vu: number;
  readonly row?: number;
  /** What that row is called. */
  readonly row_name?: string;
  /**
   * A random number in [0, 1), where only some traces are kept: those of the 200
   * highest ranks are an even sample of all iterations.
   */
  readonly rank?: number;
  readonly outcome: Outcome;
  /** Microseconds since the run started. */
  readonly start_us: number;
  readonly duration_us: number;
  readonly spans: readonly Span[];
}

/** Spans with each message that was captured as `change` gives it. */
export function withMessages(
  spans: readonly Span[],
  change: (message: CapturedMessage) => CapturedMessage,
): Span[] {
  return spans.map((span) =>
    !span.request && !span.response ? span : {
      ...span,
      ...(span.request && { request: change(span.request) }),
      ...(span.response && { response: change(span.response) }),
    }
  );
}
