/**
 * The text of a file that another program wrote: UTF-16 where it begins with the byte
 * order mark of that, as what PowerShell writes with `>` does, else UTF-8. The mark is
 * no part of the text.
 */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
