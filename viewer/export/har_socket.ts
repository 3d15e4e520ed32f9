import type { CapturedMessage } from "../../lib/model/result/reply.ts";
import type { Span } from "../../lib/model/result/trace.ts";

/** The session that a step of the flow speaks on; undefined when none. */
export type SessionOf = (step: string) => string | undefined;

/** A frame as browsers write it into a HAR log. */
interface SocketMessage {
  readonly type: "send" | "receive";
  /** Seconds since the epoch. */
  readonly time: number;
  /** 1 for text, 2 for binary (RFC 6455 section 5.2). */
  readonly opcode: 1 | 2;
  readonly data: string;
}

/** Reads the sessions of a flow's steps from its canonical IR. */
export function sessionsOf(flow: string | undefined): SessionOf {
  const sessions = new Map<string, string>();
  try {
    const { steps } = JSON.parse(flow ?? "");
    for (const { id, kind, block } of steps) {
      if (kind === "ws") sessions.set(id, block?.session ?? "");
    }
  } catch {
    // Without a flow no frame can be assigned to a session.
  }
  return (step) => sessions.get(step);
}

/**
 * The frames of the session that `handshake` opened, until its trace ends.
 *
 * @param roots the step of every span
 */
export function socketMessages(
  spans: readonly Span[],
  handshake: Span,
  roots: ReadonlyMap<string, string>,
  sessionOf: SessionOf,
  startedAt: number,
): SocketMessage[] {
  const session = sessionOf(roots.get(handshake.span_id) ?? "");
  if (session === undefined) return [];
  return spans.filter((span) =>
    span.name === "frames" &&
    sessionOf(roots.get(span.span_id) ?? "") === session
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
