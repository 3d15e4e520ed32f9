import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { Span } from "../../lib/model/result/trace.ts";

/** A frame as browsers write it into a HAR log. */
interface SocketMessage {
  readonly type: "send" | "receive";
  /** Seconds since the epoch. */
  readonly time: number;
  /** 1 for text, 2 for binary (RFC 6455 section 5.2). */
  readonly opcode: 1 | 2;
  readonly data: string;
}

/**
 * The frames of the session that `handshake` opened, until its trace ends.
 *
 * @param roots the span of the step that every span belongs to
 */
export function socketMessages(
  spans: readonly Span[],
  handshake: Span,
  roots: ReadonlyMap<string, Span>,
  startedAt: number,
): SocketMessage[] {
  const sessionOf = ({ span_id }: Span) =>
    roots.get(span_id)?.attributes?.session;
  const session = sessionOf(handshake);
  if (session === undefined) return [];
  return spans.filter((span) =>
    span.name === "frames" && sessionOf(span) === session
  ).flatMap((span) => {
    const at = (us: number) => (startedAt + us / 1_000) / 1_000;
    return [
      ...frame("send", span.request, at(span.start_us)),
      ...frame("receive", span.response, at(span.start_us + span.duration_us)),
    ];
  });
}

function frame(
  type: SocketMessage["type"],
  message: CapturedMessage | undefined,
  time: number,
): SocketMessage[] {
  if (message?.body === undefined || !message.line.endsWith(" frame")) {
    return [];
  }
  const binary = message.body_encoding === "base64";
  return [{ type, time, opcode: binary ? 2 : 1, data: message.body }];
}
