import type { ReadText } from "./host_reading.ts";

/** More than any of the kernel's files that are read here; a guess, not a bound. */
const CHUNK = 16_384;

/**
 * Reads files that were opened once, from their start each time: the kernel
 * writes its files anew each time. A process that has them open needs no
 * permission to read them, and no path is walked for each reading.
 *
 * @param paths opened now; one that cannot be opened is missing for good
 */
export function holdFiles(paths: readonly string[]): ReadText {
  const held = new Map(paths.flatMap((path) => {
    const file = opened(path);
    return file ? [[path, file]] : [];
  }));
  const chunk = new Uint8Array(CHUNK);
  return (path) => {
    const file = held.get(path);
    if (!file) throw new Deno.errors.NotFound(path);
    file.seekSync(0, Deno.SeekMode.Start);
    const decoder = new TextDecoder();
    let text = "";
    for (let read; (read = file.readSync(chunk));) {
      text += decoder.decode(chunk.subarray(0, read), { stream: true });
    }
    return text;
  };
}

function opened(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path);
  } catch {
    return;
  }
}
