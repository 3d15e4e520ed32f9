import { joinRuns } from "../shards/merge_command.ts";
import { storeDirectory } from "../options/store_directory.ts";
import type { MergedRun } from "../../lib/engine/merge/merge_runs.ts";
import { worldOf } from "./inputs.ts";
import type { MergeParams } from "./params.ts";

/** `merge`: the run that `bench merge` makes. */
export function merge(params: MergeParams): Promise<MergedRun> {
  const store = storeDirectory(params.store, worldOf(params).env);
  return joinRuns(params.runs, store, params.tolerate_lost);
}
