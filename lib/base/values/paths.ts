import posix from "path-browserify";

/*
 * Paths without `node:path`, which takes 4 ms to load, and asks `node:process` for the working
 * folder, 6 ms more. docs/decisions/109-all-functions-are-in-the-cache.md
 */
type NodePath = typeof import("node:path");

/** Not by `await import`: each module that imports this one would be waited for. */
interface BuiltIn {
  readonly process: { getBuiltinModule(name: "node:path"): NodePath };
}

const paths: NodePath = Deno.build.os === "windows"
  ? (globalThis as unknown as BuiltIn).process.getBuiltinModule("node:path")
  : posix;

export const { basename, delimiter, dirname, extname, isAbsolute, join }: Pick<
  NodePath,
  "basename" | "delimiter" | "dirname" | "extname" | "isAbsolute" | "join"
> = paths;

/** A path from the root on: each part is taken from the one before it. */
export function absolutePath(...parts: readonly string[]): string {
  return paths.resolve(Deno.cwd(), ...parts);
}

/** The way from a folder to a path. */
export function relativePath(from: string, to: string): string {
  return paths.relative(absolutePath(from), absolutePath(to));
}
