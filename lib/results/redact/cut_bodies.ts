import type { CapturedMessage } from "../../model/result/response.ts";
import type { Span, Trace } from "../../model/result/trace.ts";
import type { Redacted } from "./redacted.ts";

/** Characters of a captured body that are stored, a side. */
const LIMIT = 64 * 1024;

/**
 * The trace with long bodies cut. Cutting comes after redaction, so that no
 * secret is cut in half and overlooked; a part of what is redacted is redacted.
 */
export function cutBodies(trace: Redacted<Trace>): Redacted<Trace> {
  if (
    !trace.spans.some((span) => isLong(span.request) || isLong(span.response))
  ) {
    return trace;
  }
  const spans = trace.spans.map((span): Span => ({
    ...span,
    ...(span.request && { request: cut(span.request) }),
    ...(span.response && { response: cut(span.response) }),
  }));
  return { ...trace, spans };
}

function isLong(message: CapturedMessage | undefined): boolean {
  return (message?.body?.length ?? 0) > LIMIT;
}

function cut(message: CapturedMessage): CapturedMessage {
  if (!isLong(message)) return message;
  // The limit is a multiple of four, so that base64 stays whole groups. Half a
  // surrogate pair is no character.
  const body = message.body!.slice(0, LIMIT).replace(/[\ud800-\udbff]$/, "");
  return { ...message, body, body_truncated: true };
}
