import { latin1 } from "../../net/ascii.ts";
import { Http2Error, tooManyFields } from "../frames/error.ts";
import { DynamicTable, ENTRY_OVERHEAD } from "./tables.ts";
import { huffmanDecode } from "./huffman.ts";

/** A field in the order of the block; names as they came. */
export type HeaderField = readonly [name: string, value: string];

/** The fields of a block. */
interface FieldList<Checked> {
  readonly fields: readonly HeaderField[];
  /** Set by the reader; there already when the same fields come again. */
  checked: Checked | undefined;
}

/** Blocks that are remembered with their fields. */
const REMEMBERED = 4;
/** A longer block is not remembered. */
const LONGEST_REMEMBERED = 256;

/** A longer value is decoded each time. */
const LONGEST_RECENT = 64;
/** How many are kept: sets by the hash of their value, the newest first. */
const SETS = 64;
const OF_A_SET = 4;

interface RecentField {
  readonly value: Uint8Array;
  readonly field: HeaderField;
}

/**
 * Fields that came lately, by their name and the bytes of their value, on any connection of
 * this thread: some servers write the same fields out in every response.
 *
 * A value is kept when it comes twice: one that is new in every response, such as an id,
 * would grow old here, and with it what the collector could have freed at once.
 */
class RecentFields {
  readonly #sets: readonly RecentField[][] = Array.from(
    { length: SETS },
    () => [],
  );
  /** Hashes of values that came once. */
  readonly #seen = new Int32Array(SETS * OF_A_SET);

  /** @param decode makes the value out of the bytes */
  of(
    name: string,
    bytes: Uint8Array,
    start: number,
    end: number,
    decode: () => string,
  ): HeaderField {
    if (end - start > LONGEST_RECENT) return [name, decode()];
    let hash = name.length;
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    }
    hash ^= hash >>> 16;
    const set = this.#sets[hash & SETS - 1]!;
    for (const { value, field } of set) {
      if (field[0] === name && isAt(bytes, start, end, value)) return field;
    }
    const field: HeaderField = [name, decode()];
    const slot = hash & this.#seen.length - 1;
    if (this.#seen[slot] !== hash) this.#seen[slot] = hash;
    else {
      if (set.length === OF_A_SET) set.pop();
      set.unshift({ value: bytes.slice(start, end), field });
    }
    return field;
  }
}

const recentFields = new RecentFields();

function isAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  expected: Uint8Array,
): boolean {
  if (end - start !== expected.length) return false;
  let at = 0;
  while (at < expected.length && expected[at] === bytes[start + at]) at++;
  return at === expected.length;
}

interface Remembered<Checked> {
  readonly block: Uint8Array;
  readonly list: FieldList<Checked>;
}

/**
 * Reads header blocks (RFC 7541). The blocks of one connection must all be read,
 * in order: they share a table.
 *
 * A block that changes nothing in the table and comes again gives the same list of
 * fields, so that the responses of a steady server cost a comparison of bytes. So does a
 * block with the same fields as the one before it, however they are written.
 */
export class HpackDecoder<Checked> {
  readonly #table: DynamicTable;
  readonly #mostSize: number;
  readonly #mostFields: number;
  readonly #remembered: Remembered<Checked>[] = [];
  #last: FieldList<Checked> = { fields: [], checked: undefined };
  #version = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;

  /**
   * @param tableSize what this side announced as SETTINGS_HEADER_TABLE_SIZE
   * @param mostFields the largest header list accepted, counted as
   *   SETTINGS_MAX_HEADER_LIST_SIZE counts (RFC 9113 section 6.5.2)
   */
  constructor(tableSize: number, mostFields: number) {
    this.#table = new DynamicTable(tableSize);
    this.#mostSize = tableSize;
    this.#mostFields = mostFields;
  }

  /**
   * Reads the whole block that lies in `bytes` from `start` to `end`.
   *
   * @throws {Http2Error} `COMPRESSION_ERROR`, or `ENHANCE_YOUR_CALM` when the
   *   list is larger than was allowed: a small block can stand for a huge list
   */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
  ): FieldList<Checked> {
    const known = this.#recall(bytes, start, end);
    if (known) return known;
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    const before = this.#table.version;
    const list = this.#listOf(this.#readAll());
    if (this.#table.version === before) this.#remember(list, start);
    return list;
  }

  /** The list of these fields: the one before, where it has the same. */
  #listOf(fields: readonly HeaderField[]): FieldList<Checked> {
    const last = this.#last;
    const isSame = fields.length === last.fields.length &&
      fields.every((field, index) => field === last.fields[index]);
    return isSame ? last : this.#last = { fields, checked: undefined };
  }

  #recall(
    bytes: Uint8Array,
    start: number,
    end: number,
  ): FieldList<Checked> | undefined {
    if (this.#version !== this.#table.version) {
      this.#remembered.length = 0;
      this.#version = this.#table.version;
      return undefined;
    }
    for (const { block, list } of this.#remembered) {
      if (isAt(bytes, start, end, block)) return list;
    }
    return undefined;
  }

  #remember(list: FieldList<Checked>, start: number): void {
    if (this.#end - start > LONGEST_REMEMBERED) return;
    if (this.#remembered.length === REMEMBERED) this.#remembered.shift();
    const block = this.#bytes.slice(start, this.#end);
    this.#remembered.push({ block, list });
  }

  /** RFC 7541 section 6. */
  #readAll(): readonly HeaderField[] {
    const fields: HeaderField[] = [];
    let size = 0;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at]!;
      if ((byte & 0xe0) === 0x20) {
        if (fields.length > 0) throw malformed("a table size comes too late");
        this.#resize();
        continue;
      }
      const field = byte >= 0x80
        ? this.#lookup(this.#integer(7))
        : this.#literal(byte);
      size += field[0].length + field[1].length + ENTRY_OVERHEAD;
      if (size > this.#mostFields) {
        throw tooManyFields(this.#mostFields);
      }
      fields.push(field);
    }
    return fields;
  }

  #resize(): void {
    const size = this.#integer(5);
    if (size > this.#mostSize) {
      throw malformed(`a table size of ${size} is above ${this.#mostSize}`);
    }
    this.#table.resize(size);
  }

  /** A literal, added to the table when its first bits say so. */
  #literal(byte: number): HeaderField {
    const indexed = (byte & 0x40) !== 0;
    const index = this.#integer(indexed ? 6 : 4);
    const name = index === 0 ? this.#string() : this.#lookup(index)[0];
    const start = this.#at;
    const length = this.#length();
    const huffman = this.#bytes[start]! >= 0x80;
    const from = this.#at - length;
    const field = recentFields.of(
      name,
      this.#bytes,
      start,
      this.#at,
      () => this.#text(huffman, from, from + length),
    );
    if (indexed) this.#table.add(field);
    return field;
  }

  #lookup(index: number): HeaderField {
    const field = this.#table.at(index);
    if (!field) throw malformed(`there is no field with the index ${index}`);
    return field;
  }

  /** RFC 7541 section 5.1. */
  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0;; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      if (shift > 21) throw malformed("a number is too long");
    }
  }

  /** RFC 7541 section 5.2. */
  #string(): string {
    const huffman = this.#bytes[this.#at]! >= 0x80;
    const length = this.#length();
    return this.#text(huffman, this.#at - length, this.#at);
  }

  /** The length of the string that comes next, which is passed over. */
  #length(): number {
    const length = this.#integer(7);
    this.#at += length;
    if (this.#at > this.#end) throw malformed("a string is cut short");
    return length;
  }

  #text(huffman: boolean, start: number, end: number): string {
    return huffman
      ? huffmanDecode(this.#bytes, start, end)
      : latin1(this.#bytes, start, end);
  }

  #byte(): number {
    if (this.#at === this.#end) throw malformed("it is cut short");
    return this.#bytes[this.#at++]!;
  }
}

function malformed(why: string): Http2Error {
  return new Http2Error(
    "COMPRESSION_ERROR",
    `the header block is malformed: ${why}`,
  );
}
