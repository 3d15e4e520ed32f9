import { ResponseError } from "vscode-jsonrpc";
import { EXIT } from "../../lib/base/errors/exit.ts";
import type { RunComparison } from "../../lib/results/comparison/comparison.ts";
import type { Console } from "../terminal/console.ts";
import { duel } from "../judge/duel.ts";
import { storeDirectory } from "../options/store_directory.ts";
import type { Cancellation } from "./cancellation.ts";
import { CODES } from "./failures.ts";
import { flowInput, targetInput, worldOf } from "./inputs.ts";
import { loadRuns } from "./load_run.ts";
import type { DuelParams } from "./params.ts";

/** `duel`: what `bench duel --json` prints. */
export async function duelRequest(
  params: DuelParams,
  cancellation: Cancellation,
  console: Console,
): Promise<RunComparison> {
  const { vus, for_s, margin } = params;
  const world = worldOf(params);
  const flow = await flowInput(params, console);
  const target = (side: DuelParams["target"]) => targetInput(side, flow, world);
  const carryOut = loadRuns(params, cancellation, console);
  const storeDir = storeDirectory(params.store, world.env);
  const result = await duel({
    ...{ flow, world, margin, for: for_s * 1e6 },
    ...(vus !== undefined && { vus }),
    targets: [await target(params.target), await target(params.against)],
    onPrepared: () => {},
    carryOut: (prepared, duel) => carryOut(prepared, { storeDir, duel }),
  });
  if ("comparison" in result) return result.comparison;
  const stopped = result.unfinished >= EXIT.sighup;
  throw new ResponseError(
    stopped ? CODES.cancelled : CODES.errored,
    "a side did not finish: there is nothing to compare",
    { hint: null },
  );
}
