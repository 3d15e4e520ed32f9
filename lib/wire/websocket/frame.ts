import { isUtf8 } from "node:buffer";

/** The kinds of frames (RFC 6455 section 5.2). */
export const OPCODE = {
  CONTINUATION: 0x0,
  TEXT: 0x1,
  BINARY: 0x2,
  CLOSE: 0x8,
  PING: 0x9,
  PONG: 0xa,
} as const;

/** Set on the last frame of a message. */
export const FIN = 0x80;
/** Bits of extensions, none of which is ever agreed on. */
export const RESERVED = 0x70;
/** Set on a frame whose payload is masked, as every frame of a client is. */
export const MASKED = 0x80;

/** The most a control frame may carry (RFC 6455 section 5.5). */
export const MOST_CONTROL_BYTES = 125;

/** A message may be this long. */
export const MOST_MESSAGE_BYTES: number = 16 * 1024 * 1024;

/** Codes this side closes with (RFC 6455 section 7.4.1). */
export const CLOSE = {
  NORMAL: 1000,
  PROTOCOL_ERROR: 1002,
  NO_STATUS: 1005,
  ABNORMAL: 1006,
  INVALID_PAYLOAD: 1007,
  TOO_BIG: 1009,
} as const;

/** The server broke a rule of RFC 6455; the code is sent to it. */
export class WebSocketError extends Error {
  override readonly name = "WebSocketError";

  constructor(readonly closeCode: number, message: string) {
    super(message);
  }
}

/** How a server closed. */
export interface Closing {
  /** 1005 when the frame has no code, 1006 when there was no frame. */
  readonly code: number;
  readonly reason: string;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The connection ended without a close frame. */
export const WITHOUT_FRAME: Closing = { code: CLOSE.ABNORMAL, reason: "" };

/**
 * The payload of a close frame (RFC 6455 section 5.5.1).
 *
 * @throws {WebSocketError} when it is not one
 */
export function readClose(payload: Uint8Array): Closing {
  if (payload.length === 0) return { code: CLOSE.NO_STATUS, reason: "" };
  if (payload.length === 1) {
    throw new WebSocketError(
      CLOSE.PROTOCOL_ERROR,
      "a close frame has half a code",
    );
  }
  const code = (payload[0]! << 8) | payload[1]!;
  if (!mayBeSent(code)) {
    throw new WebSocketError(
      CLOSE.PROTOCOL_ERROR,
      `a close frame has the code ${code}, which is never sent`,
    );
  }
  checkText(payload, 2, payload.length, "the reason of a close");
  return { code, reason: decoder.decode(payload.subarray(2)) };
}

/** A close frame's payload with a code and no reason. */
export function closePayload(code: number): Uint8Array {
  return Uint8Array.of(code >> 8, code & 0xff);
}

/** A longer text is looked at faster by the runtime. */
const SHORT_TEXT = 256;

/**
 * Makes sure that the bytes of a message, or of what else is named, are text.
 *
 * @throws {WebSocketError} when it is not UTF-8 (RFC 6455 section 8.1)
 */
export function checkText(
  bytes: Uint8Array,
  start = 0,
  end: number = bytes.length,
  what = "a text message",
): void {
  if (end - start <= SHORT_TEXT && isAscii(bytes, start, end)) return;
  if (isUtf8(bytes.subarray(start, end))) return;
  throw new WebSocketError(CLOSE.INVALID_PAYLOAD, `${what} is not valid UTF-8`);
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 0;
  for (let index = start; index < end; index++) all |= bytes[index]!;
  return all < 0x80;
}

/** RFC 6455 section 7.4 and the IANA registry: 1004 to 1006 and 1015 never travel. */
function mayBeSent(code: number): boolean {
  return code >= 3000 ? code < 5000 : code >= 1000 && code <= 1014 &&
    !(code >= 1004 && code <= 1006);
}
