import type { CapturedMessage } from "../../model/result/response.ts";
import { type Trace, withMessages } from "../../model/result/trace.ts";
import { redact, type Redacted } from "./redacted.ts";
import type { Secrets } from "./secrets.ts";

/** Characters of a captured body that are stored, a side. */
const LIMIT = 64 * 1024;

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
    const body = `(not stored: ${(error as Error).name})`;
    const spans = withMessages(trace.spans, ({ body: _, ...message }) => ({
      ...message,
      body,
    }));
    return redact({ ...trace, spans }, secrets);
  }
}

/**
 * The trace with long bodies cut. Cutting comes after redaction, so that no
 * secret is cut in half and overlooked; a part of what is redacted is redacted.
 */
export function cutBodies(trace: Redacted<Trace>): Redacted<Trace> {
  return trace.spans.some(({ request, response }) =>
      isLong(request) || isLong(response)
    )
    ? { ...trace, spans: withMessages(trace.spans, cut) }
    : trace;
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
