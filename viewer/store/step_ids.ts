import { FILES } from "../../lib/results/store/layout.ts";
import { parseStored } from "../../lib/results/store/meta_schema.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { RunDirectory } from "./run_directory.ts";

/**
 * The flow's step ids in order, from `meta.json`, or from `flow.json` while the
 * run is going on. A step's colour is its position in this list, on every page.
 */
export async function stepIds(
  meta: RunMeta,
  run: RunDirectory,
): Promise<readonly string[]> {
  if (meta.steps.length > 0) return meta.steps.map((step) => step.id);
  const { value } = await run.flow();
  try {
    const { steps } = parseStored(value ?? "", FILES.flow) as {
      steps: { id: string }[];
    };
    return steps.map((step) => String(step.id));
  } catch {
    return [];
  }
}
