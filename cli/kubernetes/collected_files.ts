import { dirname, join, relative, resolve } from "node:path";
import type { World } from "../../lib/compile.ts";

/**
 * Every file that is read while a run is prepared: fixtures, protos and what those
 * import, without knowing which step kind names which.
 */
export class CollectedFiles {
  readonly #files = new Map<string, Uint8Array>();

  /** @param world whose files are read */
  constructor(readonly world: World) {}

  /** Reads as `world` does, and remembers. */
  get reading(): World {
    return {
      ...this.world,
      readBytes: (path) => {
        const bytes = this.world.readBytes(path);
        this.add(path, bytes);
        return bytes;
      },
    };
  }

  add(path: string, bytes: Uint8Array): void {
    this.#files.set(resolve(path), bytes);
  }

  /** The files by their path below the folder that all of them are in. */
  below(): ReadonlyMap<string, Uint8Array> {
    const root = this.#root();
    const paths = [...this.#files.keys()].sort();
    return new Map(
      paths.map((path) => [relative(root, path), this.#files.get(path)!]),
    );
  }

  /** Where a file is below that folder. */
  pathOf(path: string): string {
    return relative(this.#root(), resolve(path));
  }

  #root(): string {
    const folders = [...this.#files.keys()].map(dirname);
    let root = folders[0] ?? "/";
    while (!folders.every((each) => isBelow(root, each))) {
      root = join(root, "..");
    }
    return root;
  }
}

function isBelow(root: string, folder: string): boolean {
  return root === "/" || folder === root || folder.startsWith(`${root}/`);
}
