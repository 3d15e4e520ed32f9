import type { Trace } from "../../model/result/trace.ts";
import { seriesOf } from "../../results/record/series.ts";
import { redact, storedTrace } from "../../results/redact/redacted.ts";
import { progressMeta, runningMeta } from "../../results/report/summary.ts";
import { StoreError } from "../../results/store/layout.ts";
import { hiddenTotals } from "./files.ts";
import { locator } from "./facts.ts";
import { setupSoFar } from "./once.ts";
import { writeHistograms } from "./histogram_file.ts";
import type { Listener, RunContext, RunSecond } from "./run_context.ts";
import { shareSoFarOf } from "./stored_share.ts";

/** The listeners that write to the run directory while the run goes on. */
export function storeListeners(run: RunContext): readonly Listener[] {
  const share = shareSoFarOf(run);
  return [
    signOfLife(run),
    ...run.writer.dir === undefined ? [] : [new LiveStore(run)],
    ...share ? [share] : [],
  ];
}

/** Says that the run goes on. A store that cannot be written any more ends it. */
function signOfLife(
  { writer, traces, options: { clock, stop } }: RunContext,
): Listener {
  return {
    async second() {
      try {
        traces.flush();
        await writer.heartbeat(clock.wall());
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        stop.soft("store_error", error.message);
      }
    },
  };
}

/** Beyond this no more traces are written before the end. */
const MOST_TRACE_BYTES = 64 * 1024 * 1024;

/**
 * Writes what a run recorded so far, for who looks at it while it goes on, and
 * for one that is killed: seconds, readings of the agent and traces are added to
 * their files, and `meta.json` says what was counted.
 */
class LiveStore implements Listener {
  #traceBytes = 0;
  #samples = 0;

  constructor(readonly run: RunContext) {}

  /** @throws {StoreError} */
  async second(
    { elapsedMs: sinceStart, recording, news, pause }: RunSecond,
  ): Promise<void> {
    const { writer, otherRows, secrets, facts, prepared, setup } = this.run;
    const { seconds, traces } = news;
    for (const trace of traces) {
      this.#append(trace);
      await pause();
    }
    this.run.traces.flush();
    await otherRows.flush(writer);
    if (seconds.length > 0) {
      await writer.appendSeries(redact(seriesOf(seconds), secrets));
    }
    await this.#appendReadings();
    const ids = prepared.flow.steps.map((step) => step.id);
    const histograms = await recording.histograms(ids);
    if (histograms) await writeHistograms(writer, histograms, secrets, pause);
    await pause();
    const totals = recording.totals();
    await pause();
    const elapsedMs = Math.max(0, sinceStart);
    const meta = totals
      ? progressMeta(
        facts,
        hiddenTotals(totals, secrets),
        elapsedMs,
        locator(prepared),
      )
      : { ...runningMeta(facts), duration_ms: Math.round(elapsedMs) };
    await pause();
    const known = {
      ...meta,
      agent_attached: this.#samples > 0,
      ...setupSoFar(setup),
    };
    await writer.writeMeta(redact(known, secrets));
  }

  #append(trace: Trace): void {
    if (this.#traceBytes > MOST_TRACE_BYTES) return;
    const { traces, secrets } = this.run;
    this.#traceBytes += traces.append(storedTrace(trace, secrets));
  }

  async #appendReadings(): Promise<void> {
    const { writer, secrets, agent } = this.run;
    const { series } = agent.soFar();
    if (!series) return;
    const samples = series.samples.slice(this.#samples);
    this.#samples = series.samples.length;
    await writer.appendAgent(redact({ ...series, samples }, secrets));
  }
}
