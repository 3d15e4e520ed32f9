import { parseStored } from "./meta_schema.ts";
import { storeError } from "./store_error.ts";

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
  return new TextDecoder().decode(
    await onFile("read", path, () => Deno.readFile(path)),
  );
}

/**
 * Writes a file so that a reader sees the old one or the new one, never half of
 * it: to a temporary name beside it, flushed to the disk, then renamed.
 *
 * @throws {StoreError}
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    {
      using file = await Deno.open(temporary, {
        write: true,
        create: true,
        truncate: true,
      });
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) {
        at += await file.write(bytes.subarray(at));
      }
      await file.sync();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw storeError(`Cannot write \`${path}\``, error);
  }
}
