import { dirname } from "../../base/values/paths.ts";
import { systemClock } from "../../base/time/clock.ts";
import { runBefore } from "../../results/store/reader.ts";
import { ONCE, type Trace } from "../../model/result/trace.ts";
import type { CountedFailure, RunTotals } from "../../model/result/totals.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import {
  redact,
  type Redacted,
  storedTrace,
} from "../../results/redact/redacted.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { keptTraces } from "../../results/traces/traces.ts";
import { EXIT } from "../../base/errors/bench_error.ts";
import {
  endOf,
  progressMeta,
  type RunEnding,
  runningMeta,
  summarise,
} from "../../results/report/summary.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import type { FailureGroup, RunMeta } from "../../model/result/run.ts";
import type { Series } from "../../model/result/series.ts";
import { exchangeOf } from "../../results/failures/exchange.ts";
import { isRepeat, sinceBefore } from "../../results/report/reason.ts";
import { TOP_FAILURES } from "../../results/report/counted.ts";
import { readTraces } from "../../results/store/trace_reader.ts";
import { finalScan, leakText } from "../../results/store/final_scan.ts";
import { StoreError } from "../../results/store/layout.ts";
import { responseNotes } from "./response_notes.ts";
import { locator } from "./facts.ts";
import { type OnceRecord, setupSoFar } from "./once.ts";
import { writeHistograms } from "./histogram_file.ts";
import type { EndedRun, ReadyRun } from "./run_context.ts";
import type { AgentSamples } from "./agent_samples.ts";

/** The `meta.json` of a run that is over, and why not all of it is in its directory. */
export interface StoredRun {
  readonly meta: RunMeta;
  readonly unsaved?: StoreError;
}

/**
 * Writes what was recorded, scans every file for secrets, and only then marks
 * the run as ended. A run whose files do not fit is marked as errored, where
 * that much can still be written; its figures are returned all the same.
 */
export async function storeRun(
  run: EndedRun,
  recording: Recording,
  ending: RunEnding,
  beside: Beside,
): Promise<StoredRun> {
  const responses = responseNotes(run);
  const see = (trace: Trace) => responses?.trace(trace);
  try {
    const { dir } = run.writer;
    if (dir !== undefined) {
      await storeCounts(run, recording.totals, ending.durationMs, beside);
      await storeRecording(run, recording, beside, see);
    }
    const leaks = dir === undefined ? [] : await finalScan(dir, run.secrets);
    const shown = await withExchanges(run, recording, ending, see);
    const meta = metaOf(run, shown.totals, {
      ...shown.ending,
      ...leaks.length > 0 &&
        { status: "errored", abort_reason: leakText(leaks) },
      notes: [
        ...ending.notes ?? [],
        ...responses?.notes() ?? [],
        ...traceNotes(recording.traces),
      ],
    });
    const known = await withBefore(run, meta);
    run.writer.release();
    await run.writer.writeMeta(known);
    if (beside.share === undefined) await run.writer.dropShareSoFar();
    return { meta: known };
  } catch (unsaved) {
    if (!(unsaved instanceof StoreError)) throw unsaved;
    const { signal: _, ...rest } = ending;
    const totals = hiddenTotals(recording.totals, run.secrets);
    const abort_reason = unsaved.message;
    const last = (reason: string) =>
      metaOf(run, totals, { ...rest, status: "errored", abort_reason: reason });
    const meta = last(abort_reason);
    await writeLast(run, meta);
    // They are short, and may fit into what was kept free beside that.
    await storeSeries(run, recording, beside).catch(() => {});
    const leaks = await leaksIn(run);
    if (leaks.length === 0) return { meta, unsaved };
    const leaked = last(`${abort_reason}; ${leakText(leaks)}`);
    await writeLast(run, leaked);
    return { meta: leaked, unsaved };
  }
}

/** The files that held a secret, of a store that may not let all be read and changed. */
async function leaksIn(
  { writer: { dir }, secrets }: Pick<EndedRun, "writer" | "secrets">,
): Promise<string[]> {
  if (dir === undefined) return [];
  try {
    return await finalScan(dir, secrets);
  } catch (error) {
    // The fault that led here is reported.
    if (error instanceof StoreError) return [];
    throw error;
  }
}

/** A run that is killed while its files are written has the counts of the whole run. */
async function storeCounts(
  { writer, traces, facts, prepared, secrets, setup }: EndedRun,
  totals: RunTotals,
  durationMs: number,
  { agent }: Beside,
): Promise<void> {
  const agent_attached = agent !== undefined;
  const hidden = hiddenTotals(totals, secrets);
  const meta = progressMeta(facts, hidden, durationMs, locator(prepared));
  // On a full disk the files that follow say so, or the last of them fits.
  const counted = redact({
    ...meta,
    agent_attached,
    ...setupSoFar(setup),
  }, secrets);
  const flushed = Promise.try(() => traces.flush());
  await Promise.allSettled([flushed, writer.writeMeta(counted)]);
}

/**
 * Writes what is known of a load before its run ends: counts, seconds, readings of
 * the agent and latencies.
 *
 * @throws {StoreError}
 */
export async function storeFigures(
  run: EndedRun,
  recording: Recording,
  durationMs: number,
  beside: Beside,
): Promise<void> {
  await storeCounts(run, recording.totals, durationMs, beside);
  await storeSeries(run, recording, beside);
}

async function storeSeries(
  { prepared, secrets, writer }: EndedRun,
  recording: Recording,
  { series, agent }: Beside,
): Promise<void> {
  await writer.writeSeries(redact(series, secrets));
  if (agent) await writer.writeAgent(redact(agent, secrets));
  const ids = prepared.flow.steps.map((step) => step.id);
  await writeHistograms(writer, await recording.histograms(ids), secrets);
}

/** Says of a run that did not pass what the run before has of its reason. */
async function withBefore(
  { writer: { dir }, secrets }: EndedRun,
  meta: Redacted<RunMeta>,
): Promise<Redacted<RunMeta>> {
  const { reason } = meta;
  if (!reason || dir === undefined) return meta;
  const before = await runBefore(
    dirname(dir),
    meta,
    systemClock.wall(),
    (earlier) => isRepeat(earlier, meta),
  );
  if (!before) return meta;
  return redact({ ...meta, reason: sinceBefore(reason, before) }, secrets);
}

/**
 * The last `meta.json` of a run whose store failed. Where not all of it fits, the
 * rest says at least how the run ended.
 */
async function writeLast(
  { writer, secrets }: Pick<EndedRun, "writer" | "secrets">,
  meta: Redacted<RunMeta>,
): Promise<void> {
  writer.release();
  const { rows: _, ...rest } = meta;
  const brief = redact({ ...rest, steps: [], failures: [] }, secrets);
  for (const each of [meta, brief]) {
    try {
      return await writer.writeMeta(each);
    } catch {
      // The error that led here is reported.
    }
  }
}

/** The files beside those of the recording. */
interface Beside {
  readonly series: Series;
  /** The target's, by its agent; undefined without a reading. */
  readonly agent: AgentSeries | undefined;
  /** The share of this process, where it may have to be merged with others. */
  readonly share?: Redacted<unknown> | undefined;
}

async function storeRecording(
  run: EndedRun,
  recording: Recording,
  beside: Beside,
  see: (trace: Trace) => void,
): Promise<void> {
  const { writer, otherRows } = run;
  await storeTraces(run, recording, see);
  await otherRows.flush(writer);
  await writer.finishRows();
  const { share } = beside;
  if (share !== undefined) await writer.writeShare(share);
  await storeSeries(run, recording, beside);
}

async function storeTraces(
  { secrets, traces, setup, teardown }: EndedRun,
  { traces: kept }: Recording,
  see: (trace: Trace) => void,
): Promise<void> {
  // Of those that were written as they came, some gave way to others since.
  if (kept.policy === "sampled") traces.restart();
  for (const trace of keptTraces(kept)) {
    see(trace);
    traces.append(storedTrace(trace, secrets));
  }
  for (const once of [setup, teardown]) {
    if (once?.trace) traces.append(storedTrace(once.trace, secrets));
  }
  await traces.finish(kept.truncated);
}

/** A check keeps every trace, so that a reader of one that could not has to know. */
function traceNotes({ policy, truncated }: Recording["traces"]): string[] {
  return policy === "all" && truncated
    ? [
      "not every iteration has its trace: from 64 MiB of them on only those that did not pass were kept, up to 16 MiB",
    ]
    : [];
}

/** @param totals with failures that hold no secrets any more */
function metaOf(
  { prepared, facts, secrets }: EndedRun,
  totals: RunTotals,
  ending: RunEnding,
): Redacted<RunMeta> {
  return redact(summarise(facts, totals, ending, locator(prepared)), secrets);
}

/** Traces that were kept, as they would be stored. */
function keptInMemory(
  { setup, teardown, secrets, traces: { shown = [] } }: EndedRun,
  { traces }: Recording,
  ids: ReadonlySet<string>,
  see: (trace: Trace) => void,
): ReadonlyMap<string, Trace> {
  const found = new Map<string, Trace>(
    shown.map((trace) => [trace.trace_id, trace]),
  );
  const add = (trace: Trace) => {
    if (!ids.has(trace.trace_id)) return;
    found.set(trace.trace_id, storedTrace(trace, secrets));
  };
  [setup, teardown].flatMap((each) => each?.trace ?? []).forEach(add);
  for (const trace of keptTraces(traces)) {
    see(trace);
    add(trace);
  }
  return found;
}

/**
 * The counts of a run without its secrets, and its ending: the failures that are
 * reported with their exchange, that of the trace as it was stored.
 */
async function withExchanges(
  run: EndedRun,
  recording: Recording,
  ending: RunEnding,
  see: (trace: Trace) => void,
): Promise<{ readonly totals: RunTotals; readonly ending: RunEnding }> {
  const { writer: { dir }, secrets } = run;
  const hidden = hiddenTotals(recording.totals, secrets);
  const shown = hidden.failures.slice(0, TOP_FAILURES);
  const once = ONCE.flatMap((list) => ending[list] ?? [])
    .filter(({ failures }) => failures.length > 0);
  const ids = new Set(
    [...shown, ...once].flatMap(({ trace_id }) => trace_id ?? []),
  );
  const traces = dir === undefined
    ? keptInMemory(run, recording, ids, see)
    : await readTraces(dir, ids);
  const withOwn = <Failure extends FailureGroup | CountedFailure>(
    failure: Failure,
    id = failure.trace_id,
  ): Failure => {
    const trace = traces.get(id ?? "");
    const exchange = trace && exchangeOf(trace, failure.step);
    const { trace_id: _, ...rest } = failure;
    return {
      // Of a run that is not stored no trace can be looked at.
      ...(dir === undefined ? rest : failure),
      ...(exchange && { exchange }),
    } as Failure;
  };
  const lists = ONCE.flatMap((list) => {
    const summary = ending[list];
    if (!summary) return [];
    const failures = summary.failures.map((each) =>
      withOwn(each, summary.trace_id)
    );
    return [[list, { ...summary, failures }]];
  });
  const others = hidden.failures.slice(TOP_FAILURES);
  const failures = [...shown.map((each) => withOwn(each)), ...others];
  return {
    totals: { ...hidden, failures },
    ending: { ...ending, ...Object.fromEntries(lists) },
  };
}

/** Redacts the failures first: numbers in a message are left open after redaction. */
export function hiddenTotals(
  totals: RunTotals,
  secrets: Secrets,
): RunTotals {
  const { failures, rows } = totals;
  return {
    ...totals,
    failures: redact(failures, secrets),
    rows: redact(rows, secrets),
  };
}

/**
 * Writes why the engine itself failed, with what the target's agent reported
 * until then.
 *
 * @returns the error without secrets
 */
export async function storeFailedRun(
  run: ReadyRun & {
    readonly setup?: Pick<OnceRecord, "summary"> | undefined;
  },
  error: unknown,
  durationMs = 0,
  { series, notes = [] }: Partial<AgentSamples> = {},
): Promise<unknown> {
  const { facts, options, secrets, writer, traces, setup } = run;
  // What failed first is reported, not what the store does about it.
  await traces.finish(true).catch(() => {});
  if (series) await writer.writeAgent(redact(series, secrets)).catch(() => {});
  await writeLast(
    run,
    redact({
      ...runningMeta(facts),
      status: "errored",
      verdict: "fail",
      exit_code: EXIT.errored,
      abort_reason: error instanceof Error ? error.message : String(error),
      ...endOf(facts, durationMs),
      agent_attached: series !== undefined,
      ...setupSoFar(setup),
      notes: [...options.notes, ...notes],
    }, secrets),
  );
  await leaksIn(run);
  return errorWithoutSecrets(error, secrets);
}

/** An error of this program is printed with its stack, whatever that quotes. */
function errorWithoutSecrets(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof Error)) return secrets.scrub(String(error));
  const stack = secrets.scrub(error.stack ?? "");
  error.message = secrets.scrub(error.message);
  error.stack = stack;
  return error;
}
