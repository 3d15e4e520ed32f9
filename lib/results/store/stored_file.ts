import { parseStored } from "./meta_schema.ts";
import { storeError } from "./store_error.ts";

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
  return new TextDecoder().decode(await readBytes(path));
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    throw storeError(`Cannot read \`${path}\``, error);
  }
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
    const file = await Deno.open(temporary, {
      write: true,
      create: true,
      truncate: true,
    });
    try {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) {
        at += await file.write(bytes.subarray(at));
      }
      await file.sync();
    } finally {
      file.close();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw storeError(`Cannot write \`${path}\``, error);
  }
}
