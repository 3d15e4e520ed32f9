import type { Clock } from "../../base/time/clock.ts";

/** A connection that has something to write. */
export interface Sender {
  /** Writes it; `now` is the moment that its time counts from. */
  send(now: number): void;
}

/**
 * Requests on their way from VUs to connections, of one thread: those of one moment are
 * written one after the other, behind the work of all VUs with the responses of that moment.
 *
 * See docs/decisions/094-from-response-to-request.md.
 */
export class Outbox {
  readonly #clock: Clock;
  /** Kept, so that a moment allocates nothing. */
  readonly #senders: (Sender | undefined)[] = [];
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has it send soon: before the event loop takes its next turn. */
  add(sender: Sender): void {
    if (this.#count === 0) queueMicrotask(this.#sendAll);
    this.#senders[this.#count++] = sender;
  }

  readonly #sendAll = (): void => {
    for (let at = 0; at < this.#count; at++) {
      const sender = this.#senders[at]!;
      this.#senders[at] = undefined;
      sender.send(this.#clock.now());
    }
    this.#count = 0;
  };
}
