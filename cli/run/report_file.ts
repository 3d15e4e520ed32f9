import { dirname } from "../../lib/base/values/paths.ts";

/** Errors of a folder that takes no new file, though one in it may be written to. */
const TAKES_NO_FILE: ReadonlySet<unknown> = new Set([
  ...["EACCES", "EPERM", "EROFS"],
]);

/**
 * Writes a report, with its folder: it is whole in the end, or as it was before. A
 * device or a pipe is written to, and so is a file that no other can take the place of.
 */
export async function writeReport(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const earlier = await Deno.stat(path).catch(() => undefined);
  if (earlier && !earlier.isFile) return await Deno.writeTextFile(path, text);
  const whole = earlier ? await Deno.realPath(path) : path;
  const part = `${whole}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(part, text, { createNew: true });
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    const { code } = error as { readonly code?: unknown };
    if (!earlier || !TAKES_NO_FILE.has(code)) throw error;
    return await Deno.writeTextFile(path, text);
  }
  try {
    await Deno.rename(part, whole);
  } catch {
    // Such as a file that is mounted into a container.
    await Deno.remove(part).catch(() => {});
    await Deno.writeTextFile(path, text);
  }
}
