import { gzipSync } from "node:zlib";
import { concatenated } from "../lib/base/values/bytes.ts";
import { type ArchiveFile, inOrder } from "./archive_file.ts";

const BLOCK = 512;
const encoder = new TextEncoder();

/**
 * A gzipped tar (POSIX.1-2017, ustar) of these files: owner 0, one time for all.
 * The same files give the same bytes, on every system.
 *
 * @throws {Error} when a path is longer than the 100 bytes of its field
 */
export function tarGz(
  files: readonly ArchiveFile[],
  time: Date,
): Uint8Array {
  const parts = inOrder(files).flatMap((file) => [
    header(file, time),
    file.bytes,
    new Uint8Array(-file.bytes.length & (BLOCK - 1)),
  ]);
  return gzipSync(concatenated([...parts, new Uint8Array(2 * BLOCK)]));
}

function header(
  { path, bytes, executable }: ArchiveFile,
  time: Date,
): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => block.set(encoder.encode(text), at);
  const number = (at: number, digits: number, value: number) =>
    put(at, value.toString(8).padStart(digits, "0"));
  if (encoder.encode(path).length > 100) {
    throw new Error(`${path} is too long a path for the archive`);
  }
  put(0, path);
  number(100, 7, executable ? 0o755 : 0o644);
  number(108, 7, 0);
  number(116, 7, 0);
  number(124, 11, bytes.length);
  number(136, 11, Math.floor(time.getTime() / 1000));
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar\0" + "00");
  number(148, 6, block.reduce((sum, each) => sum + each, 0));
  put(154, "\0 ");
  return block;
}
