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
