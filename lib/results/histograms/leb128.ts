/** How much more room is made than is needed. */
const ROOM = 1.5;
/** Bytes of the longest number: 53 bits. */
const LONGEST = 8;

/** Writes whole numbers one after the other: seven bits a byte, the lowest first. */
export class NumberWriter {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** All that was written: a view, which holds until the next number. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  write(value: number): void {
    const most = this.#length + LONGEST;
    if (most > this.#bytes.length) this.#grow(Math.ceil(most * ROOM));
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) {
      this.#bytes[this.#length++] = left % 128 | 128;
    }
    this.#bytes[this.#length++] = left;
  }

  /** Goes back to where so many bytes were written. */
  cut(length: number): void {
    this.#length = length;
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}

/** Reads them back. */
export class NumberReader {
  #at: number;

  constructor(readonly bytes: Uint8Array, from = 0) {
    this.#at = from;
  }

  get atEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** @throws {Error} when the bytes end within a number, or it is not a safe one */
  read(): number {
    const only = this.bytes[this.#at]!;
    if (only < 128) {
      this.#at++;
      return only;
    }
    let value = 0;
    for (let scale = 1; scale <= Number.MAX_SAFE_INTEGER; scale *= 128) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw new Error("a number is cut short");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Error("a number is too large");
  }
}
