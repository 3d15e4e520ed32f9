import { dirname } from "node:path";
import { type InputError, refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";

/** Whether something has this path. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw cannot(`look at ${path}`, path, error);
  }
}

/**
 * Writes a file, with the folders it needs.
 *
 * @param replace whether one that is there is written over
 * @throws {InputError} that says why it cannot
 */
export async function writeNewFile(
  path: string,
  text: string,
  replace = false,
): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: !replace });
  } catch (error) {
    throw cannot(`write ${path}`, path, error);
  }
}

function cannot(what: string, file: string, error: unknown): InputError {
  return refusal(file, "no-file", `cannot ${what}: ${osReason(error)}`);
}
