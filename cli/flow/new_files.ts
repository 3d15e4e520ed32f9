import { dirname, join } from "../../lib/base/values/paths.ts";
import { type InputError, refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";

/** Whether something has this path. */
export function isThere(path: string): boolean {
  return lookAt(path) !== undefined;
}

/** @returns undefined of what is not there */
function lookAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw cannot(`look at ${path}`, path, error);
  }
}

/**
 * Writes a file below a folder, with the folders it needs. A symbolic link there
 * leads nowhere: it may be from another user, and lead to a file of the user.
 *
 * @param folder where links are followed, as the user named it
 * @param replace whether a file that is there is replaced
 * @throws {InputError} that says why it cannot
 */
export async function writeNewFile(
  folder: string,
  name: string,
  text: string,
  replace = false,
): Promise<void> {
  const path = join(folder, name);
  refuseLinks(folder, name);
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    if (replace) await replaced(path, text);
    else await written(path, text);
  } catch (error) {
    throw cannot(`write ${path}`, path, error);
  }
}

/** A new file is whole, or not there. */
async function written(path: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true });
  } catch (error) {
    const isOther = error instanceof Deno.errors.AlreadyExists;
    if (!isOther) await Deno.remove(path).catch(() => {});
    throw error;
  }
}

/** A new file takes the place of the old one, whatever that has become. */
async function replaced(path: string, text: string): Promise<void> {
  const made = `${path}.${crypto.randomUUID()}`;
  await written(made, text);
  try {
    await Deno.rename(made, path);
  } catch (error) {
    await Deno.remove(made);
    throw error;
  }
}

/**
 * Refuses a file whose path has symbolic links in it, from the folder on.
 *
 * @throws {InputError} that names the link
 */
export function refuseLinks(folder: string, name: string): void {
  const parts = name.split("/");
  for (const index of parts.keys()) {
    refuseLink(join(folder, ...parts.slice(0, index + 1)));
  }
}

function refuseLink(path: string): void {
  if (!lookAt(path)?.isSymlink) return;
  throw refusal(
    path,
    "symbolic-link",
    `${path} is a symbolic link, and nothing is written through it`,
    "remove it, or give another folder",
  );
}

function cannot(what: string, file: string, error: unknown): InputError {
  return refusal(file, "no-file", `cannot ${what}: ${osReason(error)}`);
}
