/** What one token is fetched with; equal requests share one token. */
export interface TokenRequest {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Space-separated; empty for none. */
  readonly scope: string;
}

/** The same text for requests that share a token. */
export function tokenKey(request: TokenRequest): string {
  const { tokenUrl, clientId, clientSecret, scope } = request;
  return JSON.stringify([tokenUrl, clientId, clientSecret, scope]);
}

/** Access tokens of this run, shared by all VUs. */
export interface TokenSource {
  /** The token in hand, when it is good for more than 30 seconds from now. */
  current(request: TokenRequest): string | undefined;
  /**
   * Fetches or refreshes; concurrent calls share one fetch.
   *
   * @throws {AuthError} when the token endpoint gives no token
   */
  fetch(request: TokenRequest): Promise<string>;
}
