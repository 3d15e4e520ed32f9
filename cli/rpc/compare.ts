import { systemClock } from "../../lib/base/time/clock.ts";
import { readComparable } from "../../lib/results/comparison/comparable.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import { runOfStore } from "../options/run_of_store.ts";
import { storeDirectory } from "../options/store_directory.ts";
import { worldOf } from "./inputs.ts";
import type { CompareParams } from "./params.ts";

/** `compare`: what `bench compare --json` prints. */
export async function compare(params: CompareParams): Promise<RunComparison> {
  const store = storeDirectory(params.store, worldOf(params).env);
  const { candidate, bases } = await readComparable(
    runOfStore(params.run, store),
    params.with.map((each) => runOfStore(each, store)),
    systemClock.wall(),
    { targets: params.across_targets ?? false },
  );
  return compareRuns(candidate, bases, { margin: params.margin });
}
