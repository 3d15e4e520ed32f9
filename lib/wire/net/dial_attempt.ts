import type { Phase } from "../../model/result/response.ts";
import type { Expiring } from "./deadlines.ts";
import { timedOut } from "./exchange_failure.ts";
import { WireError } from "./wire_error.ts";

/** What a dial is doing, in the words of its timeout message. */
const DOING = {
  dns: "looking up the host",
  connect: "connecting",
  tls: "in the TLS handshake",
} as const satisfies Partial<Record<Phase, string>>;

/** The part of a deadline that falls into the dial. */
export class DialAttempt implements Expiring {
  phase: keyof typeof DOING = "dns";
  readonly #late = new AbortController();
  #reject: (reason: unknown) => void = () => {};

  constructor(readonly timeoutMs: number) {}

  /** Aborts when the time is up, for work that can be stopped. */
  get signal(): AbortSignal {
    return this.#late.signal;
  }

  expire(): void {
    const { code, message } = timedOut(this.timeoutMs, DOING[this.phase]);
    this.#reject(new WireError(code, message));
    this.#late.abort();
  }

  /**
   * The outcome of `work`, or a `timeout` when the time is up first; what comes
   * after that is handed to `discard`.
   */
  race<T>(work: Promise<T>, discard: (late: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(
        (value) => this.signal.aborted ? discard(value) : resolve(value),
        reject,
      );
    });
  }
}
