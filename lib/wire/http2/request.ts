import type { FieldBlock, RequestField } from "./hpack/encoder.ts";

/** A request as a connection sends it. */
export interface Http2Request {
  /** Pseudo-header fields first (RFC 9113 section 8.3). */
  readonly fields: readonly (FieldBlock | RequestField)[];
  readonly body: Uint8Array;
  /** The response has no body, whatever its fields say. */
  readonly head?: boolean;
}
