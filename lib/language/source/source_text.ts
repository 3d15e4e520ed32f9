import { positionAt, START } from "../../base/text/location.ts";
import type { Reader } from "./reader.ts";

/** A flow or target file may be this large, in bytes. */
export const MAX_FILE_BYTES = 1 << 20;
/** The way out for one that is larger. */
export const TOO_LARGE_HINT = "put large request data into a fixture file";

/**
 * The text of a file: UTF-8, with or without a byte order mark (which is
 * dropped). Reports a file that is too large or in another encoding.
 */
export function decodeSource(
  bytes: Uint8Array,
  reader: Reader,
): string | undefined {
  if (bytes.length > MAX_FILE_BYTES) {
    reportTooLarge(bytes.length, reader);
    return;
  }
  if (looksLikeUtf16(bytes)) {
    reader.report({
      at: reader.at(START),
      code: "not-utf8",
      message: "the file is UTF-16, but it must be UTF-8",
      hint: "save the file as UTF-8",
    });
    return;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const { line, column } = firstBadByte(bytes);
    reader.text = new TextDecoder().decode(bytes);
    reader.report({
      at: reader.at({ line, column, length: 1 }),
      code: "not-utf8",
      message: "the file is not valid UTF-8",
      hint: "save the file as UTF-8",
    });
  }
}

/**
 * Checks text that is already decoded: its size, and NUL characters, which no
 * text file has.
 */
export function checkSource(text: string, reader: Reader): boolean {
  // UTF-8 is never shorter than a third of its bytes in UTF-16 units.
  if (text.length > MAX_FILE_BYTES / 3) {
    const size = new TextEncoder().encode(text).length;
    if (size > MAX_FILE_BYTES) {
      reportTooLarge(size, reader);
      return false;
    }
  }
  const nul = text.indexOf("\0");
  if (nul < 0) return true;
  reader.report({
    at: reader.at({ ...positionAt(text, nul), length: 1 }),
    code: "nul-character",
    message: "the file has a NUL character in it, so it is not a text file",
    hint: "save the file as UTF-8 text",
  });
  return false;
}

function reportTooLarge(size: number, reader: Reader): void {
  reader.report({
    at: reader.at(START),
    code: "file-too-large",
    message:
      `the file has ${size} bytes, but at most ${MAX_FILE_BYTES} (1 MiB) are read`,
    hint: TOO_LARGE_HINT,
  });
}

function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return true;
  if (first === 0xfe && second === 0xff) return true;
  // Without a mark: ASCII text has a NUL in every other byte.
  return bytes.length > 3 && bytes.length % 2 === 0 &&
    ((first === 0 && bytes[2] === 0) || (second === 0 && bytes[3] === 0));
}

function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let line = 1;
  for (let start = 0; start <= bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const part = bytes.subarray(start, end);
    try {
      strict.decode(part);
    } catch {
      const lossy = new TextDecoder().decode(part);
      return { line, column: lossy.indexOf("\ufffd") + 1 };
    }
    start = end + 1;
  }
  return { line: 1, column: 1 };
}
