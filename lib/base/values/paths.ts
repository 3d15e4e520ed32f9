import { relative, resolve } from "node:path";

/*
 * `node:path` asks `node:process` for the working folder, which takes 6 ms to load.
 */

/** A path from the root on. */
export function absolutePath(path: string): string {
  return resolve(Deno.cwd(), path);
}

/** The way from a folder to a path. */
export function relativePath(from: string, to: string): string {
  return relative(absolutePath(from), absolutePath(to));
}
