import { Http2Error } from "./frames/error.ts";
import { FLAG, frameName } from "./frames/frame.ts";
import type { Frame } from "./frames/frame_reader.ts";

/** Where the payload lies without its padding (RFC 9113 section 6.1). */
export function unpadded(
  frame: Frame,
  bytes: Uint8Array,
  start: number,
): readonly [start: number, end: number] {
  if (!(frame.flags & FLAG.PADDED)) return [start, frame.end];
  if (start === frame.end) throw tooShort(frame);
  const end = frame.end - bytes[start]!;
  if (end > start) return [start + 1, end];
  throw broken(
    `the padding of ${frameName(frame.type)} is longer than its payload`,
  );
}

export function checkLength(frame: Frame, expectedLength: number): void {
  const length = frame.end - frame.start;
  if (length === expectedLength) return;
  throw new Http2Error(
    "FRAME_SIZE_ERROR",
    `${frameName(frame.type)} has ${length} bytes: expected ${expectedLength}`,
  );
}

export function tooShort(frame: Frame): Http2Error {
  return new Http2Error(
    "FRAME_SIZE_ERROR",
    `${frameName(frame.type)} has ${
      frame.end - frame.start
    } bytes, which is too few`,
  );
}

export function checkStream({ stream, type }: Frame): void {
  if (stream === 0) throw broken(`${frameName(type)} is of no stream`);
}

export function checkConnection({ stream, type }: Frame): void {
  if (stream === 0) return;
  throw broken(`${frameName(type)} is of stream ${stream}: expected 0`);
}

export function broken(why: string): Http2Error {
  return new Http2Error("PROTOCOL_ERROR", why);
}
