/** What one token is fetched with; equal requests share one token. */
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
