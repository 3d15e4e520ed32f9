import type { BodyLimits } from "../../model/result/response.ts";
import type { Span } from "../../model/result/trace.ts";
import { type IdWords, requestSpanId, spanId } from "./trace_ids.ts";

/** What a span says besides its times. */
export type SpanFacts = Partial<Omit<Span, "start_us" | "duration_us">>;

/** The spans of a trace as they are added: parents before their children. */
export class SpanList {
  readonly list: Span[] = [];
  #attempts = 0;
  constructor(
    readonly ids: IdWords,
    readonly iteration: number,
    readonly runStart: number,
    readonly bodies: BodyLimits,
  ) {}

  /** Adds a span and gives its id. */
  add(name: string, from: number, to: number, facts: SpanFacts = {}): string {
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
export function timing(
  runStart: number,
  from: number,
  to: number,
): Pick<Span, "start_us" | "duration_us"> {
  const start_us = Math.round((from - runStart) * 1_000);
  const end = Math.round((to - runStart) * 1_000);
  return { start_us, duration_us: Math.max(0, end - start_us) };
}
