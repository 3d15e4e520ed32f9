import { sum } from "../../lib/base/values/sum.ts";
import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta, StepSummary } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { rateBounds } from "../../lib/results/statistics/rate_bounds.ts";
import { leastSamples } from "../../lib/results/statistics/sample_floor.ts";
import { theilSen } from "../../lib/results/statistics/theil_sen.ts";
import { chunks } from "./timeline.ts";
import { sentence } from "./words.ts";
import type { AgentPoint } from "./agent_timeline.ts";

/** Something a reader of a load run should know. */
interface Finding {
  readonly seen: string;
  readonly why: string;
  readonly hint: string;
}

/** What findings are made of. */
interface Findable {
  readonly meta: RunMeta;
  readonly seconds: readonly SecondPoint[];
  readonly agent: readonly AgentPoint[];
}

/** What stands out in a load run, as far as it can be said for sure. */
export function findingsOf(run: Findable): Finding[] {
  if (run.meta.rows || run.meta.status === "running") return [];
  return [
    generator,
    throttledFirst,
    coresReached,
    mostlyOneStep,
    connections,
    drift,
    tooFew,
  ].flatMap((find) => find(run) ?? []);
}

function generator({ meta: { generator } }: Findable): Finding | undefined {
  if (!generator?.limited) return;
  return {
    seen: sentence(generator.detail),
    why:
      "Rates and latencies are those of the machine that sends, not of the target.",
    hint:
      "run it on a machine of its own or with more cores, or offer less (`vus`, `arrival_cap`)",
  };
}

/** A smaller share of the iterations is of no matter. */
const MANY = 0.01;
const CONFIDENCE = 0.95;

function throttledFirst({ meta, seconds }: Findable): Finding | undefined {
  const { throttle_rate, error_rate, thresholds } = meta;
  const broke = thresholds.some(({ metric, pass }) =>
    !pass && metric !== "throttle_rate"
  );
  if (throttle_rate < MANY || broke) return;
  const completed = seconds.map((each) => each.completed);
  const [throttled, failed] =
    (["iterations_throttled", "iterations_failed"] as const).map((key) =>
      rateBounds(seconds.map((each) => each[key] ?? 0), completed, CONFIDENCE)
    );
  if (!throttled || !failed) return;
  // Failures that surely matter are a break, however many throttles there are.
  if (throttled.low <= failed.high || failed.low >= MANY) return;
  return {
    seen: `The target throttled ${
      shareText(throttle_rate)
    } of the iterations and failed ${shareText(error_rate)}.`,
    why: "It limits the rate before it breaks: what it can do was not reached.",
    hint: "offer less than the limit (`arrival_cap`), or raise the limit",
  };
}

/** Of all cores, and readings that must agree on it. */
const FULL = 0.95;
const READINGS = 5;

function coresReached({ agent }: Findable): Finding | undefined {
  const use = agent.flatMap(({ cpu }) => cpu ?? []);
  const full = use.filter((cpu) => cpu >= FULL).length;
  if (full < READINGS || full < use.length / 3) return;
  return {
    seen: `The target's machine used ${
      shareText(FULL)
    } or more of its cores in ${plural(full, "reading")} of ${
      countText(use.length)
    }.`,
    why: "More load only waits longer there.",
    hint: "give the target more cores, or find what takes them",
  };
}

const SHARE_OF_ONE = 0.7;
/** Fewer say little about where time goes. */
const LEAST = 100;

function mostlyOneStep({ meta: { steps } }: Findable): Finding | undefined {
  const timed = steps.filter(({ latency }) => latency.avg !== null);
  const total = sum(timed, timeOf);
  const longest = timed.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
  if (timed.length < 2 || !longest || samplesOf(longest) < LEAST) return;
  const share = timeOf(longest) / total;
  if (share < SHARE_OF_ONE) return;
  return {
    seen: `\`${longest.id}\` takes ${
      shareText(share)
    } of the time that steps wait for responses.`,
    why: "Nothing that is done to the other steps changes much.",
    hint: "look at its slowest traces and its phases",
  };
}

const SHARE_OF_SETUP = 0.3;

function connections({ meta: { steps } }: Findable): Finding | undefined {
  const phases = steps.flatMap(({ phases }) => phases ?? []);
  const time = (name: "connect" | "tls" | "ttfb" | "transfer") =>
    sum(phases, ({ [name]: each }) => each ? each.count * each.avg : 0);
  const opened = sum(phases, ({ connect }) => connect?.count ?? 0);
  const setUp = time("connect") + time("tls");
  const share = setUp / (setUp + time("ttfb") + time("transfer"));
  if (opened < LEAST || !(share >= SHARE_OF_SETUP)) return;
  return {
    seen: `${countText(opened)} connections were opened, which took ${
      shareText(share)
    } of the time of all exchanges.`,
    why: "What is measured is mostly how fast connections open.",
    hint:
      "let the target keep connections alive; a VU uses its own again in the next step",
  };
}

/** Seconds of a run that can drift, and parts of it that are looked at. */
const LONG = 60;
const WINDOWS = 30;
/** Over the run, of what it began with: less is of no matter. */
const GROWTH = 0.1;

/** p95 surely rose, with as many VUs all the time. */
function drift({ meta, seconds }: Findable): Finding | undefined {
  // A soak run says itself what drifted.
  if (meta.drift) return;
  const used = seconds.filter(({ p95 }) => p95 !== null);
  const vus = used.map((each) => each.vus);
  if (used.length < LONG || Math.max(...vus) > median(vus) * 1.05) return;
  const width = Math.ceil(used.length / WINDOWS);
  const points = chunks(used, width).filter((part) => part.length === width)
    .map((part) => ({
      x: part[0]!.t,
      y: median(part.map((each) => each.p95!)),
    }));
  const line = theilSen(points);
  if (!line) return;
  const [from, to] = [points[0]!.x, points.at(-1)!.x];
  const at = (x: number) => line.intercept + line.slope * x;
  if (!(line.low * (to - from) >= at(from) * GROWTH)) return;
  return {
    seen: `p95 of a typical second rose from ${latencyText(at(from))} to ${
      latencyText(at(to))
    } over the run, with as many VUs.`,
    why: "Something fills up or leaks; a longer run would be slower still.",
    hint: "run it longer (`soak`), with an agent on the target",
  };
}

/** Fewer than from which the run says a percentile at all. */
function tooFew({ meta: { thresholds } }: Findable): Finding | undefined {
  const weak = thresholds.flatMap(({ expression, stat = "", samples }) => {
    const least = /^p\d+$/.test(stat) ? leastSamples(Number(stat.slice(1))) : 0;
    return samples > 0 && samples < least
      ? [{ expression, samples, least }]
      : [];
  });
  const [first] = weak;
  if (!first) return;
  return {
    seen: `${
      weak.map(({ expression }) => `\`${expression}\``).join(", ")
    } is judged over ${plural(first.samples, "sample")}.`,
    why: `Below ${
      countText(first.least)
    } chance decides what that percentile is.`,
    hint: "run longer, or judge a lower percentile",
  };
}

function timeOf(step: StepSummary): number {
  return (step.latency.avg ?? 0) * samplesOf(step);
}

function samplesOf({ attempts }: StepSummary): number {
  return attempts.passed + attempts.failed;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
