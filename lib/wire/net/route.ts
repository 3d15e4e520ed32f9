/** Which way connections go, where it is not the usual one. */
export interface RouteOptions {
  /** Addresses in place of a look-up, by `host:port`. */
  readonly resolve?: Readonly<Record<string, readonly string[]>>;
  /** Every connection is a tunnel through it. */
  readonly proxy?: ProxyOptions;
}

/** An HTTP proxy that opens tunnels (RFC 9110 section 9.3.6). */
export interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  /** Value of `Proxy-Authorization`. */
  readonly authorization?: string;
  /** What that says, which must not be stored: `user:password`, and each alone. */
  readonly secrets?: readonly string[];
}
