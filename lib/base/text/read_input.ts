import { BenchError } from "../errors/bench_error.ts";

/** The kinds of directory entries that are not regular files. */
const KINDS = [
  ["isDirectory", "a directory"],
  ["isFifo", "a named pipe"],
  ["isSocket", "a socket"],
  ["isCharDevice", "a device"],
  ["isBlockDevice", "a device"],
] as const;

/** A descriptor that the shell hands over, as `<(command)` does. */
const DESCRIPTOR = /^\/(?:dev\/fd\/\d+|dev\/stdin|proc\/self\/fd\/\d+)$/;

/** Why an input file that is there is not read, in words that follow a colon. */
export class UnreadInput extends BenchError {
  override readonly name = "UnreadInput";
}

/**
 * The bytes of a file that a user or a flow names: a flow, a fixture, a key. It may come
 * from a repository of others, where `users.csv` can be a symbolic link to a device
 * that never ends, so only regular files are read, and never more than `most` bytes.
 *
 * @param typed the path was given on the command line, where a descriptor is
 *   meant: a path in a file could name one that this process needs
 * @throws {UnreadInput} for what is no file, or too large
 * @throws what the system says
 */
export function readInput(
  path: string,
  most: number,
  typed = false,
): Uint8Array<ArrayBuffer> {
  const { size } = checkInput(path, most, typed);
  using file = Deno.openSync(path);
  // A file that grows, and one of /proc that has no size, end where they end.
  let bytes = new Uint8Array(Math.min(size, most) + 1);
  let length = 0;
  for (;;) {
    const count = file.readSync(bytes.subarray(length));
    if (count === null) return bytes.subarray(0, length);
    length += count;
    if (length > most) throw tooLarge(`more than ${most}`, most);
    if (length < bytes.length) continue;
    const larger = new Uint8Array(Math.min(2 * length, most) + 1);
    larger.set(bytes);
    bytes = larger;
  }
}

/**
 * Reads standard input to its end.
 *
 * @throws {UnreadInput} for more than `most` bytes
 */
export async function readStandardInput(
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of Deno.stdin.readable) {
    length += part.length;
    if (length > most) throw tooLarge(`more than ${most}`, most);
    parts.push(part);
  }
  return await new Blob(parts).bytes();
}

/**
 * Whether such a file can be read, before it is opened: opening a pipe waits for its
 * other end.
 *
 * @throws as `readInput` does
 */
export function checkInput(
  path: string,
  most: number,
  typed = false,
): Deno.FileInfo {
  const info = Deno.statSync(path);
  if (!info.isFile && !(typed && DESCRIPTOR.test(path))) {
    throw new UnreadInput(notAFile(info), { code: "not-a-file" });
  }
  if (info.size > most) throw tooLarge(String(info.size), most);
  return info;
}

/** Why what is no regular file is not read, in words that follow a colon. */
export function notAFile(info: Deno.FileInfo): string {
  if (info.isSymlink) return "it is a symbolic link, which is not followed";
  const kind = KINDS.find(([is]) => info[is])?.[1] ?? "something else";
  return `it is ${kind}, not a file`;
}

function tooLarge(bytes: string, most: number): UnreadInput {
  return new UnreadInput(
    `it has ${bytes} bytes, but at most ${most} are read`,
    {
      code: "file-too-large",
    },
  );
}
