import { ResponseError } from "vscode-jsonrpc";
import * as v from "valibot";
import type { PreparedRun, World } from "../../lib/compile.ts";
import { EXIT } from "../../lib/base/errors/exit.ts";
import type { DuelSide, StoredOutcome } from "../../lib/run.ts";
import { measureCapacity } from "../judge/capacity.ts";
import { duel as carryOutDuel, UNFINISHED } from "../judge/duel.ts";
import type { FlagsOf } from "../options/option.ts";
import { DUELLING, SEARCHING } from "../judge/judging_options.ts";
import { withThresholds } from "../options/judged_flow.ts";
import { storeDirectory } from "../options/store.ts";
import { readTls } from "../options/tls.ts";
import { startRun } from "../run/start_run.ts";
import { CODES } from "./failures.ts";
import { flowInput, targetInput, worldOf } from "./inputs.ts";
import { type Call, method } from "./method.ts";
import { ofFlow, target } from "./params.ts";

/** Carries out stored runs of one request, several at once or one after the other. */
function loadRuns(
  flags: FlagsOf<typeof DUELLING> | FlagsOf<typeof SEARCHING>,
  world: World,
  { cancellation, console }: Call,
): (
  prepared: PreparedRun,
  options: { readonly storeDir: string; readonly duel?: DuelSide },
) => Promise<StoredOutcome> {
  const { seed, http, workers } = flags;
  const { tls, notes } = readTls(flags, console);
  const common = { seed, http, workers, tls, notes, world };
  return (prepared, options) =>
    cancellation.during((stopping) =>
      startRun(prepared, { ...options, ...common, stopping })
    );
}

/** What `bench duel --json` prints. */
export const duel = method(
  {
    ...ofFlow,
    target,
    /** The other target, which is judged. */
    against: target,
  },
  DUELLING,
  async ({ flags, ...params }, call) => {
    const world = worldOf(params);
    const flow = await flowInput(params, call.console);
    const carryOut = loadRuns(flags, world, call);
    const storeDir = storeDirectory(flags.store, world.env);
    const result = await carryOutDuel({
      ...flags,
      ...{ flow, world },
      targets: [
        await targetInput(params.target, flow, world),
        await targetInput(params.against, flow, world),
      ],
      carryOut: (prepared, duel) => carryOut(prepared, { storeDir, duel }),
    });
    if ("comparison" in result) return result.comparison;
    const stopped = result.unfinished >= EXIT.sighup;
    const code = stopped ? CODES.cancelled : CODES.errored;
    throw new ResponseError(code, UNFINISHED, { hint: null });
  },
);

/** What `bench capacity --json` prints, and the directory of its run. */
export const capacity = method(
  {
    ...ofFlow,
    target,
    /** Search by VUs, not by requests a second. */
    vus: v.exactOptional(v.boolean()),
  },
  SEARCHING,
  async ({ flags, vus = false, ...params }, call) => {
    const world = worldOf(params);
    const flow = withThresholds(await flowInput(params, call.console), flags);
    const carryOut = loadRuns(flags, world, call);
    const { capacity, directory } = await measureCapacity({
      ...flags,
      ...{ flow, world, vus },
      target: await targetInput(params.target, flow, world),
      storeDir: storeDirectory(flags.store, world.env),
      carryOut: (prepared, storeDir) => carryOut(prepared, { storeDir }),
      onTrial: (trial, unit) => call.notify("trial", { ...trial, unit }),
    });
    return { capacity, directory };
  },
);
