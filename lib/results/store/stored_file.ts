import {
  checkInput,
  notAFile,
  readInput,
  UnreadInput,
} from "../../base/text/read_input.ts";
import { parseStored } from "./meta_schema.ts";
import { FILES, MOST_BYTES, storeError } from "./layout.ts";
import { withFile } from "./spare_descriptor.ts";

/** Work on a file; what the file system says of it is thrown as a StoreError. */
export async function onFile<T>(
  doing: "read" | "write" | "touch",
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(`Cannot ${doing} \`${path}\``, error);
  }
}

/** JSON of a run directory; undefined when there is no such file. @throws {StoreError} */
export async function readJson<T>(path: string): Promise<T | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : parseStored(text, path) as T;
}

/** Likewise, as text. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await read(path);
  } catch (error) {
    if ((error as Error).cause instanceof Deno.errors.NotFound) return;
    throw error;
  }
}

/** @throws {StoreError} */
export async function read(path: string): Promise<string> {
  // A directory may come from others: any of its files can be a pipe or a device.
  const most = MOST_BYTES[path.slice(path.lastIndexOf("/") + 1)] ?? 0;
  const bytes = await onFile("read", path, () =>
    Promise.try(() => {
      const bytes = readInput(path, most);
      checkLink(path);
      return bytes;
    }));
  return new TextDecoder().decode(bytes);
}

/**
 * A link in the directory of others leads to a file of this machine, of which the
 * message about it would quote a part.
 *
 * @throws {UnreadInput}
 */
function checkLink(path: string): void {
  const info = Deno.lstatSync(path);
  if (info.isSymlink) {
    throw new UnreadInput(notAFile(info), { code: "not-a-file" });
  }
}

/** Writes all of the text, to which a system may need several calls. */
async function writeAll(file: Deno.FsFile, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) {
    at += await file.write(bytes.subarray(at));
  }
}

/** Opens a file that is read in parts, of any size. */
export async function openStored(path: string): Promise<Deno.FsFile> {
  checkInput(path, Infinity);
  checkLink(path);
  return await Deno.open(path);
}

/**
 * Writes a file so that a reader sees the old one or the new one, never half of
 * it: to a temporary name beside it, flushed to the disk, then renamed.
 *
 * @throws {StoreError}
 */
export function writeAtomic(path: string, text: string): Promise<void> {
  return writeParts(path, [text]);
}

/** The same of text that is made as it is written. @throws {StoreError} */
export async function writeParts(
  path: string,
  parts: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const anew = { write: true, create: true, truncate: true };
    await withFile(temporary, anew, async (file) => {
      for await (const part of parts) await writeAll(file, part);
      await file.sync();
    });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw storeError(`Cannot write \`${path}\``, error);
  }
}

/*
 * A file of one long list while it grows: what is before the list on the
 * first line, then an item a line. A run that is killed keeps every line that
 * was written.
 */

/** Makes the file, to be appended to. @throws {StoreError} */
export function beginList(
  path: string,
  head: object,
  list: string,
): Promise<void> {
  return write(path, opening(head, list), {
    write: true,
    createNew: true,
  });
}

/** Appends items. @throws {StoreError} */
export async function appendToList(
  path: string,
  items: readonly unknown[],
): Promise<void> {
  const lines = items.map((each) => `${JSON.stringify(each)},\n`).join("");
  if (lines !== "") await write(path, lines, { append: true });
}

/** Gives the whole list its own name. @throws {StoreError} */
export function endList(path: string, to: string): Promise<void> {
  return onFile("write", path, async () => {
    await withFile(path, { read: true, write: true }, async (file) => {
      const { size } = await file.stat();
      // Behind the last item there is a comma and a line break.
      await file.truncate(size - 2);
      await file.seek(0, Deno.SeekMode.End);
      await writeAll(file, CLOSING);
      await file.sync();
    });
    await Deno.rename(path, to);
  });
}

/** The same file when all of it is known, to be read by line tools. */
export function listText<T extends object>(
  value: T,
  list: string & keyof T,
): string {
  const { [list]: items, ...head } = value;
  if (!Array.isArray(items) || items.length === 0) {
    return `${JSON.stringify(value)}\n`;
  }
  const lines = items.map((each) => JSON.stringify(each)).join(",\n");
  return `${opening(head, list)}${lines}${CLOSING}`;
}

const CLOSING = "\n]}\n";

/** @param head not empty */
function opening(head: object, list: string): string {
  return `${JSON.stringify(head).slice(0, -1)},"${list}":[\n`;
}

function write(
  path: string,
  text: string,
  options: Deno.OpenOptions,
): Promise<void> {
  return onFile(
    "write",
    path,
    () => withFile(path, options, (file) => writeAll(file, text)),
  );
}

/**
 * A file of one long list: whole, or as far as an unfinished run got; undefined
 * when there is neither. @throws {StoreError}
 */
export async function readList<T>(
  dir: string,
  file: "series" | "agent" | "rows",
): Promise<T | undefined> {
  const whole = await readJson<T>(`${dir}/${FILES[file]}`);
  if (whole !== undefined) return whole;
  return await readPart<T>(`${dir}/${FILES[`${file}Part`]}`);
}

/**
 * The whole items of a list that grows; undefined without one.
 *
 * @throws {StoreError} when its first line is none of it
 */
export async function readPart<T>(path: string): Promise<T | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) return;
  const [head = "", ...lines] = text.split("\n");
  const items = lines.filter((line) => line.endsWith(","));
  return parseStored(`${head}${items.join("").slice(0, -1)}]}`, path) as T;
}
