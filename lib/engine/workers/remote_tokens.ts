import { AuthError } from "../../steps/auth/scheme.ts";
import type {
  Lease,
  OldToken,
  TokenRequest,
} from "../../steps/auth/token_source.ts";
import type { FromWorker, ToWorker } from "./message.ts";

/** Where a worker thread gets its tokens: the main thread fetches one for all of them. */
export class RemoteTokens {
  readonly #waiting = new Map<number, PromiseWithResolvers<Lease>>();
  #next = 0;

  constructor(readonly post: (message: FromWorker) => void) {}

  /** Asks the main thread. @throws {AuthError} when it has none */
  obtain(request: TokenRequest, old?: OldToken): Promise<Lease> {
    const id = this.#next++;
    const waiting = Promise.withResolvers<Lease>();
    this.#waiting.set(id, waiting);
    this.post({ type: "token", id, request, ...(old && { old }) });
    return waiting.promise;
  }

  /** The main thread has a token, or an error. */
  settle(message: Extract<ToWorker, { type: "token" }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (!waiting) return;
    if ("lease" in message) return waiting.resolve(message.lease);
    const { code, message: text, retryInMs } = message.error;
    waiting.reject(new AuthError(code, text, retryInMs));
  }
}
