import { formatThreshold } from "../../language/expressions/threshold.ts";
import type { Threshold } from "../../language/ir.ts";
import type { AgentSample } from "../../model/result/agent.ts";
import type { Knee } from "../../model/result/run.ts";
import type { Distribution } from "../../model/result/totals.ts";
import { measure } from "../report/thresholds.ts";
import { sum } from "../../base/values/sum.ts";
import { agentRates } from "../samples/agent_rates.ts";
import {
  type BreakWindows,
  findBreak,
  stretchOf,
  windowsAround,
} from "./break.ts";
import { classify } from "./class.ts";
import {
  brokenText,
  levelText,
  momentText,
  signalText,
  unlevelText,
} from "./detail.ts";
import { courseOf, type Reading, signalOf, type Signals } from "./signals.ts";
import {
  type KneeSecond,
  type ReadingOf,
  type Window,
  windowsOf,
} from "./windows.ts";

/** What the knee of a stress run is found in. */
interface KneeEvidence<S extends KneeSecond> {
  /** The thresholds that the whole run broke; one at least. */
  readonly breached: readonly Threshold[];
  readonly seconds: readonly S[];
  /** The spread of the latencies in some of them. */
  readonly latencyOf: (seconds: readonly S[]) => Distribution;
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
  const { breached, seconds, latencyOf, samples } = evidence;
  const readingOf: ReadingOf = (threshold, some) =>
    measure(threshold, {
      completed: sum(some, (each) => each.completed),
      failed: sum(some, (each) => each.iterations_failed),
      throttled: sum(some, (each) => each.iterations_throttled),
      // Windows are made of the seconds of the run.
      latency: latencyOf(some as readonly S[]),
    });
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
  const verdict = classify(signals, attached);
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
