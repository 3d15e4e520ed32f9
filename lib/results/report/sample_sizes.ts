import { countSamples } from "../../model/outcome.ts";
import {
  type Interval,
  type LatencyIntervals,
  PERCENTILES,
} from "../../model/result/latency.ts";
import {
  LATENCY_FIGURES,
  type LatencyFigure,
  type LatencySummary,
  type StepSummary,
} from "../../model/result/run.ts";
import { latencyText } from "./figures.ts";
import { leastSamples } from "../statistics/sample_floor.ts";

const PERCENTILE_NAMES = [
  ...PERCENTILES.map((p) => `p${p}` as const),
  "p99.9" as const,
];

/** The figures of a latency by name; `p99.9` where it is known. */
export function latencyFigures(
  latency: Extract<LatencySummary, { max: number }>,
): (readonly [LatencyFigure, number])[] {
  const far = latency["p99.9"];
  return LATENCY_FIGURES.flatMap((name) => [
    ...name === "max" && far !== undefined ? [["p99.9", far] as const] : [],
    [name, latency[name]] as const,
  ]);
}

/** How many latencies were measured. */
export function latencySamples(
  { attempts, latency_intervals }: StepSummary,
): number {
  // Earlier versions did not store how many there were, but each attempt had one.
  return latency_intervals?.samples ?? countSamples(attempts);
}

/** Whether a latency figure rests on too few samples to say anything. */
export function isTooFew(
  name: string,
  counted: { readonly samples?: number } | undefined,
): boolean {
  // Earlier versions did not store how many there were.
  return counted?.samples !== undefined && isTooFewOf(name, counted.samples);
}

/** Whether so many samples are too few for a latency figure. */
export function isTooFewOf(name: string, samples: number): boolean {
  return PERCENTILE_NAMES.some((each) => each === name) &&
    samples < leastSamples(Number(name.slice(1)));
}

/** The figures of a latency that at least one of these steps has the samples for. */
export function knownFigures<Name extends LatencyFigure>(
  names: readonly Name[],
  steps: readonly Pick<StepSummary, "latency" | "latency_intervals">[],
): Name[] {
  return names.filter((name) =>
    steps.some(({ latency, latency_intervals }) =>
      latency.max !== null && !isTooFew(name, latency_intervals)
    )
  );
}

/** A latency figure in a table; `-` where there is none. */
export function latencyCell(
  name: LatencyFigure,
  latency: LatencySummary,
  intervals: LatencyIntervals | undefined,
): string {
  const ms = latency.max === null ? undefined : latency[name];
  if (ms === undefined) return "-";
  return isTooFew(name, intervals) ? "too few" : latencyText(ms);
}

/** A wider one, from its lower to its upper end, says nothing to a reader. */
const WIDEST = 4;

/** The intervals that say something, by the name of the percentile. */
export function knownIntervals(
  intervals: LatencyIntervals | undefined,
): (Interval & { readonly name: string })[] {
  return PERCENTILE_NAMES.flatMap((name) => {
    const interval = intervals?.[name];
    return interval && interval.high <= interval.low * WIDEST
      ? [{ name, ...interval }]
      : [];
  });
}

/** Of a run that makes no load: its seconds are not alike. */
export function noIntervals(samples: number): LatencyIntervals {
  return { samples, p50: null, p90: null, p95: null, p99: null };
}
