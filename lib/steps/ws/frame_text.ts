import { utf8 } from "../../base/values/utf8.ts";
import type { WsFrame } from "./frame.ts";

/** A longer text is kept as one: frames of that length are few. */
const MOST_BYTES = 1024;
/** Rooms are cut out of arrays of this size, each of which may have many owners. */
const SLAB_BYTES = 32 * 1024;
const ROOM_STEP = 16;

let slab = new Uint8Array(0);
let used = 0;

/**
 * The text of a frame, as bytes in a room that the next text is written into. A string
 * of each frame would be old by the end of a long iteration, and few of them are ever read.
 */
export class FrameText {
  #bytes = slab;
  #start = 0;
  #room = 0;
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Takes over the text of a frame; false when it is too long. */
  take(frame: WsFrame): boolean {
    const { length } = frame;
    if (length > MOST_BYTES) return false;
    if (length > this.#room) this.#makeRoom(length);
    frame.copyTo(this.#bytes, this.#start);
    this.#length = length;
    return true;
  }

  /** Writes its bytes into others, from `at` on; returns where they end. */
  copyTo(bytes: Uint8Array, at: number): number {
    const end = this.#start + this.#length;
    bytes.set(this.#bytes.subarray(this.#start, end), at);
    return at + this.#length;
  }

  decode(): string {
    return utf8(this.#bytes, this.#start, this.#start + this.#length);
  }

  #makeRoom(least: number): void {
    // Twice as much as before, so that texts of growing length leave little behind.
    const needed = Math.max(least, this.#room * 2);
    const room = Math.ceil(needed / ROOM_STEP) * ROOM_STEP;
    if (used + room > slab.length) {
      slab = new Uint8Array(SLAB_BYTES);
      used = 0;
    }
    this.#bytes = slab;
    this.#start = used;
    this.#room = room;
    used += room;
  }
}
