import { formatThreshold } from "../../language/expressions/threshold.ts";
import type { Threshold } from "../../model/ir/flow.ts";
import type { AgentSample } from "../../model/result/agent.ts";
import type { Knee } from "../../model/result/run.ts";
import { sum } from "../../base/values/sum.ts";
import { agentRates } from "../report/agent_rates.ts";
import { latencyText, shareText } from "../report/figures.ts";
import { type Break, findBreak } from "./break.ts";
import { classify } from "./class.ts";
import { type Signal, signalOf, type Signals } from "./signals.ts";
import {
  type KneeSecond,
  type LatencyOf,
  readingOf,
  type Window,
  windowsOf,
} from "./windows.ts";

/** What the knee of a stress run is found in. */
export interface KneeEvidence<S extends KneeSecond> {
  /** The thresholds that the whole run broke. */
  readonly breached: readonly Threshold[];
  readonly seconds: readonly S[];
  readonly latencyOf: LatencyOf<S>;
  /** As saved; empty when no agent answered. */
  readonly samples: readonly AgentSample[];
}

/** Windows after the break whose readings are its own and not of what followed. */
const AT_THE_BREAK = 5;

/**
 * Where and why a breaching stress run broke; null when no threshold was broken
 * in two windows running. The one routine behind `meta.json`, the
 * `knee_point_found:` line and the run page. Pure.
 */
export function findKnee<S extends KneeSecond>(
  evidence: KneeEvidence<S>,
): Knee | null {
  const { breached, seconds, latencyOf, samples } = evidence;
  const found = findBreak(breached, windowsOf(seconds), latencyOf);
  if (!found) return null;
  const at = found.broken.slice(0, AT_THE_BREAK);
  const signals = signalsOf(found.calm, at, samples);
  const verdict = classify(signals, samples.length > 0);
  const [knee] = found.broken;
  const parts = [
    `at ${levelText(knee)}, ${timeText(knee.fromMs)}, ${
      formatThreshold(found.threshold)
    } broke: ${broken(found, at, latencyOf)}`,
    signalText(signals, samples.length > 0),
    verdict.reason,
    ...(found.recovered
      ? [`it held again from ${levelText(found.recovered)}`]
      : []),
  ];
  return {
    class: verdict.class,
    detail: parts.join("; "),
    vus: knee.vus,
    threshold: formatThreshold(found.threshold),
    at_ms: knee.fromMs,
  };
}

function signalsOf<S extends KneeSecond>(
  calm: readonly Window<S>[],
  at: readonly Window<S>[],
  samples: readonly AgentSample[],
): Signals {
  const points = agentRates(samples);
  const before = calm.length === 0 ? undefined : {
    fromMs: calm[0]!.fromMs,
    toMs: calm.at(-1)!.toMs,
  };
  const during = { fromMs: at[0]!.fromMs, toMs: at.at(-1)!.toMs };
  const signal = (pick: "cpu" | "memory" | "load") =>
    signalOf(points, pick, before, during);
  return {
    cpu: signal("cpu"),
    memory: signal("memory"),
    load: signal("load"),
    throttleRate: {
      ...(calm.length > 0 && { calm: throttleRate(calm) }),
      broken: throttleRate(at),
    },
  };
}

function throttleRate<S extends KneeSecond>(
  windows: readonly Window<S>[],
): number {
  const seconds = windows.flatMap((each) => each.seconds);
  const completed = sum(seconds, (each) => each.completed);
  return completed === 0
    ? 0
    : sum(seconds, (each) => each.iterationsThrottled) / completed;
}

/** The threshold's own figure before and at the break. */
function broken<S extends KneeSecond>(
  { threshold, calm }: Break<S>,
  at: readonly Window<S>[],
  latencyOf: LatencyOf<S>,
): string {
  const text = (windows: readonly Window<S>[]) => {
    const seconds = windows.flatMap((each) => each.seconds);
    const reading = readingOf(threshold, seconds, latencyOf);
    if (!reading) return "nothing";
    return threshold.metric === "latency"
      ? latencyText(reading.actual)
      : shareText(reading.actual);
  };
  const before = calm.length === 0 ? "" : `${text(calm)} before, `;
  return `${before}${text(at)} at the break`;
}

function signalText(signals: Signals, attached: boolean): string {
  const machine = [
    `CPU ${pair(signals.cpu, percent)}`,
    `memory ${pair(signals.memory, percent)}`,
    `load per core ${pair(signals.load, (value) => value.toFixed(2))}`,
  ];
  return [
    ...(attached ? machine : []),
    `throttle_rate ${pair(signals.throttleRate, shareText)}`,
  ].join(", ");
}

/** A reading before and at the break; the agent may have missed either. */
function pair(
  { calm, broken }: Signal,
  text: (value: number) => string,
): string {
  const after = broken === undefined ? "not read" : text(broken);
  return calm === undefined ? after : `${text(calm)} -> ${after}`;
}

function timeText(ms: number): string {
  return ms === 0
    ? "at the start of the run"
    : `${latencyText(ms)} into the run`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function levelText({ vus }: { readonly vus: number }): string {
  return `${vus} VU${vus === 1 ? "" : "s"}`;
}
