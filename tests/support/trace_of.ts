import type { Span, Trace } from "../../lib/model/result/trace.ts";

/** A trace of these spans. */
export function traceOf(spans: readonly Span[]): Trace {
  return {
    trace_id: "00ff",
    iteration: 0,
    vu: 0,
    outcome: "passed",
    start_us: 0,
    duration_us: 100,
    spans,
  };
}
