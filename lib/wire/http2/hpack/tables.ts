/** RFC 7541 appendix A; index 1 is the first. */
// deno-fmt-ignore
export const STATIC_TABLE: readonly (readonly [name: string, value: string])[] = [
  [":authority", ""], [":method", "GET"], [":method", "POST"], [":path", "/"], [":path", "/index.html"],
  [":scheme", "http"], [":scheme", "https"], [":status", "200"], [":status", "204"], [":status", "206"],
  [":status", "304"], [":status", "400"], [":status", "404"], [":status", "500"], ["accept-charset", ""],
  ["accept-encoding", "gzip, deflate"], ["accept-language", ""], ["accept-ranges", ""], ["accept", ""],
  ["access-control-allow-origin", ""], ["age", ""], ["allow", ""], ["authorization", ""], ["cache-control", ""],
  ["content-disposition", ""], ["content-encoding", ""], ["content-language", ""], ["content-length", ""],
  ["content-location", ""], ["content-range", ""], ["content-type", ""], ["cookie", ""], ["date", ""], ["etag", ""],
  ["expect", ""], ["expires", ""], ["from", ""], ["host", ""], ["if-match", ""], ["if-modified-since", ""],
  ["if-none-match", ""], ["if-range", ""], ["if-unmodified-since", ""], ["last-modified", ""], ["link", ""],
  ["location", ""], ["max-forwards", ""], ["proxy-authenticate", ""], ["proxy-authorization", ""], ["range", ""],
  ["referer", ""], ["refresh", ""], ["retry-after", ""], ["server", ""], ["set-cookie", ""],
  ["strict-transport-security", ""], ["transfer-encoding", ""], ["user-agent", ""], ["vary", ""], ["via", ""],
  ["www-authenticate", ""],
];

/** The index of a field, by name and value; the first one wins. */
export const STATIC_FIELDS: ReadonlyMap<string, number> = indexes(
  ([name, value]) => fieldKey(name, value),
);

/** The first index of a name. */
export const STATIC_NAMES: ReadonlyMap<string, number> = indexes(
  ([name]) => name,
);

/** A field as a key of a map. No name holds a line break. */
export function fieldKey(name: string, value: string): string {
  return `${name}\n${value}`;
}

function indexes(
  key: (field: readonly [string, string]) => string,
): Map<string, number> {
  return new Map(
    STATIC_TABLE.map((field, at) => [key(field), at + 1] as const).reverse(),
  );
}

/** The size of an entry besides its text (RFC 7541 section 4.1). */
export const ENTRY_OVERHEAD = 32;

/** The octets an entry counts for. */
export function entrySize(name: string, value: string): number {
  return name.length + value.length + ENTRY_OVERHEAD;
}

type Entry = readonly [name: string, value: string];

/** Entries that have left and are still in the list. */
const MOST_LEFT = 64;

/** Fields both sides of a connection remember, the newest first (RFC 7541 section 2.3.2). */
export class DynamicTable {
  /** Counts changes: what was computed from the table holds while it is the same. */
  version = 0;
  size = 0;
  /** The oldest first, behind those that have left. */
  #entries: Entry[] = [];
  #left = 0;
  #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get maxSize(): number {
    return this.#maxSize;
  }

  /** The field at an index of the static and the dynamic table. */
  at(index: number): Entry | undefined {
    if (index <= STATIC_TABLE.length) return STATIC_TABLE[index - 1];
    const at = this.#entries.length - (index - STATIC_TABLE.length);
    return at < this.#left ? undefined : this.#entries[at];
  }

  /** Room that an entry may take without another one leaving. */
  get free(): number {
    return this.#maxSize - this.size;
  }

  /** Adds an entry; older ones leave. One larger than the table empties it. */
  add(entry: Entry): void {
    this.version++;
    const size = entrySize(...entry);
    this.#shrinkTo(this.#maxSize - size);
    if (size > this.#maxSize) return;
    this.#entries.push(entry);
    this.size += size;
  }

  resize(maxSize: number): void {
    if (maxSize === this.#maxSize) return;
    this.version++;
    this.#maxSize = maxSize;
    this.#shrinkTo(maxSize);
  }

  #shrinkTo(size: number): void {
    const entries = this.#entries;
    while (this.size > size && this.#left < entries.length) {
      this.size -= entrySize(...entries[this.#left++]!);
    }
    if (this.#left <= MOST_LEFT) return;
    // In place: a server may add an entry with every field it sends.
    entries.copyWithin(0, this.#left);
    entries.length -= this.#left;
    this.#left = 0;
  }
}
