import { Refused } from "../../lib/base/errors/bench_error.ts";
import { isRunId } from "../../lib/results/store/layout.ts";
import { systemEnvironment } from "../inputs/environment.ts";

/** Where runs are kept: `--store`, else `BENCH_STORE`, else `.bench/runs`. */
export function storeDirectory(
  flag: string | undefined,
  env = systemEnvironment.env,
): string {
  return flag || env("BENCH_STORE") || ".bench/runs";
}

/**
 * The directory of a run that a person names: by its id in the store, or by path.
 *
 * @throws {Refused} when there is none
 */
export function runOfStore(run: string, store: string | undefined): string {
  const path = /[/\\]/.test(run) ? run : `${storeDirectory(store)}/${run}`;
  try {
    if (Deno.statSync(path).isDirectory) return path.replace(/[/\\]+$/, "");
  } catch {
    // What follows says what was looked for.
  }
  throw new Refused(
    `there is no run \`${run}\`: \`${path}\` is not a run directory`,
    isRunId(run)
      ? "name the store with --store, or give the path of the run's directory"
      : `a run id is printed at the end of each run; \`ls ${
        storeDirectory(store)
      }\` lists them`,
  );
}
