/** Writes a file bit by bit; it is whole in the end, or not there. */
export async function writePieces(
  path: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await Deno.writeTextFile(part, ReadableStream.from(pieces));
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
  await Deno.rename(part, path);
}
