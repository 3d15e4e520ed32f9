/** What a frame carries (RFC 6455 section 5.2). */
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
