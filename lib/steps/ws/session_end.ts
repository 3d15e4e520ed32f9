import type { Failure } from "../../model/result/failure.ts";
import { CLOSE, type WebSocketError } from "../../wire/websocket/frame.ts";

/** Close codes by number (RFC 6455 section 7.4.1 and the IANA registry). */
const NAMES: Readonly<Record<number, string>> = {
  1000: "normal closure",
  1001: "going away",
  1002: "protocol error",
  1003: "unsupported data",
  1005: "no status received",
  1006: "abnormal closure",
  1007: "invalid frame payload data",
  1008: "policy violation",
  1009: "message too big",
  1010: "mandatory extension",
  1011: "internal error",
  1012: "service restart",
  1013: "try again later",
  1014: "bad gateway",
  1015: "TLS handshake",
  3000: "unauthorized",
  3003: "forbidden",
  3008: "timeout",
};

/** The server asks for fewer sessions; the WebSocket form of a 429. */
const TRY_AGAIN_LATER = 1013;

/**
 * Ends without anything wrong: done, leaving, or a close frame without a code,
 * as libraries send when they are not given one.
 */
export const GOOD_CLOSES: ReadonlySet<number> = new Set([1000, 1001, 1005]);

/** The connection ended without a close frame. */
export const ABNORMAL_CLOSURE = 1006;

/** A code with its name, such as `1011 (internal error)`. */
function closeCodeText(code: number): string {
  const name = NAMES[code] ??
    (code >= 4000 ? "private use" : code >= 3000 ? "registered" : undefined);
  return name === undefined ? String(code) : `${code} (${name})`;
}

/** Why nothing more comes on a session. */
export interface SessionEnd {
  readonly throttled: boolean;
  readonly failure: Failure;
  /** As the server closed it, such as `close 1011 (internal error)`. */
  readonly line?: string;
  readonly reason?: string;
}

export const GIVEN_UP: SessionEnd = {
  throttled: false,
  failure: {
    code: "aborted",
    message: "The run was stopped before the frame came",
  },
};

export const TIMED_OUT: SessionEnd = {
  throttled: false,
  failure: {
    code: "session",
    message: "the session is closed: an earlier step timed out on it",
  },
};

/** The server closed it, or its connection. */
export function closed(code: number, reason: string): SessionEnd {
  const named = closeCodeText(code);
  const message = code === ABNORMAL_CLOSURE
    ? `the connection ended without a close frame: code ${named}`
    : `the server closed the session with code ${named}${
      reason && `: ${reason}`
    }`;
  return {
    throttled: code === TRY_AGAIN_LATER,
    failure: { code: "closed", message },
    line: `close ${named}`,
    reason,
  };
}

/** The received bytes could not be read as frames. */
export function unreadable({ closeCode, message }: WebSocketError): SessionEnd {
  return {
    throttled: false,
    failure: closeCode === CLOSE.TOO_BIG
      ? { code: "too-large", message }
      : { code: "protocol", message: `protocol: ${message}` },
  };
}

/** `close code 1013 (try again later): come back at noon`. */
export function closeText({ line = "", reason }: SessionEnd): string {
  const text = line.replace("close", "close code");
  return reason ? `${text}: ${reason}` : text;
}
