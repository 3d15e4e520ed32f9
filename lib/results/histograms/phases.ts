import type { Marks } from "../../model/result/response.ts";
import { STEP_PHASES, type StepPhase } from "../../model/result/latency.ts";
import type { Distribution } from "../../model/result/totals.ts";
import { Histogram, type HistogramData, mergeHistograms } from "./histogram.ts";

/** Histograms of one step's phases as plain data; an absent one is empty. */
export type PhaseData = Readonly<Partial<Record<StepPhase, HistogramData>>>;

/** How long the phases of the exchanges of one step took. */
export class PhaseRecorder {
  readonly #phases: Partial<Record<StepPhase, Histogram>> = {};

  /** An exchange that failed on its way has no phases to compare. */
  note(marks: Readonly<Marks>): void {
    const { start, dns, connect, tls, firstByte, end } = marks;
    if (marks.failed !== undefined || Number.isNaN(firstByte)) return;
    let at = Number.isNaN(dns) ? start : dns;
    if (!Number.isNaN(connect)) {
      this.#record("connect", connect - at);
      at = connect;
    }
    if (!Number.isNaN(tls)) {
      this.#record("tls", tls - at);
      at = tls;
    }
    this.#record("ttfb", firstByte - at);
    this.#record("transfer", end - firstByte);
  }

  data(): PhaseData {
    const known = Object.entries(this.#phases);
    return Object.fromEntries(known.map(([name, each]) => [name, each.data()]));
  }

  #record(phase: StepPhase, ms: number): void {
    (this.#phases[phase] ??= new Histogram()).record(ms);
  }
}

/** Puts the phases of several recorders together. */
export function mergePhases(
  parts: readonly PhaseData[],
): Partial<Record<StepPhase, Distribution>> {
  const known = STEP_PHASES.flatMap((name) => {
    const all = parts.flatMap((part) => part[name] ?? []);
    return all.length === 0
      ? []
      : [[name, mergeHistograms(all).distribution()] as const];
  });
  return Object.fromEntries(known);
}
