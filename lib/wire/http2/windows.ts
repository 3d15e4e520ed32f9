import { Http2Error } from "./frames/error.ts";
import { FIRST_WINDOW, MOST_WINDOW } from "./frames/frame_reader.ts";
import type { Outbound } from "./outbound.ts";

/** The bytes that a server may send before they are read: of a stream, and of all of them. */
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

/**
 * How many bytes the server will take now (RFC 9113 section 5.2), on the
 * connection and on the one stream that is open. The stream's window can be
 * negative: the server may take back what it announced.
 */
export class SendWindow {
  #connection = FIRST_WINDOW;
  #stream = 0;

  get open(): number {
    return Math.min(this.#connection, this.#stream);
  }

  /** Another stream begins, with the window that every stream begins with. */
  begin(initial: number): void {
    this.#stream = initial;
  }

  spend(count: number): void {
    this.#connection -= count;
    this.#stream -= count;
  }

  /** @throws {Http2Error} `FLOW_CONTROL_ERROR` */
  widenConnection(count: number): void {
    this.#connection = widened(this.#connection, count, "connection");
  }

  /** @throws {Http2Error} `FLOW_CONTROL_ERROR`, for the stream alone */
  widenStream(count: number): void {
    this.#stream = widened(this.#stream, count, "stream");
  }

  /** INITIAL_WINDOW_SIZE changed by `difference` (RFC 9113 section 6.9.2). */
  shiftStream(difference: number): void {
    this.#stream = widened(this.#stream, difference, "connection");
  }
}

function widened(
  window: number,
  count: number,
  scope: "connection" | "stream",
): number {
  if (window + count <= MOST_WINDOW) return window + count;
  throw new Http2Error(
    "FLOW_CONTROL_ERROR",
    `a flow-control window grows to ${window + count}, above ${MOST_WINDOW}`,
    scope,
  );
}
