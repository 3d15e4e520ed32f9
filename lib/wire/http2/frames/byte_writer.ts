/** Bytes that are put together, in a buffer that grows and is used again. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(size = 256) {
    this.bytes = new Uint8Array(size);
  }

  /** The bytes so far; a view that holds until the next write. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow(1);
    this.bytes[this.length++] = value;
  }

  /** Big-endian. */
  uint16(value: number): void {
    this.byte((value >>> 8) & 0xff);
    this.byte(value & 0xff);
  }

  /** Big-endian. */
  uint32(value: number): void {
    this.uint16(value >>> 16);
    this.uint16(value & 0xffff);
  }

  append(bytes: Uint8Array): void {
    const at = this.reserve(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** Makes room for `count` bytes and returns where they start. */
  reserve(count: number): number {
    const at = this.length;
    if (at + count > this.bytes.length) this.#grow(count);
    this.length += count;
    return at;
  }

  /** The bytes written since `start`. */
  copyFrom(start: number): Uint8Array {
    return this.bytes.slice(start, this.length);
  }

  /** Empties it; a buffer larger than `most` is given back. */
  clear(most: number): void {
    this.length = 0;
    if (this.bytes.length > most) this.bytes = new Uint8Array(most);
  }

  #grow(count: number): void {
    const size = Math.max(this.bytes.length * 2, this.length + count);
    const larger = new Uint8Array(size);
    larger.set(this.written);
    this.bytes = larger;
  }
}
