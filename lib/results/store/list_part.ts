import { FILES } from "./layout.ts";
import { parseStored } from "./meta_schema.ts";
import { readIfThere, readJson } from "./stored_file.ts";
import { storeError } from "./store_error.ts";

/*
 * A file of one long list while it grows: what is before the list on the
 * first line, then an item a line. A run that is killed keeps every line that
 * was written.
 */

/** Makes the file, to be appended to. */
export async function beginList(
  path: string,
  head: object,
  list: string,
): Promise<void> {
  const fields = JSON.stringify(head).slice(0, -1);
  await write(path, `${fields},"${list}":[\n`, { createNew: true });
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
export async function endList(path: string, to: string): Promise<void> {
  try {
    using file = await Deno.open(path, { read: true, write: true });
    const { size } = await file.stat();
    // Behind the last item there is a comma and a line break.
    await file.truncate(size - 2);
    await file.seek(0, Deno.SeekMode.End);
    await file.write(new TextEncoder().encode("\n]}\n"));
    await file.sync();
    await Deno.rename(path, to);
  } catch (error) {
    throw storeError(`Cannot write \`${path}\``, error);
  }
}

async function write(
  path: string,
  text: string,
  options: Deno.WriteFileOptions,
): Promise<void> {
  try {
    await Deno.writeTextFile(path, text, options);
  } catch (error) {
    throw storeError(`Cannot write \`${path}\``, error);
  }
}

/**
 * Reads what is whole of such a file.
 *
 * @throws {StoreError} when its first line is none of it
 */
function parseListPart(text: string, path: string): object {
  const [head = "", ...lines] = text.split("\n");
  const items = lines.filter((line) => line.endsWith(","));
  return parseStored(`${head}${items.join("").slice(0, -1)}]}`, path) as object;
}

/** The file that a list grows in, by the file that it ends up in. */
const LIST_PARTS = {
  [FILES.series]: FILES.seriesPart,
  [FILES.agent]: FILES.agentPart,
  [FILES.rows]: FILES.rowsPart,
} as const;

/**
 * A file of one long list: whole, or as far as an unfinished run got; undefined
 * when there is neither. @throws {StoreError}
 */
export async function readList<T>(
  dir: string,
  file: keyof typeof LIST_PARTS,
): Promise<T | undefined> {
  const whole = await readJson<T>(`${dir}/${file}`);
  if (whole !== undefined) return whole;
  return await readPart<T>(`${dir}/${LIST_PARTS[file]}`);
}

/** What is whole of a list that grows; undefined without one. @throws {StoreError} */
export async function readPart<T>(path: string): Promise<T | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : parseListPart(text, path) as T;
}
