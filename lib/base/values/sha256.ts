/** Hex SHA-256 of no bytes (FIPS 180-4). */
export const SHA256_OF_NOTHING =
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Hex SHA-256 of a text's UTF-8. For what every start needs: Web Crypto is there,
 * `node:crypto` takes 8 ms to load.
 */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(hash).toHex();
}
