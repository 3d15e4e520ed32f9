import type { Capacity } from "../../lib/model/result/capacity.ts";
import { measureCapacity } from "../judge/capacity.ts";
import type { Console } from "../terminal/console.ts";
import { withThresholds } from "../options/judged_flow.ts";
import { storeDirectory } from "../options/store_directory.ts";
import type { Cancellation } from "./cancellation.ts";
import { flowInput, targetInput, worldOf } from "./inputs.ts";
import { loadRuns } from "./load_run.ts";
import type { CapacityParams } from "./params.ts";
import type { Notify } from "./run.ts";

/** `capacity`: what `bench capacity --json` prints, and the directory of its run. */
export async function capacityRequest(
  params: CapacityParams,
  cancellation: Cancellation,
  notify: Notify,
  console: Console,
): Promise<{ readonly capacity: Capacity; readonly directory: string }> {
  const { thresholds = [], from, most, least, vus = false } = params;
  const { precision, trial_s, cool_down_s } = params;
  const world = worldOf(params);
  const flow = withThresholds(
    await flowInput(params, console),
    { threshold: thresholds },
  );
  const carryOut = loadRuns(params, cancellation, console);
  const { capacity, directory } = await measureCapacity({
    ...{ flow, world, vus, precision },
    target: await targetInput(params.target, flow, world),
    ...(from !== undefined && { from }),
    ...(most !== undefined && { most }),
    ...(least !== undefined && { least }),
    trial: trial_s * 1e6,
    coolDown: cool_down_s * 1e6,
    storeDir: storeDirectory(params.store, world.env),
    carryOut: (prepared, storeDir) => carryOut(prepared, { storeDir }),
    onTrial: (trial, unit) => notify("trial", { ...trial, unit }),
  });
  return { capacity, directory };
}
