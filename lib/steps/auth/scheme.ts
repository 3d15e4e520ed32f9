import { BenchError } from "../../base/errors/bench_error.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { JsonObject } from "../../base/values/json.ts";
import type {
  Names,
  Scope,
  TextTemplate,
} from "../../language/expressions/template.ts";
import type { AuthScheme } from "../../language/flow/registry.ts";

/** The request for one token; equal requests share one token. */
export interface TokenRequest {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Space-separated; empty for none. */
  readonly scope: string;
}

/** Access tokens of this run, shared by all VUs. */
export interface TokenSource {
  /**
   * The token to use now; undefined when none is valid. One that is about to
   * expire is renewed in the background and returned all the same.
   */
  current(request: TokenRequest): string | undefined;
  /**
   * Waits for a token; concurrent calls share one request.
   *
   * @throws {AuthError} when none can be had, at once while the token endpoint
   *   is left alone after a failure
   */
  fetch(request: TokenRequest): Promise<string>;
  /**
   * A request that was sent at `sentAt` with the current token was refused for
   * it: the token is not used again.
   */
  refused(request: TokenRequest, sentAt: number): void;
}

/** A token and how long it may be used. Not until when: every thread has a clock of its own. */
export interface Lease {
  readonly token: string;
  /** Milliseconds after which it is renewed, while it goes on being used. */
  readonly renewInMs: number;
  /** Milliseconds after which it is not used any more. */
  readonly endsInMs: number;
}

/** The token that a new one is to replace. */
export interface OldToken {
  readonly token: string;
  /** A request that carried it was refused. */
  readonly refused: boolean;
}

/**
 * Asks for a token: the token endpoint, or another thread that does.
 *
 * @throws {AuthError} when there is none
 */
export type ObtainToken = (
  request: TokenRequest,
  old?: OldToken,
) => Promise<Lease>;

/** A request as a signer sees it: rendered, final, about to be sent. */
export interface RequestDraft {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the `?`; empty when there is none. */
  readonly query: string;
  readonly body: Uint8Array;
}

/** The tools of a scheme that is made ready for a run. */
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
  /** Query parameters whose values are templates, rendered with the request's own. */
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

/** The code of an `AuthError` that is a throttle: the endpoint of the credential holds back. */
export const THROTTLED = "throttled";

/** No credential could be had; the step does not pass, for this reason. */
export class AuthError extends BenchError {
  override readonly name = "AuthError";
  declare readonly code: string;

  constructor(
    code: string,
    message: string,
    /** Milliseconds until it is worth trying once more, where that is known. */
    readonly retryInMs?: number,
    /** The status of its endpoint for which a step that lists it is retried. */
    readonly status?: number,
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
