import type { Outbound } from "./outbound.ts";

/** What this side lets a server send before it has read it: of a stream, and of all of them. */
export const WINDOW = 1024 * 1024;

/** The server is given more room when this much was read. */
const ENOUGH = WINDOW / 2;

/** Gives back what was read, so that the server may go on (RFC 9113 section 5.2). */
export class ReceiveWindow {
  #ofConnection = 0;
  #ofStream = 0;

  /** Another stream begins. */
  begin(): void {
    this.#ofStream = 0;
  }

  /**
   * @param count bytes that were taken in, padding included
   * @param stream the one they belong to; 0 when it needs no more
   */
  took(count: number, stream: number, outbound: Outbound): void {
    this.#ofConnection += count;
    if (this.#ofConnection >= ENOUGH) {
      outbound.windowUpdate(0, this.#ofConnection);
      this.#ofConnection = 0;
    }
    if (stream === 0) return;
    this.#ofStream += count;
    if (this.#ofStream < ENOUGH) return;
    outbound.windowUpdate(stream, this.#ofStream);
    this.#ofStream = 0;
  }
}
