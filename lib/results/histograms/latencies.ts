import { STEP_PHASES, type StepPhase } from "../../model/result/latency.ts";
import type { Marks } from "../../model/result/response.ts";
import type { HistogramSet } from "../../model/result/series.ts";
import type { Distribution } from "../../model/metrics.ts";
import type { Latencies } from "../../model/result/totals.ts";
import { Histogram, type HistogramData, mergeHistograms } from "./histogram.ts";
import {
  LatencyStretches,
  mergeStretches,
  type StretchesData,
} from "./latency_stretches.ts";

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
  return eachPhase(parts, (merged) => merged.distribution());
}

/** The same, as data that merges again. */
export function joinPhases(parts: readonly PhaseData[]): PhaseData {
  if (parts.length === 1) return parts[0]!;
  return eachPhase(parts, (merged) => merged.data());
}

function eachPhase<Result>(
  parts: readonly PhaseData[],
  resultOf: (merged: Histogram) => Result,
): Partial<Record<StepPhase, Result>> {
  const known = STEP_PHASES.flatMap((name) => {
    const all = parts.flatMap((part) => part[name] ?? []);
    return all.length === 0
      ? []
      : [[name, resultOf(mergeHistograms(all))] as const];
  });
  return Object.fromEntries(known) as Partial<Record<StepPhase, Result>>;
}

/** Histograms of one step as plain data; an absent one is empty. */
export interface LatencyData {
  readonly service?: HistogramData;
  /** Absent as well when it is the same as `service`. */
  readonly response?: HistogramData;
  readonly throttled?: HistogramData;
  /** The response times of passed and failed attempts, over time. */
  readonly stretches?: StretchesData;
}

/**
 * The latencies of one step. Each histogram is made when it is first needed:
 * a step that sends nothing has none, and as long as every response time is
 * its service time, one histogram stands for both.
 */
export class LatencyRecorder {
  #service: Histogram | undefined;
  #response: Histogram | undefined;
  #throttled: Histogram | undefined;
  #stretches: LatencyStretches | undefined;

  /**
   * @param start the run's start on the run's clock, in milliseconds
   * @param stretches how many at most
   */
  constructor(readonly start: number, readonly stretches?: number) {}

  /** A passed or failed attempt that ended `at`, in milliseconds. */
  record(at: number, service: number, response: number): void {
    const histogram = this.#service ??= new Histogram();
    if (service !== response && this.#response === undefined) {
      this.#response = mergeHistograms([histogram.data()]);
    }
    histogram.record(service);
    this.#response?.record(response);
    const stretches = this.#stretches ??= new LatencyStretches(
      this.start,
      this.stretches,
    );
    stretches.record(at, response);
  }

  /** A throttled attempt, in milliseconds. */
  recordThrottled(service: number): void {
    (this.#throttled ??= new Histogram()).record(service);
  }

  data(): LatencyData {
    return {
      ...(this.#service && { service: this.#service.data() }),
      ...(this.#response && { response: this.#response.data() }),
      ...(this.#throttled && { throttled: this.#throttled.data() }),
      ...(this.#stretches && { stretches: this.#stretches.data() }),
    };
  }
}

/** The three histograms of several recorders, or several steps, put together. */
export interface MergedLatencies {
  readonly service: Histogram;
  readonly response: Histogram;
  readonly throttled: Histogram;
}

/** Puts latencies together. */
export function mergeLatencies(parts: readonly LatencyData[]): MergedLatencies {
  const merge = (pick: (part: LatencyData) => HistogramData | undefined) =>
    mergeHistograms(parts.map(pick).filter((each) => each !== undefined));
  const service = merge((part) => part.service);
  const alike = parts.every((part) => part.response === undefined);
  return {
    service,
    response: alike ? service : merge((part) => part.response ?? part.service),
    throttled: merge((part) => part.throttled),
  };
}

/** The stretches of several recorders: most of the work, for few readers. */
export function stretchesOf(
  parts: readonly { readonly stretches?: StretchesData }[],
): StretchesData {
  return mergeStretches(parts.flatMap(({ stretches }) => stretches ?? []));
}

/** Latencies put together as data that merges again. */
export function joinLatencies(parts: readonly LatencyData[]): LatencyData {
  if (parts.length === 1) return parts[0]!;
  const { service, response, throttled } = mergeLatencies(parts);
  return {
    service: service.data(),
    ...(response !== service && { response: response.data() }),
    throttled: throttled.data(),
    stretches: stretchesOf(parts),
  };
}

/** The figures a report reads. */
export function distributions(merged: MergedLatencies): Latencies {
  return {
    service: merged.service.distribution(),
    response: merged.response.distribution(),
    throttled: merged.throttled.distribution(),
  };
}

/** As `histograms.json` holds them. */
export function histogramSet(
  merged: MergedLatencies,
  stretches: StretchesData,
  encode: (histogram: Histogram) => string,
): HistogramSet {
  const service = encode(merged.service);
  return {
    service,
    response: merged.response === merged.service
      ? service
      : encode(merged.response),
    throttled: encode(merged.throttled),
    stretches,
  };
}
