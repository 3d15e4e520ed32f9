import type { CapturedMessage } from "../../model/result/response.ts";
import type { Span, Trace } from "../../model/result/trace.ts";
import { redact, type Redacted } from "./redacted.ts";
import type { Secrets } from "./secrets.ts";

/**
 * A trace without secrets. Bodies are what a target sent: one that cannot be
 * redacted is left out, and ends no run.
 */
export function redactTrace(
  trace: Trace,
  secrets: Secrets,
): Redacted<Trace> {
  try {
    return redact(trace, secrets);
  } catch (error) {
    const spans = trace.spans.map((span): Span => ({
      ...span,
      ...(span.request && { request: withoutBody(span.request, error) }),
      ...(span.response && { response: withoutBody(span.response, error) }),
    }));
    return redact({ ...trace, spans }, secrets);
  }
}

function withoutBody(
  { body: _, ...message }: CapturedMessage,
  error: unknown,
): CapturedMessage {
  return { ...message, body: `(not stored: ${(error as Error).name})` };
}
