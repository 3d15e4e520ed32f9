import { AuthError } from "../../steps/auth/scheme.ts";
import {
  tokenKey,
  type TokenRequest,
  type TokenSource,
} from "../../steps/auth/token_source.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { FromWorker, ToWorker } from "./message.ts";

/** A worker asks again this often, so that a refreshed token reaches it. */
const TRUSTED_MS = 1_000;

/** Tokens of a worker thread: the main thread fetches one for all of them. */
export class RemoteTokens implements TokenSource {
  readonly #held = new Map<string, { token: string; until: number }>();
  readonly #pending = new Map<string, Promise<string>>();
  readonly #answers = new Map<
    number,
    PromiseWithResolvers<string>
  >();
  #next = 0;

  constructor(
    readonly post: (message: FromWorker) => void,
    readonly clock: Clock,
  ) {}

  current(request: TokenRequest): string | undefined {
    const held = this.#held.get(tokenKey(request));
    return held && this.clock.now() < held.until ? held.token : undefined;
  }

  fetch(request: TokenRequest): Promise<string> {
    const key = tokenKey(request);
    let pending = this.#pending.get(key);
    if (!pending) {
      pending = this.#ask(request)
        .then((token) => {
          const until = this.clock.now() + TRUSTED_MS;
          this.#held.set(key, { token, until });
          return token;
        })
        .finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }

  /** The main thread's answer. */
  answer(message: Extract<ToWorker, { type: "token" }>): void {
    const waiting = this.#answers.get(message.id);
    this.#answers.delete(message.id);
    if (!waiting) return;
    const { token, error } = message;
    if (token !== undefined) waiting.resolve(token);
    else waiting.reject(new AuthError(error!.code, error!.message));
  }

  #ask(request: TokenRequest): Promise<string> {
    const id = this.#next++;
    const waiting = Promise.withResolvers<string>();
    this.#answers.set(id, waiting);
    this.post({ type: "token", id, request });
    return waiting.promise;
  }
}
