import {
  AuthError,
  type Lease,
  type OldToken,
  type TokenRequest,
} from "../../steps/auth/scheme.ts";
import type { TokenKeeper } from "../../steps/auth/tokens.ts";
import type { TokenAsked, TokenResponse } from "./message.ts";

/**
 * Where a worker gets its tokens: its main thread, or the lead of a run of several
 * machines, fetches one for all of them.
 */
export class RemoteTokens {
  readonly #waiting = new Map<number, PromiseWithResolvers<Lease>>();
  #next = 0;
  #lost: AuthError | undefined;

  constructor(readonly post: (message: TokenAsked) => void) {}

  /** Asks for one. @throws {AuthError} when it has none */
  obtain(request: TokenRequest, old?: OldToken): Promise<Lease> {
    if (this.#lost) return Promise.reject(this.#lost);
    const id = this.#next++;
    const waiting = Promise.withResolvers<Lease>();
    this.#waiting.set(id, waiting);
    this.post({ type: "token", id, request, ...(old && { old }) });
    return waiting.promise;
  }

  /** No token will come any more. */
  lose(why: string): void {
    this.#lost = new AuthError("token-fetch", why);
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }

  /** There is a token, or an error. */
  settle(message: TokenResponse): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (!waiting) return;
    if ("lease" in message) return waiting.resolve(message.lease);
    const { code, message: text, retryInMs, status } = message.error;
    waiting.reject(new AuthError(code, text, retryInMs, status));
  }
}

/** Gets what a worker asked for. */
export async function sendToken(
  tokens: TokenKeeper,
  { id, request, old }: TokenAsked,
): Promise<TokenResponse> {
  try {
    return { type: "token", id, lease: await tokens.lease(request, old) };
  } catch (thrown) {
    const { code = "token-fetch", message, retryInMs, status } =
      thrown as AuthError;
    return { type: "token", id, error: { code, message, retryInMs, status } };
  }
}
