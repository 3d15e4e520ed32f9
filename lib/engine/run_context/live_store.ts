import { LiveRecording } from "../../results/record/live_recording.ts";
import { seriesOf } from "../../results/record/series.ts";
import {
  cutBodies,
  redact,
  redactTrace,
} from "../../results/redact/redacted.ts";
import { progressMeta, runningMeta } from "../../results/report/summary.ts";
import type { CountedFigures } from "../../results/exposition/exposition.ts";
import type { AgentSampling } from "./agent_samples.ts";
import { mergeLatencies } from "../../results/histograms/latencies.ts";
import { wholeStretches } from "../../results/histograms/latency_stretches.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import { hiddenTotals } from "./files.ts";
import { locator } from "./facts.ts";
import type { RunContext } from "./run_context.ts";

/** Beyond this no more traces are written before the end. */
const MOST_TRACE_BYTES = 64 * 1024 * 1024;

/**
 * Writes what a run recorded so far, for who looks at it while it goes on, and
 * for one that is killed: seconds, readings of the agent and traces are added to
 * their files, and `meta.json` says what was counted.
 */
export class LiveStore {
  readonly #live = new LiveRecording();
  #traceBytes = 0;
  #samples = 0;

  constructor(readonly run: RunContext, readonly agent: AgentSampling) {}

  figures(): CountedFigures {
    return this.#live.figures();
  }

  /** What is known of the latencies, up to a moment that they are whole at. */
  latencies(elapsedMs: number): LatencyEvidence {
    const others = this.run.workers.soFar?.() ?? [];
    const durationMs = Math.min(
      elapsedMs,
      ...others.map((each) => each.untilMs),
    );
    const { response, stretches } = mergeLatencies([
      ...this.#live.latencies(),
      ...others.flatMap(({ workers }) =>
        workers.flatMap(({ snapshot: { steps } }) =>
          steps.map((each) => each.latencies)
        )
      ),
    ]);
    return {
      latency: response.distribution(),
      blocks: wholeStretches(stretches, durationMs),
      durationMs,
    };
  }

  /**
   * To be called about once a second.
   *
   * @param whole with the latencies, which else come every fifth time
   * @throws {StoreError}
   */
  async write(elapsedMs: number, whole: boolean): Promise<void> {
    const { workers, writer, otherRows, traces: file } = this.run;
    const { secrets, facts, prepared } = this.run;
    if (writer.dir === undefined && !whole) return;
    const increments = await workers.increments(this.#live.missed(whole));
    const { seconds, traces } = this.#live.add(increments);
    if (writer.dir === undefined) return;
    for (const trace of traces) this.#append(trace);
    file.flush();
    await otherRows.flush(writer);
    if (seconds.length > 0) {
      await writer.appendSeries(redact(seriesOf(seconds), secrets));
    }
    await this.#appendReadings();
    const ids = prepared.flow.steps.map((step) => step.id);
    const histograms = await this.#live.histograms(ids);
    if (histograms) await writer.writeHistograms(redact(histograms, secrets));
    const totals = this.#live.totals();
    const meta = totals
      ? progressMeta(
        facts,
        hiddenTotals(totals, secrets),
        elapsedMs,
        locator(prepared),
      )
      : { ...runningMeta(facts), duration_ms: Math.round(elapsedMs) };
    const agent_attached = this.#samples > 0;
    await writer.writeMeta(redact({ ...meta, agent_attached }, secrets));
  }

  #append(trace: Parameters<typeof redactTrace>[0]): void {
    if (this.#traceBytes > MOST_TRACE_BYTES) return;
    const { traces, secrets } = this.run;
    this.#traceBytes += traces.append(cutBodies(redactTrace(trace, secrets)));
  }

  async #appendReadings(): Promise<void> {
    const { writer, secrets } = this.run;
    const { series } = this.agent.soFar();
    if (!series) return;
    const samples = series.samples.slice(this.#samples);
    this.#samples = series.samples.length;
    await writer.appendAgent(redact({ ...series, samples }, secrets));
  }
}
