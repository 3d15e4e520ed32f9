import { storeError } from "./store_error.ts";

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
