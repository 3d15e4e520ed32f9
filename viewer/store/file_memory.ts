import { notAFile } from "../../lib/base/text/read_input.ts";
import { MOST_BYTES, StoreError } from "../../lib/results/store/layout.ts";

/** A file of a run as it is now. */
interface FileStamp {
  readonly name: string;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
}

/**
 * Looks at a file of a run directory before it is opened.
 *
 * @returns undefined when there is none
 * @throws {StoreError} when it is not a plain file, or longer than any run's
 */
export function stampOf(dir: string, name: string): FileStamp | undefined {
  const path = `${dir}/${name}`;
  let info: Deno.FileInfo;
  try {
    // Of thousands of runs, each time: a promise costs more than the look itself.
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw new StoreError(
      `Cannot read \`${path}\`: ${(error as Error).message}`,
      undefined,
      error,
    );
  }
  if (!info.isFile) {
    throw new StoreError(`Cannot read \`${path}\`: ${notAFile(info)}`);
  }
  const limit = MOST_BYTES[name] ?? 0;
  if (info.size > limit) {
    throw new StoreError(
      `Cannot read \`${path}\`: it has ${info.size} bytes, expected at most ${limit}`,
    );
  }
  const at = info.mtime?.getTime() ?? 0;
  return { name, size: info.size, stamp: `${at}:${info.size}:${info.ino}` };
}

/** Keeps the last few results of something slow, by key. */
export class Memory<T> {
  readonly #kept = new Map<string, T>();

  /** @param most results kept; the one unused the longest goes first */
  constructor(readonly most: number) {}

  /** The result under `key`, made once. A promise that fails is not kept. */
  get(key: string, make: () => T): T {
    const made = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    if (made instanceof Promise) made.catch(() => this.#kept.delete(key));
    if (this.#kept.size > this.most) {
      this.#kept.delete(this.#kept.keys().next().value!);
    }
    return made;
  }
}
