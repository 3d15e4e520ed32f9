import type { ByteStream } from "../net/byte_stream.ts";

/** A stream that speaks another protocol now. */
export interface Upgraded {
  readonly stream: ByteStream;
  /** Bytes of it that came with the response. */
  readonly rest: Uint8Array;
}
