import { FILES } from "../../lib/results/store/layout.ts";
import { parseStored } from "../../lib/results/store/meta_schema.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { OpenRun } from "../store/open_run.ts";

/** Colours that tell steps apart; more steps than these share them. */
export const STEP_COLOURS = 6;

/**
 * The flow's step ids in order, from `meta.json`, or from `flow.json` while the
 * run is going on. A step's colour is its place in this list, on every page.
 */
export async function stepIds(
  meta: RunMeta,
  run: OpenRun,
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

/** `s0` to `s5`, `s-none` for what is no step. */
export function stepClass(ids: readonly string[], name: string): string {
  const at = ids.indexOf(name);
  return at < 0 ? "s-none" : `s${at % STEP_COLOURS}`;
}
