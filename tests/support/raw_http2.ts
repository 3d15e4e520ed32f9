import { type RawConnection, type RawServer, rawServer } from "./raw_server.ts";

/*
 * An HTTP/2 server that says every frame itself (RFC 9113 section 4), for
 * responses that no library would send.
 */

const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const GOAWAY = 7;
const CONTINUATION = 9;

const END_STREAM = 1;
const END_HEADERS = 4;
const LARGEST = 16_384;

/** Responds to the request on a stream with frames of its own. */
export type Respond = (
  connection: RawConnection,
  stream: number,
) => Promise<void> | void;

/** Starts one; it serves every request of every connection with `respond`. */
export function rawHttp2(respond: Respond): RawServer {
  return rawServer(async (connection) => {
    await connection.send(frame(SETTINGS, 0, 0, []));
    let held: number[] = [];
    let prefaceLeft = 24;
    const buffer = new Uint8Array(64 * 1024);
    for (;;) {
      const count = await connection.conn.read(buffer);
      if (count === null) return;
      held.push(...buffer.subarray(0, count));
      if (held.length < prefaceLeft) continue;
      held = held.slice(prefaceLeft);
      prefaceLeft = 0;
      while (held.length >= 9) {
        const length = (held[0]! << 16) | (held[1]! << 8) | held[2]!;
        if (held.length < 9 + length) break;
        const [type, flags = 0, ...id] = held.slice(3, 9);
        held = held.slice(9 + length);
        if (type === SETTINGS && (flags & 1) === 0) {
          await connection.send(frame(SETTINGS, 1, 0, []));
        }
        const isRequest = type === DATA || type === HEADERS;
        if (isRequest && (flags & END_STREAM) !== 0) {
          await respond(connection, (id[2]! << 8) | id[3]!);
        }
      }
    }
  });
}

/** One frame. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: ArrayLike<number>,
): Uint8Array {
  const bytes = new Uint8Array(9 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, (payload.length << 8) | type);
  bytes[4] = flags;
  view.setUint32(5, stream);
  bytes.set(payload, 9);
  return bytes;
}

/** The frames of a header block, cut as the protocol wants. */
export function headerFrames(
  stream: number,
  block: Uint8Array,
  endStream = false,
): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < block.length; at += LARGEST) {
    const last = at + LARGEST >= block.length;
    const flags = (last ? END_HEADERS : 0) |
      (endStream && at === 0 ? END_STREAM : 0);
    const type = at === 0 ? HEADERS : CONTINUATION;
    frames.push(frame(type, flags, stream, block.subarray(at, at + LARGEST)));
  }
  return frames;
}

/** RST_STREAM with an error code (RFC 9113 section 7). */
export function reset(stream: number, code: number): Uint8Array {
  return frame(RST_STREAM, 0, stream, [0, 0, 0, code]);
}

/** GOAWAY: no stream above `last` was looked at. */
export function goAway(last: number, code: number): Uint8Array {
  return frame(GOAWAY, 0, 0, [0, 0, 0, last, 0, 0, 0, code]);
}

/** `:status: 200`, the eighth entry of the static table. */
export const STATUS_200 = Uint8Array.of(0x88);

/** A literal field (RFC 7541 section 6.2), into the dynamic table or not. */
export function literal(
  name: string,
  value: string,
  indexed = false,
): Uint8Array {
  return Uint8Array.from([indexed ? 0x40 : 0, ...text(name), ...text(value)]);
}

function text(of: string): number[] {
  const bytes = new TextEncoder().encode(of);
  return [...integer(bytes.length, 7), ...bytes];
}

/** An integer with a prefix of `bits` (RFC 7541 section 5.1). */
function integer(value: number, bits: number): number[] {
  const most = 2 ** bits - 1;
  if (value < most) return [value];
  const bytes = [most];
  for (let rest = value - most;; rest >>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** One field in the dynamic table, named again and again in a byte each. */
export function hpackBomb(times: number): Uint8Array {
  const field = literal("x", "y".repeat(3_900), true);
  const bytes = new Uint8Array(1 + field.length + times);
  bytes.set(STATUS_200);
  bytes.set(field, 1);
  // 62 is the newest entry of the dynamic table.
  bytes.fill(0x80 | 62, 1 + field.length);
  return bytes;
}

/** All of them in one array. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
