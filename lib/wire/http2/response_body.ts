import { MAX_BODY_BYTES } from "../net/exchange_failure.ts";

const FIRST_BYTES = 1_024;
/** A buffer over this size is given back after its response. */
const KEPT_BYTES = 128 * 1024;

/** The body of the response under way, in a buffer that is used again. */
export class ResponseBody {
  /** Counts responses, so that a stale view of the buffer is recognised. */
  generation = 0;
  /** All bytes of the body, also those that were not kept. */
  received = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  /** Longer than what is kept: the rest is drained and dropped. */
  get tooLarge(): boolean {
    return this.received > MAX_BODY_BYTES;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets the last body; views of it are invalid from here on. */
  reset(): void {
    this.generation++;
    this.received = 0;
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) {
      this.#bytes = new Uint8Array(FIRST_BYTES);
    }
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.received += end - start;
    if (this.tooLarge) {
      this.#length = 0;
      return;
    }
    this.#makeRoom(end - start);
    // A short piece is copied faster by hand than through a view of it.
    if (end - start > 64) {
      this.#bytes.set(bytes.subarray(start, end), this.#length);
    } else {
      for (let at = start; at < end; at++) {
        this.#bytes[this.#length + at - start] = bytes[at]!;
      }
    }
    this.#length += end - start;
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(
      Math.max(this.#bytes.length * 2, this.#length + count),
    );
    larger.set(this.written);
    this.#bytes = larger;
  }
}
