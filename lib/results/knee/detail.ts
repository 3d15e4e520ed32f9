import { formatThreshold } from "../../language/expressions/threshold.ts";
import type { Threshold } from "../../language/ir.ts";
import { latencyText, shareText } from "../report/figures.ts";
import type { Signal, Signals } from "./signals.ts";
import type { BreakWindows } from "./break.ts";
import type { ReadingOf, Window } from "./windows.ts";

/*
 * The words of a knee's detail.
 */

/** `13 VUs`. */
export function levelText({ vus }: { readonly vus: number }): string {
  return `${vus} VU${vus === 1 ? "" : "s"}`;
}

/** When a window began. */
export function momentText({ fromMs }: { readonly fromMs: number }): string {
  return fromMs === 0
    ? "at the start of the run"
    : `${latencyText(fromMs)} into the run`;
}

/** The threshold's own figure before the break, at the level of it, and what it grew to. */
export function brokenText(
  threshold: Threshold,
  { before, broken }: BreakWindows,
  readingOf: ReadingOf,
): string {
  const text = (windows: readonly Window[]) => {
    const seconds = windows.flatMap((each) => each.seconds);
    const reading = readingOf(threshold, seconds);
    if (!reading) return "nothing";
    return threshold.metric === "latency"
      ? latencyText(reading.actual)
      : shareText(reading.actual);
  };
  const [knee] = broken;
  const last = broken.at(-1)!;
  return [
    ...before.length === 0 ? [] : [`${text(before)} before`],
    `${text([knee])} at the break`,
    ...last.vus === knee.vus ? [] : [`${text([last])} at ${levelText(last)}`],
  ].join(", ");
}

/** What was read as the ramp began, just before the break, and at it. */
export function signalText(signals: Signals, attached: boolean): string {
  const { cpu, memory, load, throttleRate, cores } = signals;
  const busy = cpu.broken && cores
    ? ` (${(cpu.broken.value * cores).toFixed(1)} of ${cores} cores)`
    : "";
  const machine = [
    `CPU ${course(cpu, percent)}${busy}`,
    `memory ${course(memory, percent)}`,
    `load per core ${course(load, (value) => value.toFixed(2))}`,
  ];
  return [
    ...(attached ? machine : []),
    `throttle_rate ${course(throttleRate, shareText)}`,
  ].join(", ");
}

/** `10% -> 58% -> 60%`; the agent may have missed any of them. */
function course(
  { first, before, broken }: Signal,
  text: (value: number) => string,
): string {
  const calm = [first, before].filter((each) => each !== undefined);
  return [...calm, broken]
    // A run that was calm for one window only has one reading of it.
    .filter((each, index, all) => !each || each.atMs !== all[index - 1]?.atMs)
    .map((each) => each ? text(each.value) : "not read")
    .join(" -> ");
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Why a run that broke a threshold has no level at which it did. */
export function unlevelText(
  breached: readonly Threshold[],
  windows: readonly Window[],
  readingOf: ReadingOf,
): string {
  const names = breached.map(formatThreshold).join(", ");
  if (windows.length === 0) {
    return `no level: ${names} broke, but no iteration was completed`;
  }
  const single = windows.find(({ seconds }) =>
    breached.some((each) => readingOf(each, seconds)?.pass === false)
  );
  return single
    ? `no level: ${names} broke, but never in two windows running; first at ${
      levelText(single)
    }, ${momentText(single)}`
    : `no level: ${names} broke over the whole run, but in no window by itself`;
}
