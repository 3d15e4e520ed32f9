/** The facts of a file or folder; undefined of one that is not there, or may not be looked at. */
export function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}
