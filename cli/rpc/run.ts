import * as v from "valibot";
import { ResponseError } from "vscode-jsonrpc";
import { type Diagnostic, refusal } from "../../lib/base/text/diagnostic.ts";
import { type PreparedRun, prepareRun } from "../../lib/compile.ts";
import { isFunctional } from "../../lib/model/mode.ts";
import type { Failure } from "../../lib/model/result/failure.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import {
  type Listener,
  locator,
  type RunOutcome,
  type RunProgress,
} from "../../lib/run.ts";
import { readConnection, UNVERIFIED } from "../options/connection.ts";
import { readDescription } from "../options/openapi_description.ts";
import {
  endingOptions,
  withLoad,
  withThresholds,
} from "../options/judged_flow.ts";
import { storeDirectory } from "../options/store.ts";
import { CARRY_OUT } from "../run/run_options.ts";
import { startRun } from "../run/start_run.ts";
import { CODES, diagnosticsMessage } from "./failures.ts";
import { environmentOf, flowInput, targetInput } from "./inputs.ts";
import { type Call, method, request, said, target } from "./method.ts";
import { summaryOf } from "./stored.ts";

/** Where the failed part of a flow was written. */
interface Located extends Failure {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A finished iteration: its trace, with the locations of what failed. */
interface IterationMessage extends Omit<Trace, "spans"> {
  readonly spans: readonly (Omit<Span, "failure"> & {
    readonly failure?: Located;
  })[];
}

/** Makes the messages of a run's iterations. */
function iterationMessages(
  prepared: PreparedRun,
): (trace: Trace) => IterationMessage {
  const locate = locator(prepared);
  const pointers = new Map(
    prepared.flows.flatMap(({ flow: { steps }, pointer }) =>
      steps.map(({ id }, index) => [id, `${pointer}/steps/${index}`] as const)
    ),
  );
  return (trace) => {
    let step = "";
    const spans = trace.spans.map((span) => {
      if (span.parent_id === undefined) step = pointers.get(span.name) ?? "";
      const { failure } = span;
      if (!failure) return span;
      const location = locate(failure.pointer ?? step);
      return { ...span, failure: { ...failure, ...location } };
    });
    return { ...trace, spans };
  };
}

/** The result of a run. */
interface RunMessage {
  readonly meta: RunMeta;
  /** The run directory; null when nothing was stored. */
  readonly directory: string | null;
  /** Null in load-family modes, and where they went out one by one. */
  readonly iterations: readonly IterationMessage[] | null;
  /** As `bench run` prints it. */
  readonly summary: string;
  /** Why not all of it is in the directory. */
  readonly unsaved?: { readonly message: string; readonly hint: string | null };
}

/** Carries a flow out. What went wrong in the run is a result like any other. */
export const run = method(
  "run a flow against a target; gives the verdict, the failures and the id of the stored run",
  {
    ...request,
    target,
    /** The run store; `null` stores nothing. */
    store: v.exactOptional(v.nullable(v.string())),
    row: v.exactOptional(
      said(
        v.pipe(v.number(), v.integer(), v.minValue(0)),
        "the one fixture row to run, from 0; integration and system modes",
      ),
    ),
    /** Iterations come as notifications, and the result has none. */
    stream: v.exactOptional(v.boolean()),
  },
  CARRY_OUT,
  async (
    { flags, store, row, stream, ...params },
    call,
  ): Promise<RunMessage> => {
    const { cancellation, notify, console } = call;
    if (cancellation.asked) {
      const message = "the run was cancelled before it began";
      throw new ResponseError(CODES.cancelled, message);
    }
    const environment = environmentOf(params, call);
    const connection = readConnection(flags, console);
    const ending = endingOptions(flags);
    const contract = await readDescription(flags, environment);
    const input = await flowInput(params, call);
    const flow = withThresholds(withLoad(input, flags), flags);
    const target = await targetInput(params.target, flow, environment);
    const prepared = await prepareRun(flow, target, environment);
    call.admit?.(prepared);
    const warnings = [
      ...prepared.warnings,
      ...flags.insecure ? [INSECURE] : [],
    ];
    if (warnings.length > 0) {
      notify("diagnostics", diagnosticsMessage(warnings, prepared.sources));
    }
    checkRow(row, prepared);
    const iterations = collector(stream, prepared, notify);
    const { seed, http, workers, arrivals, rehearsal } = flags;
    const outcome = await cancellation.during((stopping) =>
      startRun(prepared, {
        ...{
          seed,
          http,
          workers,
          arrivals,
          rehearsal,
          contract,
          row,
          environment,
          stopping,
        },
        ...connection,
        ...(store !== null &&
          { storeDir: storeDirectory(store, environment.env) }),
        listeners: [
          ...ending,
          progressTo((message) => notify("progress", message)),
          ...iterations ? [iterations] : [],
        ],
      })
    );
    return outcomeMessage(outcome, prepared, iterations?.list);
  },
);

const INSECURE: Diagnostic = {
  severity: "warning",
  code: "insecure",
  at: { file: "insecure" },
  message: UNVERIFIED,
};

function outcomeMessage(
  { meta, directory, unsaved }: RunOutcome,
  { sources }: PreparedRun,
  iterations: readonly IterationMessage[] | undefined,
): RunMessage {
  return {
    meta,
    directory: directory ?? null,
    iterations: iterations ?? null,
    summary: summaryOf(meta, directory, sources),
    ...(unsaved &&
      { unsaved: { message: unsaved.message, hint: unsaved.hint ?? null } }),
  };
}

/** Integration and system modes have iterations one by one. */
function collector(
  stream = false,
  prepared: PreparedRun,
  notify: Call["notify"],
) {
  if (!isFunctional(prepared.flow.profile.mode)) return;
  const messageOf = iterationMessages(prepared);
  const list: IterationMessage[] = [];
  return {
    ...(!stream && { list }),
    trace(trace: Parameters<typeof messageOf>[0]) {
      const message = messageOf(trace);
      if (stream) notify("iteration", message);
      else list.push(message);
    },
  };
}

/** A row that is not there, or a mode that has none of its own. */
function checkRow(
  row: number | undefined,
  { flow, file, fixtures }: PreparedRun,
) {
  if (row === undefined) return;
  const { mode } = flow.profile;
  if (!isFunctional(mode)) {
    const why =
      `a ${mode} run hands out rows itself, so it cannot run one of them`;
    throw refusal(file, "row-in-load", why);
  }
  // Each flow of a mix that has the row runs it.
  const sizes = [...fixtures.values()].map(({ size }) => size);
  const size = Math.max(1, ...flow.pools ? sizes.slice(0, 1) : sizes);
  if (row < size) return;
  const why = `there is no row ${row}: rows go from 0 to ${size - 1}`;
  throw refusal(file, "no-row", why);
}

function progressTo(notify: (message: object) => void): Listener {
  let warmUpMs = 0;
  return {
    open({ plan }) {
      warmUpMs = plan.warmUpMs ?? 0;
    },
    second({ progress }) {
      notify(progressMessage(progress, warmUpMs));
    },
  };
}

function progressMessage(progress: RunProgress, warmUpMs: number) {
  const { elapsedMs, done, iterations, requests, perSecond, p95Ms, vus } =
    progress;
  const { started, completed, passed, failed, throttled } = iterations;
  return {
    elapsed_ms: elapsedMs + warmUpMs,
    warm_up: elapsedMs < 0,
    share: done ?? null,
    iterations: { started, completed, passed, failed, throttled },
    requests,
    requests_per_second: perSecond ?? null,
    p95_ms: p95Ms > 0 ? p95Ms : null,
    vus,
  };
}
