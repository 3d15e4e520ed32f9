import { BenchError } from "../../base/errors/bench_error.ts";
import type { Names, Scope } from "../../language/expressions/names.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import type { AuthScheme } from "../../language/flow/scheme.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { JsonObject } from "../../base/values/json.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { TokenSource } from "./token_source.ts";

/** A request as a signer sees it: rendered, final, about to be sent. */
export interface RequestDraft {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the `?`; empty when there is none. */
  readonly query: string;
  readonly body: Uint8Array;
}

/** What a scheme may use when it is made ready for a run. */
export interface AuthTools {
  readonly names: Names;
  readonly clock: Clock;
  /** Hides a derived secret (a Basic blob, a fetched token) from everything stored. */
  readonly registerSecret: (value: string) => void;
  /** Fetches and shares OAuth2 tokens for this run. */
  readonly tokens: TokenSource;
}

/** A header field, a query parameter or a cookie. */
export type Pair = readonly [name: string, value: TextTemplate];

/**
 * A scheme made ready: everything that does not depend on the attempt is
 * computed once.
 */
export interface Authorizer {
  /** Header fields whose values are templates, rendered with the request's own. */
  readonly headers?: readonly Pair[];
  /** Query parameters, likewise. */
  readonly query?: readonly Pair[];
  /** A `name=value` pair that joins the request's `Cookie` field. */
  readonly cookie?: Pair;
  /**
   * Called before each attempt. Returns a promise only when there is something
   * to wait for (a token to fetch), so that the hot path stays synchronous.
   *
   * @throws {AuthError} when no credential can be had
   */
  ready?(scope: Scope): Promise<void> | undefined;
  /**
   * The credential of a request that was sent at `sentAt` was refused, and the
   * request is to be repeated.
   */
  refused?(scope: Scope, sentAt: number): void;
  /** Fields computed from the final request, per attempt (HMAC, a fetched token). */
  sign?(draft: RequestDraft, scope: Scope): HeaderList;
  /** The names of those fields. */
  readonly signs?: readonly string[];
}

/** No credential could be had; the step fails with this message. */
export class AuthError extends BenchError {
  override readonly name = "AuthError";
  declare readonly code: string;

  constructor(
    code: string,
    message: string,
    /** Milliseconds until it is worth trying once more, where that is known. */
    readonly retryInMs?: number,
  ) {
    super(message, { code });
  }
}

/** One auth scheme: what the language has to know of it, and how it is done. */
export interface Scheme<Block extends JsonObject = JsonObject>
  extends AuthScheme<Block> {
  /** Compiles the block; runs once per step before the first request. */
  prepare(block: Block, tools: AuthTools): Authorizer;
}
