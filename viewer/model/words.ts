import {
  countText,
  latencyText,
  shareText,
} from "../../lib/results/report/figures.ts";

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
  const digits = perSecond >= 100 ? 0 : perSecond >= 10 ? 1 : 2;
  return `${countText(Number(perSecond.toFixed(digits)))}/s`;
}

/** `64 KiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number(value.toFixed(value >= 100 ? 0 : 1))} ${units[unit]}`;
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
