import { Http2Error } from "./frames/error.ts";
import { frameName } from "./frames/frame.ts";

const MOST = 1_000;
const WITHIN_MS = 5_000;

/**
 * Counts frames that bring no response forward. A server that sends nothing else
 * (SETTINGS, PING, RST_STREAM, empty frames: RFC 9113 section 10.5) would keep
 * this side busy for as long as it likes.
 */
export class FloodGuard {
  readonly #now: () => number;
  #left = MOST;
  #since = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws {Http2Error} `ENHANCE_YOUR_CALM` */
  count(type: number): void {
    if (--this.#left > 0) return;
    const now = this.#now();
    if (now - this.#since < WITHIN_MS) {
      throw new Http2Error(
        "ENHANCE_YOUR_CALM",
        `more than ${MOST} frames without content within ${
          WITHIN_MS / 1_000
        } s; the last one was ${frameName(type)}`,
      );
    }
    this.#since = now;
    this.#left = MOST;
  }
}
