import { isRunId } from "../../lib/results/store/layout.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";
import { storeDirectory } from "./store_directory.ts";

/**
 * The directory of a run that a person names: by its id in the store, or by path.
 *
 * @throws {StoreError} when there is none
 */
export function runOfStore(run: string, store: string | undefined): string {
  const path = /[/\\]/.test(run) ? run : `${storeDirectory(store)}/${run}`;
  try {
    if (Deno.statSync(path).isDirectory) return path.replace(/[/\\]+$/, "");
  } catch {
    // What follows says what was looked for.
  }
  throw new StoreError(
    `there is no run \`${run}\`: \`${path}\` is not a run directory`,
    isRunId(run)
      ? "name the store with --store, or give the path of the run's directory"
      : `a run id is printed at the end of each run; \`ls ${
        storeDirectory(store)
      }\` lists them`,
  );
}
