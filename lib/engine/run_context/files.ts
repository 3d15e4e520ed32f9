import { type SecondHealth, seriesOf } from "../../results/record/series.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { keptTraces } from "../../results/traces/traces.ts";
import { cutBodies } from "../../results/redact/cut_bodies.ts";
import { redact, type Redacted } from "../../results/redact/redacted.ts";
import { redactTrace } from "../../results/redact/redact_trace.ts";
import { EXIT } from "../../base/errors/exit.ts";
import {
  endOf,
  type RunEnding,
  runningMeta,
  summarise,
} from "../../results/report/summary.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import type { RunMeta } from "../../model/result/run.ts";
import { finalScan } from "../../results/store/final_scan.ts";
import { StoreError } from "../../results/store/store_error.ts";
import { locator } from "./locator.ts";
import type { OpenRun } from "./open_run.ts";
import type { Overlay } from "./overlay.ts";

/** What a run came to, and why not all of it is in its directory. */
export interface StoredRun {
  readonly meta: RunMeta;
  readonly unsaved?: StoreError;
}

/**
 * Writes what was recorded, scans every file for secrets, and only then marks
 * the run as ended. A run whose files do not fit is marked as errored, where
 * that much can still be written; its figures are given back all the same.
 */
export async function storeRun(
  run: OpenRun,
  recording: Recording,
  ending: RunEnding,
  machines: Machines,
): Promise<StoredRun> {
  try {
    const { dir } = run.writer;
    if (dir !== undefined) await storeRecording(run, recording, machines);
    const leaks = dir === undefined ? [] : await finalScan(dir, run.secrets);
    const meta = metaOf(
      run,
      recording,
      leaks.length === 0 ? ending : {
        ...ending,
        status: "errored",
        abortReason: `a secret had reached ${
          leaks.map(({ file }) => file).join(", ")
        } and was scrubbed there: this is a fault of bench, please report it`,
      },
    );
    run.writer.release();
    await run.writer.writeMeta(meta);
    return { meta };
  } catch (unsaved) {
    if (!(unsaved instanceof StoreError)) throw unsaved;
    const { signal: _, ...rest } = ending;
    const abortReason = unsaved.message;
    const broken = { ...rest, status: "errored", abortReason } as const;
    const meta = metaOf(run, recording, broken);
    await writeLast(run, meta);
    return { meta, unsaved };
  }
}

/**
 * The last word on a run whose store gave trouble. Where not all of it fits, what
 * is left says at least how the run ended.
 */
async function writeLast(
  { writer, secrets }: OpenRun,
  meta: Redacted<RunMeta>,
): Promise<void> {
  writer.release();
  const { rows: _, ...rest } = meta;
  const brief = redact({ ...rest, steps: [], failures: [] }, secrets);
  for (const each of [meta, brief]) {
    try {
      return await writer.writeMeta(each);
    } catch {
      // What led here has been said.
    }
  }
}

/** How both ends of a run were doing. */
export interface Machines {
  /** The generator's, by second. */
  readonly health: readonly SecondHealth[];
  /** The target's, as its agent told; undefined when it did not. */
  readonly agent: AgentSeries | undefined;
}

async function storeRecording(
  { prepared, secrets, writer, traces }: OpenRun,
  recording: Recording,
  { health, agent }: Machines,
): Promise<void> {
  for (const trace of keptTraces(recording.traces)) {
    traces.append(cutBodies(redactTrace(trace, secrets)));
  }
  await traces.finish(recording.traces.truncated);
  await writer.writeSeries(
    redact(seriesOf(recording.seconds, health), secrets),
  );
  if (agent) await writer.writeAgent(redact(agent, secrets));
  const ids = prepared.flow.steps.map((step) => step.id);
  await writer.writeHistograms(
    redact(await recording.histograms(ids), secrets),
  );
}

function metaOf(
  { prepared, facts, secrets }: OpenRun,
  { totals }: Recording,
  ending: RunEnding,
): Redacted<RunMeta> {
  return redact(summarise(facts, totals, ending, locator(prepared)), secrets);
}

/**
 * Leaves a directory that says what happened, when the engine itself broke, with
 * what the target's agent told until then.
 */
export async function storeFault(
  run: OpenRun,
  fault: unknown,
  durationMs: number,
  { series, notes }: Overlay,
): Promise<void> {
  const { facts, options, secrets, writer, traces } = run;
  // What broke the run is the news; trouble with the store comes after it.
  await traces.finish(true).catch(() => {});
  if (series) await writer.writeAgent(redact(series, secrets)).catch(() => {});
  await writeLast(
    run,
    redact({
      ...runningMeta(facts),
      status: "errored",
      verdict: "fail",
      exit_code: EXIT.errored,
      abort_reason: fault instanceof Error ? fault.message : String(fault),
      ...endOf(facts, durationMs),
      agent_attached: series !== undefined,
      notes: [...options.notes, ...notes],
    }, secrets),
  );
}
