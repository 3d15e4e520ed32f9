import {
  type MergedRun,
  mergeRuns,
} from "../../lib/engine/merge/merge_runs.ts";
import { metaText } from "../../lib/results/store/run_writer.ts";
import type { Console } from "../terminal/console.ts";
import { runOfStore, storeDirectory } from "../options/store.ts";
import type { FlagsOf } from "../options/option.ts";
import type { MERGE } from "./shard_options.ts";

/**
 * Puts the run directories of shards together, and prints the directory of the run
 * that comes of it. Returns the exit code.
 *
 * @param runs run ids of the store, or paths of run directories
 */
export async function mergeCommand(
  runs: readonly string[],
  { store, tolerateLost, json }: FlagsOf<typeof MERGE>,
  console: Console,
): Promise<number> {
  const { directory, meta } = await joinRuns(
    runs,
    storeDirectory(store),
    tolerateLost,
  );
  console.out(json ? metaText(meta) : `${directory}\n`);
  return 0;
}

/** The run that the shares in these run directories make; it is in the store. */
export function joinRuns(
  runs: readonly string[],
  storeDir: string,
  tolerateLost: number,
): Promise<MergedRun> {
  return mergeRuns(
    runs.map((each) => runOfStore(each, storeDir)),
    { storeDir, tolerateLost, chance: Math.random },
  );
}
