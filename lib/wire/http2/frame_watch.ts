const FRAME_HEAD = 9;
const HEADERS = 1;
const RST_STREAM = 3;
const CONTINUATION = 9;

/**
 * Looks at the frames that come (RFC 9113 section 4.1), because the library does
 * not say whether it was the peer that reset a stream or itself.
 */
export class FrameWatch {
  /** Head of the frame under way, and the code of a reset behind it. */
  readonly #head = new Uint8Array(FRAME_HEAD + 4);
  #have = 0;
  /** Bytes of the frame that are still to come and are not looked at. */
  #skip = 0;
  #resets: Map<number, number> | undefined;
  /** Bytes of header blocks since the latest `begin`. */
  headerBytes = 0;

  /** A request follows; what came before does not matter to it. */
  begin(): void {
    this.headerBytes = 0;
    this.#resets = undefined;
  }

  /** The code the peer reset a stream with; undefined when it did not. */
  resetOf(stream: number): number | undefined {
    return this.#resets?.get(stream);
  }

  see(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length - at);
        this.#skip -= skipped;
        at += skipped;
        continue;
      }
      this.#head[this.#have++] = bytes[at++]!;
      if (this.#have >= FRAME_HEAD) this.#look();
    }
  }

  #look(): void {
    const head = this.#head;
    const length = (head[0]! << 16) | (head[1]! << 8) | head[2]!;
    const type = head[3];
    if (type === RST_STREAM && length === 4) {
      if (this.#have < head.length) return;
      const view = new DataView(head.buffer);
      const stream = view.getUint32(5) & 0x7fffffff;
      (this.#resets ??= new Map()).set(stream, view.getUint32(FRAME_HEAD));
    } else {
      this.#skip = length;
      if (type === HEADERS || type === CONTINUATION) this.headerBytes += length;
    }
    this.#have = 0;
  }
}
