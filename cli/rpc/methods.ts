import * as v from "valibot";
import { ResponseError } from "vscode-jsonrpc";
import { EXIT, Refused } from "../../lib/base/errors/bench_error.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import {
  checkInputs,
  compileFlow,
  type Environment,
  type InputFile,
  type PreparedRun,
  readRows,
} from "../../lib/compile.ts";
import type { RunOutcome } from "../../lib/run.ts";
import { planJson, planRun } from "../flow/planned_run.ts";
import { DRAFTING, IMPORT_SOURCES } from "../import/import_options.ts";
import { measureCapacity } from "../judge/capacity.ts";
import { compareStored, storeDuel } from "../judge/compare.ts";
import {
  duel as carryOutDuel,
  type DuelSide,
  UNFINISHED,
} from "../judge/duel.ts";
import {
  COMPARING,
  DUELLING,
  REPLAYING,
  SEARCHING,
} from "../judge/judging_options.ts";
import { replay } from "../judge/replay.ts";
import { readConnection } from "../options/connection.ts";
import { withThresholds } from "../options/judged_flow.ts";
import type { FlagsOf } from "../options/option.ts";
import { storeDirectory } from "../options/store.ts";
import { startRun } from "../run/start_run.ts";
import { joinRuns } from "../shards/merge_command.ts";
import { MERGING } from "../shards/shard_options.ts";
import { CODES, diagnosticsMessage } from "./failures.ts";
import { environmentOf, flowInput, targetInput } from "./inputs.ts";
import {
  type Call,
  type Method,
  method,
  ofFlow,
  request,
  said,
  storedRun,
  surroundings,
  target,
} from "./method.ts";
import { run } from "./run.ts";
import { report, runs, trace } from "./stored.ts";

/** Carries out stored runs of one request, several at once or one after the other. */
function loadRuns(
  flags: FlagsOf<typeof DUELLING> | FlagsOf<typeof SEARCHING>,
  environment: Environment,
  { cancellation, console }: Call,
): (
  prepared: PreparedRun,
  options:
    & { readonly storeDir: string; readonly seed?: number }
    & Partial<DuelSide>,
) => Promise<RunOutcome<string>> {
  const { seed, http, workers } = flags;
  const connection = readConnection(flags, console);
  const common = { seed, http, workers, ...connection, environment };
  return (prepared, options) =>
    cancellation.during((stopping) =>
      startRun(prepared, { ...common, ...options, stopping })
    );
}

/** The output of `bench duel --json`. */
const duel = method(
  "run a flow against two targets at once, and compare them",
  {
    ...ofFlow,
    target,
    /** The other target, which is judged. */
    against: target,
  },
  DUELLING,
  async ({ flags, ...params }, call) => {
    const environment = environmentOf(params, call);
    const flow = await flowInput(params, call);
    const carryOut = loadRuns(flags, environment, call);
    const storeDir = storeDirectory(flags.store, environment.env);
    const result = await carryOutDuel({
      ...flags,
      ...{ flow, environment },
      targets: [
        await targetInput(params.target, flow, environment),
        await targetInput(params.against, flow, environment),
      ],
      carryOut: (prepared, side) => carryOut(prepared, { storeDir, ...side }),
    });
    if ("comparison" in result) {
      await storeDuel(storeDir, result.comparison, call.console);
      return result.comparison;
    }
    const stopped = result.unfinished >= EXIT.sighup;
    const code = stopped ? CODES.cancelled : CODES.errored;
    throw new ResponseError(code, UNFINISHED, { hint: null });
  },
);

/** The output of `bench capacity --json`, and the directory of its run. */
const capacity = method(
  "find the highest load at which the thresholds hold",
  {
    ...ofFlow,
    target,
    /** Search by VUs, not by requests a second. */
    vus: v.exactOptional(v.boolean()),
  },
  SEARCHING,
  async ({ flags, vus = false, ...params }, call) => {
    const environment = environmentOf(params, call);
    const flow = withThresholds(await flowInput(params, call), flags);
    const carryOut = loadRuns(flags, environment, call);
    const { capacity, directory } = await measureCapacity({
      ...flags,
      ...{ flow, environment, vus },
      target: await targetInput(params.target, flow, environment),
      storeDir: storeDirectory(flags.store, environment.env),
      carryOut: (prepared, storeDir, seed) =>
        carryOut(prepared, { storeDir, seed }),
      onTrial: (trial, unit) => call.notify("trial", { ...trial, unit }),
    });
    return { capacity, directory };
  },
);

/** Flows of something else, as the files that `bench import --out` writes; nothing is written. */
const imported = method(
  "make flows of curl commands, a recorded journey (HAR), an OpenAPI file or a Postman collection; gives the files to write",
  {
    ...surroundings,
    from: said(v.picklist(IMPORT_SOURCES), "what it is made from"),
    source: said(
      v.pipe(v.array(v.string()), v.minLength(1)),
      "curl: the command line; har: the path of one recording, or of two of the same journey; openapi, postman: the path of the file",
    ),
  },
  DRAFTING,
  async ({ from, source, flags, ...rest }, call) => {
    if (source.includes("-")) {
      throw new Refused(
        "standard input has the requests",
        "give the command line itself",
      );
    }
    // Few clients import anything.
    const { importedFrom } = await import("../import/imported.ts");
    const { importedFiles, notesOf, variablesOf } = await import(
      "../import/import_command.ts"
    );
    const environment = environmentOf(rest, call);
    const { drafts } = await importedFrom(from, source, flags, environment);
    return {
      files: await importedFiles(drafts, call.console, flags),
      variables: variablesOf(drafts),
      notes: notesOf(drafts),
    };
  },
);

const storedRuns = v.pipe(v.array(storedRun), v.minLength(1));

/** Methods that have their turn one after the other, by name. */
export const METHODS: Readonly<Record<string, Method>> = {
  /** With what its author should know. */
  compile: method(
    "give the canonical IR of a flow",
    request,
    {},
    async (params, call) => {
      const compiled = await compileFlow(
        await flowInput(params, call),
        environmentOf(params, call),
      );
      const { canonical: ir, warnings, sources } = compiled;
      return { ir, ...diagnosticsMessage(warnings, sources) };
    },
  ),

  /** Every diagnostic there is; what is wrong is no error here. */
  validate: method(
    "run every check there is before a run, and give every error with file, line and column; sends nothing",
    { ...request, target: v.exactOptional(target) },
    {},
    async ({ target, ...params }, call) => {
      const environment = environmentOf(params, call);
      try {
        const flow = await flowInput(params, call);
        const { warnings, sources } = await checkInputs(
          flow,
          target === undefined
            ? undefined
            : await targetInput(target, flow, environment),
          environment,
        );
        return diagnosticsMessage(warnings, sources);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return diagnosticsMessage(error.diagnostics, error.sources);
      }
    },
  ),

  /** The rows of the first pool as text by column, one an iteration of a functional run. */
  rows: method(
    "give the rows of a flow's first fixture",
    request,
    {},
    async (params, call) => {
      const input = await flowInput(params, call);
      const environment = environmentOf(params, call);
      const { flow, tags, rows = null } = readRows(input, environment);
      return { flow: flow.flow, tags, mode: flow.profile.mode, rows };
    },
  ),

  plan: method(
    "say what a run would do: hosts, VUs, requests, rows, variables; sends nothing",
    { ...request, target },
    {},
    async (params, call) => {
      const environment = environmentOf(params, call);
      const flow = await flowInput(params, call);
      const target = await targetInput(params.target, flow, environment);
      const planned = await planRun(flow, target, environment);
      const { warnings, sources } = planned.prepared;
      return {
        plan: planJson(planned),
        ...diagnosticsMessage(warnings, sources),
      };
    },
  ),

  run,
  runs,
  report,
  trace,
  import: imported,

  /** The output of `bench compare --json`. */
  compare: method(
    "say whether a stored load run is better or worse than others",
    { ...surroundings, run: storedRun, with: storedRuns },
    COMPARING,
    ({ run, with: others, flags, ...rest }, call) =>
      compareStored(
        run,
        others,
        { ...flags, environment: environmentOf(rest, call) },
        call.console,
      ),
  ),

  /** The run that `bench merge` makes. */
  merge: method(
    "join what shards recorded that lost their lead into one run",
    { ...surroundings, runs: storedRuns },
    MERGING,
    ({ runs, flags, ...rest }, call) => {
      const { env } = environmentOf(rest, call);
      const storeDir = storeDirectory(flags.store, env);
      return joinRuns(runs, storeDir, flags.tolerateLost);
    },
  ),

  duel,
  capacity,

  /** One stored iteration, and the same once more. */
  replay: method(
    "carry one stored iteration out once more, and give what differs",
    {
      ...surroundings,
      run: storedRun,
      /** Its first iteration that did not pass, when absent. */
      trace: v.exactOptional(v.string()),
      /** The run's own, when absent. */
      target: v.exactOptional(target),
    },
    REPLAYING,
    async ({ flags, run, trace, target, ...rest }, call) => {
      const { cancellation, console } = call;
      const environment = environmentOf(rest, call);
      const iteration = {
        ...{ run, trace },
        ...(target !== undefined && {
          target: (flow: InputFile) => targetInput(target, flow, environment),
        }),
      };
      try {
        return await cancellation.during((stopping) =>
          replay(iteration, flags, environment, console, stopping)
        );
      } catch (error) {
        if (!cancellation.asked) throw error;
        throw new ResponseError(CODES.cancelled, "the replay was cancelled");
      }
    },
  ),
};
