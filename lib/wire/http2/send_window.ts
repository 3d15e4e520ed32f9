import { Http2Error } from "./frames/error.ts";
import { FIRST_WINDOW, MOST_WINDOW } from "./frames/frame.ts";

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
