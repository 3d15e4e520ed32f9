import { createHash, createHmac } from "node:crypto";

export const ALGORITHMS = ["sha256", "sha512"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export const ENCODINGS = ["hex", "base64"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const NO_BODY = createHash("sha256").digest("hex");

/**
 * HMAC (RFC 2104) over the concatenation of `parts`; text counts in UTF-8.
 *
 * @returns lower-case hex, or base64 with padding
 */
export function signature(
  algorithm: Algorithm,
  key: string | Uint8Array,
  parts: readonly (string | Uint8Array)[],
  encoding: Encoding,
): string {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** SHA-256 of a body in lower-case hex, whatever the HMAC itself uses. */
export function bodyDigest(body: Uint8Array): string {
  return body.length === 0
    ? NO_BODY
    : createHash("sha256").update(body).digest("hex");
}
