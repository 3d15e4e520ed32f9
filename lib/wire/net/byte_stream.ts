/**
 * A connected stream of bytes, as `Deno.Conn` has it: TCP and TLS connections
 * fit without a wrapper.
 */
export interface ByteStream {
  /** Reads at least one byte into `into`; null, or 0, when the server has finished. */
  read(into: Uint8Array): Promise<number | null>;
  /** Writes some of `bytes`; resolves to how many. */
  write(bytes: Uint8Array): Promise<number>;
  /** Lets go of the socket; reads and writes under way reject. */
  close(): void;
}

/** Closes what may be gone already: it was the other side's to end as well. */
export function closeQuietly(stream: Pick<ByteStream, "close">): void {
  try {
    stream.close();
  } catch {
    // It is closed.
  }
}

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
  /** The protocol that the server chose of those offered, if it chose any. */
  readonly protocol?: string;
}

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
  /** The credentials in it, which must not be stored: `user:password`, and each alone. */
  readonly secrets?: readonly string[];
}
