import type { Answer } from "./answer.ts";
import { HttpConnection } from "./connection.ts";
import { Deadline } from "../net/deadlines.ts";
import { DialAttempt } from "../net/dial_attempt.ts";
import { noAnswer } from "./http_answer.ts";
import { startMarks } from "../../model/result/reply.ts";
import type { Network } from "../net/network.ts";
import type { Origin } from "../net/origin.ts";
import { WireError } from "../net/wire_error.ts";

/** Said by name, so that a server that also speaks h2 does not choose it. */
const ALPN = ["http/1.1"];

/** The kept-alive connections of one VU: one for each origin. */
export class HttpConnections {
  readonly #network: Network;
  readonly #open = new Map<string, HttpConnection>();
  #closed = false;

  constructor(network: Network) {
    this.#network = network;
  }

  /**
   * Sends one request and reads its answer. Never rejects for trouble on the
   * wire: that is the answer's `failure`. A request is never sent twice.
   *
   * A connection the peer closed while it was idle, or is about to close by its
   * own word, is replaced first. A second
   * exchange with the same origin at the same time gets a connection of its
   * own. The answer's bytes hold until the next exchange with its origin.
   *
   * @param request the whole head and body
   * @param timeoutMs from here, the dial included, to the last byte
   */
  exchange(
    origin: Origin,
    method: string,
    request: Uint8Array,
    timeoutMs: number,
  ): Promise<Answer> {
    const connection = this.#open.get(origin.key);
    if (connection === undefined) {
      return this.#dial(origin, method, request, timeoutMs);
    }
    const now = this.#network.clock.now();
    return connection.readyAt(now)
      ? connection.exchange(method, request, timeoutMs, now)
      : this.#dial(origin, method, request, timeoutMs);
  }

  /** Closes every connection; exchanges under way end as `aborted`. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#open.values()) connection.close();
    this.#open.clear();
  }

  async #dial(
    origin: Origin,
    method: string,
    request: Uint8Array,
    timeoutMs: number,
  ): Promise<Answer> {
    const { clock, deadlines } = this.#network;
    this.#open.get(origin.key)?.retire();
    this.#open.delete(origin.key);
    const marks = startMarks(clock.now());
    const attempt = new DialAttempt(timeoutMs);
    const deadline = new Deadline(attempt);
    deadlines.start(deadline, marks.start, timeoutMs);
    try {
      this.#refuseWhenClosed();
      const stream = await this.#network.connect(origin, attempt, marks, ALPN);
      const connection = new HttpConnection(stream, clock, deadlines, deadline);
      if (this.#closed) connection.close();
      this.#refuseWhenClosed();
      // Another dial to the same origin may have been faster.
      this.#open.get(origin.key)?.retire();
      this.#open.set(origin.key, connection);
      return await connection.begin(method, request, marks);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      marks.end = clock.now();
      return noAnswer(error.failure, marks);
    } finally {
      // Until `begin` has ended the exchange, this deadline is the dial's.
      if (deadline.owner === attempt) deadlines.stop(deadline);
    }
  }

  #refuseWhenClosed(): void {
    if (!this.#closed) return;
    throw new WireError("aborted", "The connections of this VU were closed");
  }
}
