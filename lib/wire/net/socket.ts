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
