import * as v from "valibot";
import { checkInputs, compileFlow, readRows } from "../../lib/compile.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { planJson, planRun } from "../flow/planned_run.ts";
import { compareStored } from "../judge/compare.ts";
import { COMPARING, REPLAYING } from "../judge/judging_options.ts";
import { replay } from "../judge/replay.ts";
import { storeDirectory } from "../options/store.ts";
import { joinRuns } from "../shards/merge_command.ts";
import { MERGING } from "../shards/shard_options.ts";
import { diagnosticsMessage } from "./failures.ts";
import { flowInput, targetInput, worldOf } from "./inputs.ts";
import { capacity, duel } from "./load_methods.ts";
import { type Method, method } from "./method.ts";
import { request, storedRun, surroundings, target } from "./params.ts";
import { run } from "./run.ts";

const storedRuns = v.pipe(v.array(storedRun), v.minLength(1));

/** Methods that have their turn one after the other, by name. */
export const METHODS: Readonly<Record<string, Method>> = {
  /** The canonical IR, and what its author should know. */
  compile: method(request, {}, async (params, { console }) => {
    const compiled = await compileFlow(await flowInput(params, console));
    const { canonical: ir, warnings, sources } = compiled;
    return { ir, ...diagnosticsMessage(warnings, sources) };
  }),

  /** Every diagnostic there is; what is wrong is no error here. */
  validate: method(
    { ...request, target: v.exactOptional(target) },
    {},
    async ({ target, ...params }, { console }) => {
      const world = worldOf(params);
      try {
        const flow = await flowInput(params, console);
        const { warnings, sources } = await checkInputs(
          flow,
          target === undefined
            ? undefined
            : await targetInput(target, flow, world),
          world,
        );
        return diagnosticsMessage(warnings, sources);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return diagnosticsMessage(error.diagnostics, error.sources);
      }
    },
  ),

  /** The rows of the first pool as text by column, one an iteration of a functional run. */
  rows: method(request, {}, async (params, { console }) => {
    const input = await flowInput(params, console);
    const { flow, rows = null } = readRows(input, worldOf(params));
    return { flow: flow.flow, mode: flow.profile.mode, rows };
  }),

  /** What a run would do. */
  plan: method({ ...request, target }, {}, async (params, { console }) => {
    const world = worldOf(params);
    const flow = await flowInput(params, console);
    const target = await targetInput(params.target, flow, world);
    const planned = await planRun(flow, target, world);
    const { warnings, sources } = planned.prepared;
    return {
      plan: planJson(planned),
      ...diagnosticsMessage(warnings, sources),
    };
  }),

  run,

  /** What `bench compare --json` prints. */
  compare: method(
    { ...surroundings, run: storedRun, with: storedRuns },
    COMPARING,
    ({ run, with: others, flags, ...rest }) =>
      compareStored(run, others, flags, worldOf(rest)),
  ),

  /** The run that `bench merge` makes. */
  merge: method(
    { ...surroundings, runs: storedRuns },
    MERGING,
    ({ runs, flags, ...rest }) => {
      const storeDir = storeDirectory(flags.store, worldOf(rest).env);
      return joinRuns(runs, storeDir, flags.tolerateLost);
    },
  ),

  duel,
  capacity,

  /** One stored iteration, and the same once more. */
  replay: method(
    {
      ...surroundings,
      run: storedRun,
      /** Its first iteration that did not pass, when absent. */
      trace: v.exactOptional(v.string()),
      /** The run's own, when absent. */
      target: v.exactOptional(v.string()),
    },
    REPLAYING,
    ({ flags, ...params }, { console }) =>
      replay(params, flags, worldOf(params), console),
  ),
};
