import { ifPossible } from "../../lib/base/values/if_possible.ts";

/** The facts of a file or folder; undefined of one that is not there, or may not be looked at. */
export function statOf(path: string): Deno.FileInfo | undefined {
  return ifPossible(() => Deno.statSync(path), undefined);
}
