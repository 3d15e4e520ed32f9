import {
  COLON,
  CR,
  excerpt,
  fieldText,
  HTAB,
  latin1,
  LF,
  NAME_BYTE,
  SPACE,
  spells,
  VALUE_BYTE,
} from "../net/ascii.ts";
import { protocolError } from "../net/wire_error.ts";

/**
 * Where the fields of one head lie in its buffer. Only offsets are kept: a
 * field becomes text when somebody asks for it.
 */
export class Fields {
  /** Four offsets a field: name start, name end, value start, value end. */
  #offsets: number[] = [];
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /**
   * Reads the line from `start` to its LF at `lf` as one field
   * (RFC 9112 section 5) and returns its offset index.
   *
   * @throws {WireError} `protocol` when it is not a field
   */
  add(bytes: Uint8Array, start: number, lf: number): number {
    const end = lineEnd(bytes, start, lf);
    if (isBlank(bytes[start]!)) {
      throw protocolError("folded header line");
    }
    let at = start;
    while (at < end && NAME_BYTE[bytes[at]!] === 1) at++;
    if (bytes[at] !== COLON || at === start || at >= end) {
      throw badName(bytes, start, at, end);
    }
    const nameEnd = at++;
    while (at < end && isBlank(bytes[at]!)) at++;
    const valueStart = at;
    while (at < end && VALUE_BYTE[bytes[at]!] === 1) at++;
    if (at < end) throw badByte(bytes[at]!);
    while (at > valueStart && isBlank(bytes[at - 1]!)) at--;
    const index = this.#length;
    const offsets = this.#offsets;
    offsets[index] = start;
    offsets[index + 1] = nameEnd;
    offsets[index + 2] = valueStart;
    offsets[index + 3] = at;
    this.#length = index + 4;
    return index;
  }

  /**
   * Reads a line that the value before it goes on in: what is between them becomes
   * spaces (RFC 9112 section 5.2).
   *
   * @throws {WireError} `protocol` when there is none, or it frames the message
   */
  fold(bytes: Uint8Array, start: number, lf: number): void {
    const end = lineEnd(bytes, start, lf);
    const last = this.#length - 4;
    if (last < 0 || FRAMING.some((each) => this.nameIs(bytes, last, each))) {
      throw protocolError("folded header line");
    }
    let at = start;
    while (at < end && VALUE_BYTE[bytes[at]!] === 1) at++;
    if (at < end) throw badByte(bytes[at]!);
    while (at > start && isBlank(bytes[at - 1]!)) at--;
    const offsets = this.#offsets;
    // Blanks alone say nothing.
    if (at === start) return;
    let from = offsets[last + 3]!;
    if (from === offsets[last + 2]!) {
      from = start;
      while (isBlank(bytes[from]!)) from++;
      offsets[last + 2] = from;
    } else bytes.fill(SPACE, from, start);
    offsets[last + 3] = at;
  }

  nameLength(index: number): number {
    return this.#offsets[index + 1]! - this.#offsets[index]!;
  }

  nameIs(bytes: Uint8Array, index: number, lower: string): boolean {
    return spells(
      bytes,
      this.#offsets[index]!,
      this.#offsets[index + 1]!,
      lower,
    );
  }

  valueIs(bytes: Uint8Array, index: number, lower: string): boolean {
    return spells(
      bytes,
      this.#offsets[index + 2]!,
      this.#offsets[index + 3]!,
      lower,
    );
  }

  name(bytes: Uint8Array, index: number): string {
    return latin1(bytes, this.#offsets[index]!, this.#offsets[index + 1]!);
  }

  value(bytes: Uint8Array, index: number): string {
    return fieldText(
      latin1(bytes, this.#offsets[index + 2]!, this.#offsets[index + 3]!),
    );
  }

  /** A value of 1 to 15 digits, without making text of it; -1 for any other. */
  decimal(bytes: Uint8Array, index: number): number {
    const start = this.#offsets[index + 2]!;
    const end = this.#offsets[index + 3]!;
    if (end === start || end - start > 15) return -1;
    let number = 0;
    for (let at = start; at < end; at++) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  /** The first value of the field, which is given in lower case. */
  find(bytes: Uint8Array, lower: string): string | undefined {
    for (let index = 0; index < this.#length; index += 4) {
      if (this.nameIs(bytes, index, lower)) return this.value(bytes, index);
    }
    return undefined;
  }

  /** Every value of the field, which is given in lower case. */
  findAll(bytes: Uint8Array, lower: string): string[] {
    const values: string[] = [];
    for (let index = 0; index < this.#length; index += 4) {
      if (this.nameIs(bytes, index, lower)) {
        values.push(this.value(bytes, index));
      }
    }
    return values;
  }

  /** The fields in the order they came, or the first `most` of them. */
  list(bytes: Uint8Array, most = Infinity): [name: string, value: string][] {
    const all: [string, string][] = [];
    const end = Math.min(this.#length, 4 * most);
    for (let index = 0; index < end; index += 4) {
      all.push([this.name(bytes, index), this.value(bytes, index)]);
    }
    return all;
  }
}

/** Fields that say where a message ends: proxies may read a folded one otherwise. */
const FRAMING = ["content-length", "transfer-encoding", "connection"];

/**
 * Where the text of a line ends: before its CR LF.
 *
 * @throws {WireError} `protocol` when the LF is alone
 */
export function lineEnd(bytes: Uint8Array, start: number, lf: number): number {
  if (lf === start || bytes[lf - 1] !== CR) {
    throw protocolError("bare LF in the head");
  }
  return lf - 1;
}

/** The error for a byte that may not be in a value or reason phrase. */
export function badByte(byte: number): Error {
  if (byte === 0) return protocolError("NUL in the head");
  if (byte === CR) return protocolError("bare CR in the head");
  if (byte === LF) return protocolError("bare LF in the head");
  return protocolError(
    "control character in the head",
    `0x${byte.toString(16).padStart(2, "0")}`,
  );
}

function badName(
  bytes: Uint8Array,
  start: number,
  at: number,
  end: number,
): Error {
  if (at > start && at < end && isBlank(bytes[at]!)) {
    return protocolError("white space before the colon");
  }
  const bad = bytes[at]!;
  if (at < end && VALUE_BYTE[bad] === 0) return badByte(bad);
  return protocolError(
    "bad header name",
    excerpt(bytes, start, end),
  );
}

export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === HTAB;
}
