import { createHash } from "node:crypto";

export const ALGORITHMS = ["sha256", "sha512"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

export const ENCODINGS = ["hex", "base64"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Bytes of one block of each hash (RFC 6234 section 1). */
const BLOCK: Readonly<Record<Algorithm, number>> = { sha256: 64, sha512: 128 };

const NO_BODY = createHash("sha256").digest("hex");

/** A key made ready for one algorithm. */
export interface SigningKey {
  readonly algorithm: Algorithm;
  /** The key, filled up to a block, mixed with 0x36 and with 0x5c. */
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** Prepares a key; text counts in UTF-8 (RFC 2104 section 2). */
export function signingKey(
  algorithm: Algorithm,
  key: string | Uint8Array,
): SigningKey {
  const bytes = typeof key === "string" ? new TextEncoder().encode(key) : key;
  const block = new Uint8Array(BLOCK[algorithm]);
  block.set(
    bytes.length > block.length
      ? createHash(algorithm).update(bytes).digest()
      : bytes,
  );
  return {
    algorithm,
    inner: block.map((byte) => byte ^ 0x36),
    outer: block.map((byte) => byte ^ 0x5c),
  };
}

/**
 * HMAC over the concatenation of `parts`; text counts in UTF-8. Made of two
 * plain hashes because Deno's `createHmac` takes more than twice as long, and
 * this runs for every request.
 *
 * @returns lower-case hex, or base64 with padding
 */
export function signature(
  { algorithm, inner, outer }: SigningKey,
  parts: readonly (string | Uint8Array)[],
  encoding: Encoding,
): string {
  const message = createHash(algorithm).update(inner);
  for (const part of parts) message.update(part);
  return createHash(algorithm).update(outer).update(message.digest())
    .digest(encoding);
}

/** SHA-256 of a body in lower-case hex, whatever the HMAC itself uses. */
export function bodyDigest(body: Uint8Array): string {
  return body.length === 0
    ? NO_BODY
    : createHash("sha256").update(body).digest("hex");
}
