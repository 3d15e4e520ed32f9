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
    const { steps } = JSON.parse(value ?? "") as { steps: { id: string }[] };
    return steps.map((step) => String(step.id));
  } catch {
    return [];
  }
}

/** What a run's flow says of its load, as far as charts show it. */
interface LoadProfile {
  /** Requests a second that an open-loop run offers, whatever the target does. */
  readonly offered?: number;
  /** From the start of the run, so many seconds long. */
  readonly ramp?: {
    readonly from: number;
    readonly to: number;
    readonly seconds: number;
  };
}

/** Read from the stored flow; nothing of one that cannot be read. */
export async function loadProfile(run: RunDirectory): Promise<LoadProfile> {
  const { value } = await run.flow();
  try {
    const { arrival, vus } = JSON.parse(value ?? "").profile;
    const offered = arrival?.count / arrival?.per_us * 1_000_000;
    const seconds = vus?.over_us / 1_000_000;
    return {
      ...(Number.isFinite(offered) && offered > 0 && { offered }),
      ...(seconds > 0 && Number.isFinite(vus.from + vus.to) &&
        { ramp: { from: vus.from, to: vus.to, seconds } }),
    };
  } catch {
    return {};
  }
}
