import type {
  LatencyFigure,
  RunMeta,
  StepSummary,
} from "../../lib/model/result/run.ts";
import {
  countText,
  latencyText,
  perSecondText,
  shareText,
} from "../../lib/results/report/figures.ts";
import { isTooFew } from "../../lib/results/report/sample_sizes.ts";

/** As a sentence begins and ends. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** VUs are stored from 0 and counted from 1 wherever people read or type them. */
export function vuNumber(vu: number): number {
  return vu + 1;
}

/** A latency, as far as there was a sample. */
export function latencyOrNone(ms: number | null): string {
  return ms === null ? "–" : latencyText(ms);
}

type Timed = Pick<StepSummary, "latency" | "latency_intervals">;

/** A latency figure of a run or a step, as far as there are the samples for it. */
export function figureOrNone(
  name: Exclude<LatencyFigure, "p99.9">,
  { latency, latency_intervals }: Timed,
): string {
  return ofSamples(name, latency[name], latency_intervals);
}

/** A latency figure, as far as there are the samples for it. */
export function ofSamples(
  name: string,
  ms: number | null,
  counted: { readonly samples?: number } | undefined,
): string {
  return ms !== null && isTooFew(name, counted) ? "too few" : latencyOrNone(ms);
}

/** Null where there are too few samples for it. */
export function knownP95({ latency, latency_intervals }: Timed): number | null {
  return isTooFew("p95", latency_intervals) ? null : latency.p95;
}

/** A share, as far as there was anything to count. */
export function shareOrNone(share: number | null): string {
  return share === null ? "–" : shareText(share);
}

/** A count that need not be whole: `1,204`, `2.5`. */
export function averageText(value: number): string {
  return countText(Number(value.toFixed(1)));
}

/** `412/s`. */
export function rateText(perSecond: number): string {
  return `${perSecondText(perSecond)}/s`;
}

/** Of what the counts of a run are. */
export function spanOf({ status }: RunMeta): string {
  return status === "running" ? "so far" : "over the whole run";
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** The power of 1024 that bytes are read in: of 1,500, the first. */
export function bytePower(bytes: number): number {
  const power = bytes >= 1 ? Math.floor(Math.log2(bytes) / 10) : 0;
  return Math.min(power, BYTE_UNITS.length - 1);
}

/** `64 KiB`. */
export function bytesText(bytes: number): string {
  const power = bytePower(bytes);
  const value = bytes / 1024 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return `${Number(value.toFixed(digits))} ${BYTE_UNITS[power]}`;
}

/** `1.125 GiB`: all digits, in this power of 1024. */
export function exactBytesText(bytes: number, power: number): string {
  const value = Number((bytes / 1024 ** power).toPrecision(12));
  return `${countText(value)} ${BYTE_UNITS[power]}`;
}

/**
 * A moment of a run in UTC, to the millisecond: `2026-11-20T18:02:11.123Z`.
 *
 * @param startedAt the run's start, milliseconds since the epoch
 * @param us microseconds since then
 */
export function momentAt(startedAt: number, us: number): string {
  return new Date(startedAt + us / 1_000).toISOString();
}

/** Colours that distinguish steps; more steps than these share them. */
export const STEP_COLOURS = 6;

/** `s0` to `s5`, `s-none` for what is no step. */
export function stepClass(ids: readonly string[], name: string): string {
  const at = ids.indexOf(name);
  return at < 0 ? "s-none" : `s${at % STEP_COLOURS}`;
}
