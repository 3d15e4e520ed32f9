import { Buffer } from "node:buffer";

const { utf8Slice } = Buffer.prototype as unknown as {
  utf8Slice(this: Uint8Array, start: number, end: number): string;
};

/**
 * The bytes from `start` to before `end` as UTF-8 text; what is none becomes U+FFFD. A byte
 * order mark stays.
 */
export function utf8(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice.call(bytes, start, end);
}
