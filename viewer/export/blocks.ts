/** Characters that are written at a time. */
const BLOCK = 64 * 1024;

/** Puts small pieces of text together, so that writing them costs little. */
export async function* inBlocks(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let held = "";
  for await (const piece of pieces) {
    held += piece;
    if (held.length < BLOCK) continue;
    yield held;
    held = "";
  }
  if (held !== "") yield held;
}
