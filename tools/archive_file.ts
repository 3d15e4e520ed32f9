import { join } from "node:path";

/** One file of an archive. */
export interface ArchiveFile {
  /** With slashes, relative to the archive's root. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Reads every file below `folder`, with its path put below `root`. */
export function filesBelow(folder: string, root: string): ArchiveFile[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const [from, path] = [join(folder, name), `${root}/${name}`];
    if (isDirectory) return filesBelow(from, path);
    return [{ path, bytes: Deno.readFileSync(from), executable: false }];
  });
}

/** In the order of their paths, so that equal files give equal archives. */
export function inOrder(files: readonly ArchiveFile[]): ArchiveFile[] {
  return files.toSorted((a, b) => a.path < b.path ? -1 : 1);
}
