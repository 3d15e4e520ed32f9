import { latin1 } from "../../net/ascii.ts";
import type { ByteWriter } from "../frames/byte_writer.ts";
import {
  DynamicTable,
  entrySize,
  fieldKey,
  STATIC_FIELDS,
  STATIC_NAMES,
  STATIC_TABLE,
} from "./tables.ts";
import { huffmanEncode, huffmanLength } from "./huffman.ts";

/** A field of a request. */
export interface RequestField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  /**
   * It changes from request to request, or is a credential that no proxy should
   * remember: it is sent as it is and stays out of the table.
   */
  readonly literal?: "once" | "never";
}

/** Fields that many requests share, such as all that a step knows before the run. */
export class FieldBlock {
  constructor(readonly fields: readonly RequestField[]) {}
}

interface EncodedBlock {
  readonly version: number;
  readonly bytes: Uint8Array;
}

const MOST_TABLE = 4_096;
const utf8 = new TextEncoder();

/**
 * Writes header blocks (RFC 7541) for one connection.
 *
 * A field enters the table as long as there is room and never pushes another
 * one out, so that after a few requests the table rests and a `FieldBlock` is
 * the same few bytes each time.
 */
export class HpackEncoder {
  readonly #table = new DynamicTable(MOST_TABLE);
  /** Numbers entries from 1; an index counts back from the newest. */
  readonly #entries = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #blocks = new WeakMap<FieldBlock, EncodedBlock>();
  #added = 0;
  /** The smallest size since the last block, when the server changed it. */
  #announce: number | undefined;

  /** The server's SETTINGS_HEADER_TABLE_SIZE. */
  setTableSize(size: number): void {
    const most = Math.min(size, MOST_TABLE);
    if (most === this.#table.maxSize) return;
    // Emptied first: what would have to leave need not be followed one by one.
    this.#table.resize(0);
    this.#table.resize(most);
    this.#entries.clear();
    this.#names.clear();
    this.#announce = most;
  }

  /** Appends the block of `parts`, in order. */
  encode(parts: Iterable<FieldBlock | RequestField>, out: ByteWriter): void {
    if (this.#announce !== undefined) {
      integer(out, 0x20, 5, 0);
      integer(out, 0x20, 5, this.#announce);
      this.#announce = undefined;
    }
    for (const part of parts) {
      if (part instanceof FieldBlock) this.#block(part, out);
      else this.#field(part, out);
    }
  }

  #block(block: FieldBlock, out: ByteWriter): void {
    const { version } = this.#table;
    const known = this.#blocks.get(block);
    if (known?.version === version) return out.append(known.bytes);
    const start = out.length;
    for (const field of block.fields) this.#field(field, out);
    if (this.#table.version !== version) return;
    this.#blocks.set(block, { version, bytes: out.copyFrom(start) });
  }

  #field({ name, value, literal }: RequestField, out: ByteWriter): void {
    const bytes = octets(value);
    if (literal !== undefined) {
      const first = literal === "never" ? 0x10 : 0;
      return this.#literal(out, first, 4, this.#nameIndex(name), name, bytes);
    }
    const key = fieldKey(name, bytes);
    const index = this.#indexOf(key);
    if (index !== undefined) return integer(out, 0x80, 7, index);
    const nameIndex = this.#nameIndex(name);
    if (!this.#fits(name, bytes)) {
      return this.#literal(out, 0, 4, nameIndex, name, bytes);
    }
    this.#literal(out, 0x40, 6, nameIndex, name, bytes);
    this.#add(key, name, bytes);
  }

  #literal(
    out: ByteWriter,
    first: number,
    prefixBits: number,
    nameIndex: number,
    name: string,
    value: string,
  ): void {
    integer(out, first, prefixBits, nameIndex);
    if (nameIndex === 0) string(out, name);
    string(out, value);
  }

  #fits(name: string, value: string): boolean {
    return entrySize(name, value) <= this.#table.free;
  }

  #add(key: string, name: string, value: string): void {
    this.#table.add([name, value]);
    this.#entries.set(key, ++this.#added);
    this.#names.set(name, this.#added);
  }

  #indexOf(key: string): number | undefined {
    const number = this.#entries.get(key);
    return number === undefined
      ? STATIC_FIELDS.get(key)
      : this.#indexOfEntry(number);
  }

  #nameIndex(name: string): number {
    const fixed = STATIC_NAMES.get(name);
    if (fixed !== undefined) return fixed;
    const number = this.#names.get(name);
    return number === undefined ? 0 : this.#indexOfEntry(number);
  }

  #indexOfEntry(number: number): number {
    return STATIC_TABLE.length + 1 + this.#added - number;
  }
}

/** A value as one character for each byte of its UTF-8. */
function octets(value: string): string {
  // deno-lint-ignore no-control-regex -- the range is what ASCII is
  if (/^[\x00-\x7f]*$/.test(value)) return value;
  const bytes = utf8.encode(value);
  return latin1(bytes, 0, bytes.length);
}

/** RFC 7541 section 5.1. */
function integer(
  out: ByteWriter,
  first: number,
  prefixBits: number,
  value: number,
): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) return out.byte(first | value);
  out.byte(first | mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    out.byte((rest & 0x7f) | 0x80);
  }
  out.byte(rest);
}

/** RFC 7541 section 5.2; Huffman-coded when that is shorter. */
function string(out: ByteWriter, text: string): void {
  const coded = huffmanLength(text);
  if (coded < text.length) {
    integer(out, 0x80, 7, coded);
    const at = out.reserve(coded);
    return huffmanEncode(text, out.bytes, at);
  }
  integer(out, 0, 7, text.length);
  const at = out.reserve(text.length);
  for (let index = 0; index < text.length; index++) {
    out.bytes[at + index] = text.charCodeAt(index);
  }
}
