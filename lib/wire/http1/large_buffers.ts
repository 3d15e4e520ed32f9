/** So many bytes are kept for the next bodies: two of the longest. */
const MOST_KEPT_BYTES = 34 * 1024 * 1024;

/**
 * Buffers of long bodies, for all connections of a thread: one that is given back
 * serves the next body. Else each of them would be garbage of 16 MiB, of which the
 * collector lets a gigabyte gather before it looks.
 */
export class LargeBuffers {
  readonly #kept: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  /** A buffer of at least `size` bytes; what is in it is anybody's. */
  take(size: number): Uint8Array<ArrayBuffer> {
    let best = -1;
    for (let at = 0; at < this.#kept.length; at++) {
      const { length } = this.#kept[at]!;
      const fits = length >= size && length <= MOST_WASTE * size;
      if (fits && !(length >= (this.#kept[best]?.length ?? Infinity))) {
        best = at;
      }
    }
    if (best < 0) return new Uint8Array(size);
    const [buffer] = this.#kept.splice(best, 1);
    this.#bytes -= buffer!.length;
    return buffer!;
  }

  /** The buffer is not looked at any more: it is kept, or freed now. */
  give(buffer: Uint8Array<ArrayBuffer>): void {
    if (this.#bytes + buffer.length > MOST_KEPT_BYTES) {
      buffer.buffer.transfer(0);
      return;
    }
    this.#kept.push(buffer);
    this.#bytes += buffer.length;
  }
}

/** A small body in a large buffer would hold it. */
const MOST_WASTE = 4;

/** Of this thread. */
export const largeBuffers: LargeBuffers = new LargeBuffers();
