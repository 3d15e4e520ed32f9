import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { ELLIPSIS } from "./unescaped.ts";

/** Digits of one base. */
interface Base {
  /** The value of each, by ASCII code; negative for other characters. */
  readonly values: Int8Array;
  readonly bits: number;
  /** Bits from one place where a byte may begin to the next. */
  readonly step: number;
}

/** A line break between digits, as mail and PEM files have them. */
const BREAK = -2;

/** Both alphabets of base64 (RFC 4648 sections 4 and 5). */
const BASE64 = baseOf(
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"],
  6,
);
for (const [digit, value] of [["+", 62], ["-", 62], ["/", 63], ["_", 63]]) {
  BASE64.values[String(digit).charCodeAt(0)] = Number(value);
}
const BASE32 = baseOf(
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "abcdefghijklmnopqrstuvwxyz"],
  5,
);

function baseOf(alphabets: readonly string[], bits: number): Base {
  const values = new Int8Array(128).fill(-1);
  values[0x0a] = values[0x0d] = BREAK;
  for (const digits of alphabets) {
    for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i;
  }
  return { values, bits, step: bits % 2 === 0 ? 2 : 1 };
}

/** Digits of a run that is looked into, beyond those that a secret alone has. */
const LEAST_BASE64 = 11;
const LEAST_BASE32 = 12;
/** Rows of decoded bytes are kept apart from each other. */
const APART = "\uffff";
/** Of decompressed text more is not looked at. */
const MOST_INFLATED = 1 << 20;

const HEX = /(?:0x)?[\da-f]{2}(?:[:\-, \r\n]{0,2}(?:0x)?[\da-f]{2}){3,}/gi;
const DECIMAL = /\d{1,3}(?:[\s,;]+\d{1,3}){3,}/g;
/** As many as `DECIMAL` has at the least. */
const LEAST_BYTES = 4;
/** How gzip, and zlib at each of its levels, begin in base64. */
const COMPRESSED =
  /(?:H4sI|e(?:A[E-H]|F[4-7]|J[w-z]|N[o-r]))[\w+/-]{8,}(?:[\r\n]+[\w+/-]+)*/g;

/**
 * The texts that digits decode to: base64, base32, hexadecimal, lists of bytes
 * as `Buffer` writes them or with spaces, and what is compressed in them. Undefined
 * for what is surely compressed and cannot be read.
 *
 * @param likely by byte, 1 for one that a secret or its encodings are made of
 * @param least characters of the shortest text that is looked for
 */
export function* digitTexts(
  text: string,
  likely: Uint8Array,
  least: number,
): Generator<string | undefined> {
  const most = Math.ceil((least + 1) * 8 / 6);
  yield rowsOf(text, BASE64, Math.min(LEAST_BASE64, most), likely, least);
  yield rowsOf(text, BASE32, LEAST_BASE32, likely, least);
  for (const { 0: run, index } of text.matchAll(COMPRESSED)) {
    const end = endOf(text, index + run.length);
    yield inflated(Buffer.from(run, "base64"), end);
  }
  const rows = (bytes: Buffer, end = "") =>
    likelyRows(bytes, likely, least, end);
  for (const { 0: run, index } of text.matchAll(HEX)) {
    const digits = run.replaceAll(/0x|[^\da-f]/gi, "");
    const end = endOf(text, index + run.length);
    const bytes = Buffer.from(digits, "hex");
    yield rows(bytes, end);
    yield rows(Buffer.from(digits.slice(1), "hex"), end);
    if (isCompressed(bytes)) yield inflated(bytes, end);
  }
  for (const { 0: run, index } of text.matchAll(DECIMAL)) {
    const numbers = run.split(/[\s,;]+/).map(Number);
    const cut = endOf(text, index + run.length);
    // What a cut left of a number is another.
    if (cut) numbers.pop();
    let from = 0;
    for (let at = 0; at <= numbers.length; at++) {
      // A larger number is no byte, and may be beside some.
      if (at < numbers.length && numbers[at]! <= 0xff) continue;
      const bytes = Buffer.from(numbers.slice(from, at));
      from = at + 1;
      const end = at === numbers.length ? cut : "";
      if (bytes.length < LEAST_BYTES && end === "") continue;
      yield rows(bytes, end);
      if (isCompressed(bytes)) yield inflated(bytes, end);
    }
  }
}

/** That a run was cut off, perhaps amid what stands for a byte. */
function endOf(text: string, at: number): string {
  return /^[:\-, x\da-f]{0,5}\u2026/i.test(text.slice(at, at + 6))
    ? ELLIPSIS
    : "";
}

/**
 * The rows of bytes that a secret may be in, one a character.
 *
 * @param end what follows the last byte
 */
export function likelyRows(
  bytes: Buffer,
  likely: Uint8Array,
  least: number,
  end = "",
): string {
  let found = "";
  let from = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && likely[bytes[at]!] === 1) continue;
    const after = at === bytes.length ? end : "";
    if (at - from >= least || after !== "") {
      found += bytes.toString("latin1", from, at) + after + APART;
    }
    from = at + 1;
  }
  return found;
}

/** Whether bytes begin as gzip (RFC 1952 section 2.3.1) or zlib (RFC 1950 section 2.2) does. */
function isCompressed([first = 0, second = 0]: Buffer): boolean {
  return first === 0x1f && second === 0x8b ||
    first === 0x78 && (first * 256 + second) % 31 === 0;
}

/**
 * Undefined for gzip that does not say what is in it.
 *
 * @param end what follows the last byte: of what was cut off as much as can be read
 */
function inflated(bytes: Buffer, end: string): string | undefined {
  const options = {
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
    maxOutputLength: MOST_INFLATED,
  };
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
  // Most of what looks compressed is not. Without a stack that says so at less cost,
  // and Deno reads no sources for one: a run may have used up its descriptors.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return (isGzip ? zlib.gunzipSync : zlib.inflateSync)(bytes, options)
      .toString("latin1") + end;
  } catch {
    return isGzip ? undefined : "";
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** By the bit at which a byte ends: those of the row that is being read. */
const rows = Array.from({ length: 8 }, () => new Uint8Array(0));
const counts = new Int32Array(8);

/**
 * The rows of likely bytes in runs of digits, wherever in a run they begin: words
 * run into each other, as in `/path/aGVsbG8`.
 */
function rowsOf(
  text: string,
  base: Base,
  digits: number,
  likely: Uint8Array,
  least: number,
): string {
  let found = "";
  for (let at = 0; at < text.length; at++) {
    if (valueAt(text, at, base) < 0) continue;
    let [end, count] = [at, 0];
    for (; end < text.length; end++) {
      const value = valueAt(text, end, base);
      if (value >= 0) count++;
      else if (value !== BREAK) break;
    }
    if (count >= digits) {
      found += rowsOfRun(text, at, end, base, likely, least);
    }
    at = end;
  }
  return found;
}

function valueAt(text: string, at: number, { values }: Base): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? values[unit]! : -1;
}

function rowsOfRun(
  text: string,
  from: number,
  to: number,
  base: Base,
  likely: Uint8Array,
  least: number,
): string {
  const { bits, step } = base;
  if (rows[0]!.length < to - from) rows.fill(new Uint8Array(0)).forEach(grow);
  function grow(_: unknown, i: number) {
    rows[i] = new Uint8Array(2 * (to - from));
  }
  counts.fill(0);
  let found = "";
  let [held, total] = [0, 0];
  const close = (phase: number, after: string) => {
    const count = counts[phase]!;
    counts[phase] = 0;
    if (count < least && after === APART || count === 0) return;
    const bytes = rows[phase]!;
    found += Buffer.from(bytes.buffer, 0, count).toString("latin1") + after;
  };
  for (let at = from; at < to; at++) {
    const value = valueAt(text, at, base);
    if (value < 0) continue;
    held = (held << bits | value) & 0xffff;
    total += bits;
    for (let behind = bits - step; behind >= 0; behind -= step) {
      if (total - behind < 8) continue;
      const byte = held >> behind & 0xff;
      const phase = (total - behind) & 7;
      if (likely[byte] === 1) rows[phase]![counts[phase]!++] = byte;
      else if (counts[phase] !== 0) close(phase, APART);
    }
  }
  const after = text[to] === ELLIPSIS ? ELLIPSIS + APART : APART;
  for (let phase = 0; phase < 8; phase++) close(phase, after);
  return found;
}
