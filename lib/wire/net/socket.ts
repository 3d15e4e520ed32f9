import type { ByteStream } from "./byte_stream.ts";

/** How to trust servers, and what to show them. */
export interface TlsOptions {
  /** PEM, besides the usual authorities. */
  readonly caCerts: readonly string[];
  /** PEM of the client certificate; goes with `key`. */
  readonly cert?: string;
  readonly key?: string;
  /** No verification at all. */
  readonly insecure: boolean;
}

/** A stream that is ready to be used. */
export interface Connected {
  readonly stream: ByteStream;
  /** What the server chose of the protocols that were offered, if it chose any. */
  readonly protocol?: string;
}

/** A TCP connection that is not used yet. */
export interface Socket {
  plain(): ByteStream;
  /**
   * Runs the TLS handshake for the host of that name.
   *
   * @param alpn protocols to offer; nothing is offered when empty
   * @throws {WireError} `tls`
   */
  secure(host: string, alpn: readonly string[]): Promise<Connected>;
  /** Closes it in any state. */
  discard(): void;
}
