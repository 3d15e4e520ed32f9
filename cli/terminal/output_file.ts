import { dirname } from "../../lib/base/values/paths.ts";

/** Errors of a folder that takes no new file, though one in it may be written to. */
const TAKES_NO_FILE: ReadonlySet<unknown> = new Set([
  ...["EACCES", "EPERM", "EROFS"],
]);

/** A descriptor of this process, whatever it leads to: others may write there, too. */
const DESCRIPTOR = /^\/(?:dev\/(?:fd\/\d+|stdout|stderr)|proc\/self\/fd\/\d+)$/;

/**
 * Writes a file that the user named, with its folder: it is whole in the end, or as it
 * was before. A device or a pipe, such as `/dev/stdout`, is written to and never
 * replaced, and so is a file that no other can take the place of.
 */
export async function writeOutput(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const earlier = await Deno.stat(path).catch(() => undefined);
  if (earlier && (!earlier.isFile || DESCRIPTOR.test(path))) {
    return await fill(await Deno.open(path, { append: true }), pieces);
  }
  const whole = earlier ? await Deno.realPath(path) : path;
  const part = `${whole}.${crypto.randomUUID()}`;
  let file: Deno.FsFile;
  try {
    file = await Deno.open(part, { write: true, createNew: true });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (!earlier || !TAKES_NO_FILE.has(code)) throw error;
    const old = await Deno.open(path, { write: true, truncate: true });
    return await fill(old, pieces);
  }
  try {
    await fill(file, pieces);
    await replace(whole, part);
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
}

/** Writes the pieces and closes the file. */
function fill(
  file: Deno.FsFile,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  return ReadableStream.from(pieces).pipeThrough(new TextEncoderStream())
    .pipeTo(file.writable);
}

async function replace(path: string, part: string): Promise<void> {
  try {
    await Deno.rename(part, path);
  } catch {
    // Such as a file that is mounted into a container.
    await Deno.copyFile(part, path);
    await Deno.remove(part);
  }
}
