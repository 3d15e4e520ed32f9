import type { Capacity } from "../../lib/model/result/capacity.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { World } from "../../lib/compile.ts";
import { addToRun } from "../../lib/run.ts";
import { agentTokenFor } from "../run/attended_run.ts";
import type { StoredTrial } from "./capacity_trial.ts";

/**
 * Keeps the run of the lower bound, or else the last one, with all trials in its
 * `meta.json`; the others are removed.
 */
export async function storeCapacity(
  trials: readonly StoredTrial[],
  capacity: Capacity,
  { storeDir, world }: { readonly storeDir: string; readonly world: World },
): Promise<{ readonly directory: string; readonly meta: RunMeta }> {
  const { prepared, meta, directory } =
    trials.findLast(({ trial }) =>
      trial.level === capacity.lower && trial.held
    ) ?? trials.at(-1)!;
  const token = agentTokenFor(prepared, world);
  await addToRun(prepared, directory, { capacity }, token);
  const kept = `${storeDir}/${meta.id}`;
  await Deno.mkdir(storeDir, { recursive: true });
  await Deno.rename(directory, kept);
  const apart = directory.slice(0, -meta.id.length - 1);
  await Deno.remove(apart, { recursive: true });
  return { directory: kept, meta };
}
