/*
 * What a secret becomes where it is not encoded but rewritten: on its way to the
 * wire, or by who reads it.
 */

/** Bytes that are looked for must not be found everywhere. */
const FEWEST_BYTES = 4;
const FEWEST_KINDS = 3;

/**
 * Other texts that give a secret away: trimmed, in lower case as names of hosts
 * and headers are shown, with other line ends.
 */
export function otherTexts(value: string): string[] {
  const texts = [
    value.trim(),
    value.toLowerCase(),
    value.replaceAll("\r\n", "\n"),
    // Base64 is sent without its padding where a protocol says so.
    ...(bytesOf(value) ? [value.replace(/=+$/, "")] : []),
    ...hostName(value),
  ];
  return texts.filter((text) => text !== "" && text !== value);
}

/**
 * The bytes that a secret in base64 or hexadecimal digits stands for: a reader that
 * decodes it may write them in another alphabet, letter case or alignment.
 */
export function otherBytes(value: string): Uint8Array[] {
  const all = [bytesOf(value), hexOf(value)];
  return all.filter((bytes) =>
    bytes !== undefined && bytes.length >= FEWEST_BYTES &&
    new Set(bytes).size >= FEWEST_KINDS
  ) as Uint8Array[];
}

function bytesOf(value: string): Uint8Array | undefined {
  const text = value.trim();
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return;
  try {
    return Uint8Array.fromBase64(
      text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, ""),
    );
  } catch {
    return;
  }
}

function hexOf(value: string): Uint8Array | undefined {
  const text = value.trim();
  return /^(?:[0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.fromHex(text)
    : undefined;
}

/** As a URL shows a host: in ASCII, an address in its one spelling. */
function hostName(value: string): string[] {
  if (!/^[\p{L}\p{N}\p{M}._-]+$/u.test(value)) return [];
  try {
    return [new URL(`http://${value}/`).hostname];
  } catch {
    // Not a name that can be asked for.
    return [];
  }
}
