import { type Figures, METRICS, textBeside } from "../../model/metrics.ts";
import { sum } from "../../base/values/sum.ts";
import {
  comparisonOf,
  formatThreshold,
} from "../../language/expressions/threshold.ts";
import type { Threshold } from "../../language/ir.ts";
import type { AgentSample } from "../../model/result/agent.ts";
import type { Knee } from "../../model/result/run.ts";
import type { Distribution } from "../../model/metrics.ts";
import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../report/figures.ts";
import { measure } from "../report/thresholds.ts";
import { agentRates } from "../samples/agent_rates.ts";
import {
  classifyWindow,
  type Course,
  courseOf,
  type Reading,
  type Signal,
  signalOf,
  type Signals,
} from "./class.ts";
import {
  type BreakWindows,
  findBreak,
  type KneeSecond,
  type ReadingOf,
  stretchOf,
  type Window,
  windowsAround,
  windowsOf,
} from "./windows.ts";

/*
 * The words of a knee's detail.
 */

/** `13 VUs`, or `250/s offered`. */
function levelText(
  { vus, offered }: Pick<Window, "vus" | "offered">,
): string {
  if (offered !== undefined) return `${countText(offered)}/s offered`;
  return plural(vus, "VU");
}

/** When a window began. */
function momentText({ fromMs }: { readonly fromMs: number }): string {
  return fromMs === 0
    ? "at the start of the run"
    : `${latencyText(fromMs)} into the run`;
}

/** The threshold's own figure before the break, at the level of it, and what it grew to. */
function brokenText(
  threshold: Threshold,
  { before, broken }: BreakWindows,
  readingOf: ReadingOf,
): string {
  const text = (windows: readonly Window[]) => {
    const seconds = windows.flatMap((each) => each.seconds);
    const reading = readingOf(threshold, seconds);
    if (!reading) return "nothing";
    const { quantity } = METRICS[threshold.metric];
    return textBeside(quantity, reading.actual, comparisonOf(threshold).limit);
  };
  const [knee] = broken;
  const last = broken.at(-1)!;
  return [
    ...before.length === 0 ? [] : [`${text(before)} before`],
    `${text([knee])} at the break`,
    ...levelText(last) === levelText(knee)
      ? []
      : [`${text([last])} at ${levelText(last)}`],
  ].join(", ");
}

/** The readings in words: as the ramp began, just before the break, and at it. */
function signalText(signals: Signals, attached: boolean): string {
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
function unlevelText(
  breached: readonly Threshold[],
  windows: readonly Window[],
  readingOf: ReadingOf,
): string {
  const names = breached.map(formatThreshold).join(", ");
  const isKnown = (threshold: Threshold) =>
    windows.some(({ seconds }) => readingOf(threshold, seconds) !== undefined);
  if (windows.length === 0) {
    return `no level: ${names} broke, but no iteration was completed`;
  }
  if (!breached.some(isKnown)) {
    return `no level: ${names} broke, whose figure is not known by the second`;
  }
  if (windows.length === 1) {
    return `no level: ${names} broke, but ${
      plural(windows[0]!.completed, "iteration")
    } do not show at which`;
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

/** The series that the knee of a stress run is found in. */
interface KneeEvidence<S extends KneeSecond> {
  /** The thresholds that the whole run broke; one at least. */
  readonly breached: readonly Threshold[];
  readonly seconds: readonly S[];
  /** The spread of the latencies in some of them. */
  readonly latencyOf: (seconds: readonly S[]) => Distribution;
  /** The figures of a step, or of a flow of a mix, in some of them. */
  readonly partOf?: (part: string, seconds: readonly S[]) => Figures;
  /** As saved; empty without a reading. */
  readonly samples: readonly AgentSample[];
}

/**
 * Where and why a breaching stress run broke. The one routine behind `meta.json`,
 * the `knee_point_found:` line and the run page. Pure.
 */
export function findKnee<S extends KneeSecond>(
  evidence: KneeEvidence<S>,
): Knee {
  const { breached, seconds, latencyOf, partOf, samples } = evidence;
  const readingOf: ReadingOf = (threshold, some) => {
    if (threshold.step !== undefined) {
      const figures = partOf?.(threshold.step, some as readonly S[]);
      return figures && measure(threshold, figures);
    }
    return measure(threshold, {
      completed: sum(some, (each) => each.completed),
      failed: sum(some, (each) => each.iterations_failed),
      throttled: sum(some, (each) => each.iterations_throttled),
      // Windows are made of the seconds of the run.
      latency: latencyOf(some as readonly S[]),
      bytes: sum(some, (each) => each.bytes_received),
      seconds: some.length,
    });
  };
  const windows = windowsOf(seconds);
  const found = findBreak(breached, windows, readingOf);
  if (!found) {
    const detail = unlevelText(breached, windows, readingOf);
    const threshold = formatThreshold(breached[0]!);
    const nowhere = { vus: null, at_ms: null, threshold };
    return { class: "inconclusive", detail, ...nowhere };
  }
  const around = windowsAround(found);
  const signals = signalsOf(around, samples);
  const attached = samples.length > 0;
  const verdict = classifyWindow(signals, attached);
  const [knee] = found.broken;
  const threshold = formatThreshold(found.threshold);
  const parts = [
    `at ${levelText(knee)}, ${momentText(knee)}, ${threshold} broke: ${
      brokenText(found.threshold, around, readingOf)
    }`,
    signalText(signals, attached),
    verdict.reason,
    ...(found.recovered
      ? [`it held again from ${levelText(found.recovered)}`]
      : []),
  ];
  return {
    class: verdict.class,
    detail: parts.join("; "),
    vus: knee.vus,
    threshold,
    at_ms: knee.fromMs,
  };
}

function signalsOf(
  around: BreakWindows,
  samples: readonly AgentSample[],
): Signals {
  const points = agentRates(samples);
  const stretches = courseOf(around, stretchOf);
  const cores = samples.findLast((each) => each.cpu_cores)?.cpu_cores;
  return {
    cpu: signalOf(points, "cpu", stretches),
    memory: signalOf(points, "memory", stretches),
    load: signalOf(points, "load", stretches),
    throttleRate: courseOf(around, throttleRate),
    ...(cores && { cores }),
  };
}

/** @returns undefined of no windows */
function throttleRate(
  windows: readonly Window[],
): Reading | undefined {
  const stretch = stretchOf(windows);
  if (!stretch) return;
  const seconds = windows.flatMap((each) => each.seconds);
  const completed = sum(seconds, (each) => each.completed);
  const throttled = sum(seconds, (each) => each.iterations_throttled);
  return {
    value: completed === 0 ? 0 : throttled / completed,
    atMs: (stretch.fromMs + stretch.toMs) / 2,
  };
}

/** A run at one level of load. */
export interface LevelReading {
  readonly level: number;
  readonly throttleRate: number;
  /** As saved; empty without a reading. */
  readonly samples: readonly AgentSample[];
}

/** Runs before a break and at it; absent where there is none. */
type LevelReadings =
  & Course<LevelReading>
  & Required<Pick<Course<LevelReading>, "broken">>;

/**
 * Why a target breaks between two levels that were measured by runs of their own, by
 * the rules for a knee; a level stands where the moment of a ramp does.
 */
export function causeOverLevels(
  runs: LevelReadings,
): Pick<Knee, "class" | "detail"> {
  const all = [runs.first, runs.before, runs.broken];
  const attached = all.some((run) => run && run.samples.length > 0);
  const cores = runs.broken.samples.findLast((each) => each.cpu_cores)
    ?.cpu_cores;
  const machine = (pick: "cpu" | "memory" | "load") =>
    courseOf(runs, (run) => meanOf(run, pick));
  const signals = {
    cpu: machine("cpu"),
    memory: machine("memory"),
    load: machine("load"),
    throttleRate: courseOf(
      runs,
      (run) => ({ value: run.throttleRate, atMs: run.level }),
    ),
    ...(cores && { cores }),
  };
  const verdict = classifyWindow(signals, attached);
  return {
    class: verdict.class,
    detail: `${signalText(signals, attached)}; ${verdict.reason}`,
  };
}

/** Over the whole run, which is at one level. */
function meanOf(
  { level, samples }: LevelReading,
  pick: "cpu" | "memory" | "load",
): Reading | undefined {
  const whole = { fromMs: -Infinity, toMs: Infinity };
  const { broken } = signalOf(agentRates(samples), pick, { broken: whole });
  return broken && { value: broken.value, atMs: level };
}
