import { ResponseError } from "vscode-jsonrpc";
import { type PreparedRun, prepareRun } from "../../lib/compile.ts";
import { GRACE_MS } from "../../lib/engine/plan/grace.ts";
import { isFunctional } from "../../lib/model/mode.ts";
import { type Diagnostic, refusal } from "../../lib/base/text/diagnostic.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { renderSummary } from "../../lib/results/formats/text.ts";
import {
  runFlow,
  type RunOutcome,
  type RunProgress,
  Stop,
} from "../../lib/run.ts";
import { agentTokenFor } from "../run/attended_run.ts";
import type { Console } from "../terminal/console.ts";
import { GracefulStop } from "../run/graceful_stop.ts";
import { readRoute } from "../options/route.ts";
import {
  endingOptions,
  type JudgingFlags,
  withThresholds,
} from "../options/judged_flow.ts";
import { storeDirectory } from "../options/store_directory.ts";
import { readTls } from "../options/tls.ts";
import type { Cancellation } from "./cancellation.ts";
import { CODES, diagnosticsMessage } from "./failures.ts";
import { flowInput, targetInput, worldOf } from "./inputs.ts";
import { type IterationMessage, iterationMessages } from "./iteration.ts";
import type { RunParams } from "./params.ts";

/** Sends the client something that it did not request. */
export type Notify = (method: string, params: unknown) => void;

/** What a run came to. */
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

/** `run`: carries a flow out. What went wrong in the run is a result like any other. */
export async function run(
  params: RunParams,
  cancellation: Cancellation,
  notify: Notify,
  console: Console,
): Promise<RunMessage> {
  if (cancellation.asked) {
    const message = "the run was cancelled before it began";
    throw new ResponseError(CODES.cancelled, message);
  }
  const world = worldOf(params);
  const tls = readTls(params, console);
  const { route, notes } = readRoute(params);
  const judging = judgingFlags(params);
  const ending = endingOptions(judging);
  const flow = withThresholds(await flowInput(params, console), judging);
  const target = await targetInput(params.target, flow, world);
  const prepared = await prepareRun(flow, target, world);
  const warnings = [...prepared.warnings, ...tls.notes.map(tlsWarning)];
  if (warnings.length > 0) {
    notify("diagnostics", diagnosticsMessage(warnings, prepared.sources));
  }
  checkRow(params, prepared);
  const stop = new Stop();
  const stopping = new GracefulStop(stop, systemClock, GRACE_MS);
  const iterations = collector(params, prepared, notify);
  const { seed, store, workers, row, http } = params;
  const release = cancellation.attach(stopping);
  try {
    const outcome = await runFlow(prepared, {
      seed,
      ...(store !== null && { storeDir: storeDirectory(store, world.env) }),
      ...(row !== undefined && { row }),
      tls: tls.options,
      http,
      notes: [...tls.notes, ...notes],
      ...(route && { route }),
      ...ending,
      workers: workers ?? navigator.hardwareConcurrency,
      clock: systemClock,
      chance: systemChance,
      stop,
      signal: () => stopping.first,
      ...agentTokenFor(prepared, world),
      onProgress: (progress) => notify("progress", progressMessage(progress)),
      ...(iterations && { onIteration: iterations.take }),
    });
    return outcomeMessage(outcome, prepared, iterations?.list);
  } finally {
    release();
    stopping.release();
  }
}

function tlsWarning(message: string): Diagnostic {
  return {
    severity: "warning",
    code: "insecure",
    at: { file: "insecure" },
    message,
  };
}

function outcomeMessage(
  { meta, directory, unsaved }: RunOutcome,
  { sources }: PreparedRun,
  iterations: readonly IterationMessage[] | undefined,
): RunMessage {
  return {
    meta,
    directory: directory ?? null,
    iterations: iterations ?? null,
    summary: renderSummary(meta, {
      color: false,
      width: SUMMARY_WIDTH,
      sources,
      ...(directory !== undefined && { runDir: directory }),
    }),
    ...(unsaved &&
      { unsaved: { message: unsaved.message, hint: unsaved.hint ?? null } }),
  };
}

const SUMMARY_WIDTH = 100;

function judgingFlags(
  { thresholds, stop_on_breach, until, arrivals }: RunParams,
): JudgingFlags {
  return {
    ...(thresholds && { threshold: thresholds }),
    ...(stop_on_breach !== undefined && { stopOnBreach: stop_on_breach }),
    ...(until !== undefined && { until }),
    ...(arrivals && { arrivals }),
  };
}

/** Integration and system modes have iterations one by one. */
function collector(
  { stream = false }: RunParams,
  prepared: PreparedRun,
  notify: Notify,
) {
  if (!isFunctional(prepared.flow.profile.mode)) return;
  const messageOf = iterationMessages(prepared);
  const list: IterationMessage[] = [];
  return {
    ...(!stream && { list }),
    take(trace: Parameters<typeof messageOf>[0]) {
      const message = messageOf(trace);
      if (stream) notify("iteration", message);
      else list.push(message);
    },
  };
}

/** A row that is not there, or a mode that has none of its own. */
function checkRow({ row }: RunParams, { flow, file, fixtures }: PreparedRun) {
  if (row === undefined) return;
  const { mode } = flow.profile;
  if (!isFunctional(mode)) {
    const why =
      `a ${mode} run hands out rows itself, so it cannot run one of them`;
    throw refusal(file, "row-in-load", why);
  }
  const [first] = fixtures.values();
  const size = first?.size ?? 1;
  if (row < size) return;
  const why = `there is no row ${row}: rows go from 0 to ${size - 1}`;
  throw refusal(file, "no-row", why);
}

function progressMessage(progress: RunProgress) {
  const { elapsedMs, share, iterations, requests, perSecond, p95Ms, vus } =
    progress;
  const { started, completed, passed, failed, throttled } = iterations;
  return {
    elapsed_ms: elapsedMs,
    share: share ?? null,
    iterations: { started, completed, passed, failed, throttled },
    requests,
    requests_per_second: perSecond ?? null,
    p95_ms: p95Ms,
    vus,
  };
}
