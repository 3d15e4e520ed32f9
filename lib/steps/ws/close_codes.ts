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
export const TRY_AGAIN_LATER = 1013;

/**
 * Ends without anything wrong: done, leaving, or a close frame without a code,
 * as libraries send when they are not given one.
 */
export const GOOD_CLOSES: ReadonlySet<number> = new Set([1000, 1001, 1005]);

/** The connection ended without a close frame. */
export const ABNORMAL_CLOSURE = 1006;

/** A code with its name, such as `1011 (internal error)`. */
export function closeCodeText(code: number): string {
  const name = NAMES[code] ??
    (code >= 4000 ? "private use" : code >= 3000 ? "registered" : undefined);
  return name === undefined ? String(code) : `${code} (${name})`;
}
