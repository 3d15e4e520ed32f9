import { crc32, deflateRawSync } from "node:zlib";
import { concatenated } from "../lib/base/values/bytes.ts";
import { type ArchiveFile, inOrder } from "./archive_file.ts";

/** Version 2.0, the first that deflates. */
const NEEDED = 20;
/** Made on Unix: the upper half of the attributes is the file's mode. */
const MADE_BY = 3 << 8 | NEEDED;
const UTF8_NAMES = 1 << 11;
const DEFLATED = 8;

/**
 * A ZIP file (APPNOTE 6.3.10, without ZIP64) of these files, one time for all.
 * The same files give the same bytes, on every system.
 *
 * @param time from 1980 on; the format keeps two-second steps
 */
export function zipOf(
  files: readonly ArchiveFile[],
  time: Date,
): Uint8Array {
  const stamp = dosTime(time);
  const bodies: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes, executable } of inOrder(files)) {
    const name = new TextEncoder().encode(path);
    const data = deflateRawSync(bytes);
    const facts = [
      ...[u16(NEEDED), u16(UTF8_NAMES), u16(DEFLATED), u32(stamp)],
      ...[u32(crc32(bytes)), u32(data.length), u32(bytes.length)],
      ...[u16(name.length), u16(0)],
    ];
    const body = concatenated([u32(0x04034b50), ...facts, name, data]);
    const mode = 0o100000 | (executable ? 0o755 : 0o644);
    entries.push(
      ...[u32(0x02014b50), u16(MADE_BY), ...facts],
      ...[u16(0), u16(0), u16(0), u32(mode * 0x10000), u32(offset), name],
    );
    bodies.push(body);
    offset += body.length;
  }
  const directory = concatenated(entries);
  const end = [
    ...[u32(0x06054b50), u16(0), u16(0), u16(files.length), u16(files.length)],
    ...[u32(directory.length), u32(offset), u16(0)],
  ];
  return concatenated([...bodies, directory, ...end]);
}

/** Date in the upper half, time of day in the lower one. */
function dosTime(time: Date): number {
  const date = (time.getUTCFullYear() - 1980) << 9 |
    (time.getUTCMonth() + 1) << 5 | time.getUTCDate();
  const day = time.getUTCHours() << 11 | time.getUTCMinutes() << 5 |
    time.getUTCSeconds() >> 1;
  return date * 0x10000 + day;
}

function u16(value: number): Uint8Array {
  return new Uint8Array(Uint16Array.of(value).buffer);
}

function u32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}
