/**
 * Several times what an ordinary `meta.json` takes. `getRandomValues` returns
 * no more at once.
 */
const BYTES = 65_536;

/**
 * Disk space reserved for the last write of a run, so that a full disk
 * does not leave a run that still reads `running`.
 *
 * The file that takes the room has no name any more: a run that is killed leaves
 * nothing behind.
 */
export class Reserve {
  #file: Deno.FsFile | undefined;
  /** Set where the system keeps the name of a file that is open. */
  #path: string | undefined;

  /** @throws what the file system says when there is no room */
  constructor(dir: string) {
    const path = `${dir}/.reserve`;
    this.#file = Deno.openSync(path, { write: true, createNew: true });
    this.#path = path;
    try {
      // Random bytes, since some file systems store others in no space at all.
      const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
      for (let at = 0; at < bytes.length;) {
        at += this.#file.writeSync(bytes.subarray(at));
      }
      this.#file.syncSync();
    } catch (error) {
      this.release();
      throw error;
    }
    this.#removeName();
  }

  /** Frees the space. */
  release(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#removeName();
  }

  #removeName(): void {
    if (this.#path === undefined) return;
    try {
      Deno.removeSync(this.#path);
      this.#path = undefined;
    } catch {
      // It is open, or gone with its directory.
    }
  }
}
