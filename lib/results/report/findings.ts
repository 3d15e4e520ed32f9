import { sum } from "../../base/values/sum.ts";
import { countText, latencyText, plural, shareText } from "./figures.ts";
import { latencySamples } from "./sample_sizes.ts";
import type { Part } from "../../model/course.ts";
import type { Finding } from "../../model/result/findings.ts";
import type { RunMeta, StepSummary } from "../../model/result/run.ts";
import type { SecondPoint } from "../../model/result/series.ts";
import { rateBounds } from "../statistics/difference_bounds.ts";
import { leastSamples } from "../statistics/sample_floor.ts";
import { theilSen } from "../statistics/drift.ts";

/** A load run that ended, with what its findings are made of. */
interface EndedRun {
  /** Without findings. */
  readonly meta: RunMeta;
  readonly seconds: readonly SecondPoint[];
  /** Shares of the cores that the target's machine used, a reading each. */
  readonly targetCpu: readonly number[];
  /** The longest part of it at one level of load. */
  readonly steady: Part;
}

/** Findings of a load run, as far as they can be said for sure. */
export function findingsOf(run: EndedRun): Finding[] {
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

function generator({ meta: { generator } }: EndedRun): Finding | undefined {
  if (!generator?.limited) return;
  return {
    name: "generator_limited",
    seen: `${generator.detail.slice(0, 1).toUpperCase()}${
      generator.detail.slice(1)
    }.`,
    why:
      "Rates and latencies are those of the machine that sends, not of the target.",
    hint:
      "run it on a machine of its own or with more cores, or offer less (`vus`, `arrival_cap`, `stages`)",
  };
}

/** A smaller share of the iterations is of no matter. */
const MANY = 0.01;
const CONFIDENCE = 0.95;

function throttledFirst({ meta, seconds }: EndedRun): Finding | undefined {
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
    name: "throttled_first",
    seen: `The target throttled ${
      shareText(throttle_rate)
    } of the iterations and failed ${shareText(error_rate)}.`,
    why: "It limits the rate before it breaks: what it can do was not reached.",
    hint:
      "offer less than the limit (`arrival_cap`, `stages`), or raise the limit",
  };
}

/** Of all cores, and readings that must agree on it. */
const FULL = 0.95;
const READINGS = 5;

function coresReached({ targetCpu }: EndedRun): Finding | undefined {
  const full = targetCpu.filter((cpu) => cpu >= FULL).length;
  if (full < READINGS || full < targetCpu.length / 3) return;
  return {
    name: "target_cpu",
    seen: `The target's machine used ${
      shareText(FULL)
    } or more of its cores in ${plural(full, "reading")} of ${
      countText(targetCpu.length)
    }.`,
    why: "More load only waits longer there.",
    hint: "give the target more cores, or find what takes them",
  };
}

const SHARE_OF_ONE = 0.7;
/** Fewer say little about where time goes. */
const LEAST = 100;

function mostlyOneStep({ meta: { steps } }: EndedRun): Finding | undefined {
  const timed = steps.filter(({ latency, throttled_latency }) =>
    latency.avg !== null || throttled_latency.avg !== null
  );
  const total = sum(timed, timeOf);
  const longest = timed.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
  if (timed.length < 2 || !longest || responsesOf(longest) < LEAST) return;
  const share = timeOf(longest) / total;
  if (share < SHARE_OF_ONE) return;
  return {
    name: "one_step",
    seen: `\`${longest.id}\` takes ${
      shareText(share)
    } of the time that steps wait for responses.`,
    why: "Nothing that is done to the other steps changes much.",
    hint: "look at its slowest traces and its phases",
  };
}

const SHARE_OF_SETUP = 0.3;

function connections({ meta: { steps } }: EndedRun): Finding | undefined {
  const phases = steps.flatMap(({ phases }) => phases ?? []);
  const time = (name: "connect" | "tls" | "ttfb" | "transfer") =>
    sum(phases, ({ [name]: each }) => each ? each.count * each.avg : 0);
  const opened = sum(phases, ({ connect }) => connect?.count ?? 0);
  const setUp = time("connect") + time("tls");
  const frames = sum(steps, timeOfFrames);
  const share = setUp / (setUp + time("ttfb") + time("transfer") + frames);
  if (opened < LEAST || !(share >= SHARE_OF_SETUP)) return;
  return {
    name: "connections",
    seen: `${countText(opened)} connections were opened, which took ${
      shareText(share)
    } of the time of all exchanges.`,
    why: "What is measured is mostly how fast connections open.",
    hint:
      "let the target keep connections alive; a VU uses its own again in the next step",
  };
}

/** Frames of open sessions have latencies, but no phases. */
function timeOfFrames(step: StepSummary): number {
  const others = step.phases?.ttfb?.count ?? 0;
  return (step.latency.avg ?? 0) * Math.max(0, latencySamples(step) - others);
}

/** Seconds of a run that can drift, and parts of it that are looked at. */
const LONG = 60;
const WINDOWS = 30;
/** Over the run, of what it began with: less is of no matter. */
const GROWTH = 0.1;

/** p95 surely rose, with as many VUs all the time. */
function drift({ meta, seconds, steady }: EndedRun): Finding | undefined {
  // A soak run says itself what drifted.
  if (meta.drift) return;
  const used = seconds.filter(({ t, p95 }) =>
    p95 !== null && t * 1_000 >= steady.fromMs && t * 1_000 < steady.toMs
  );
  const vus = used.map((each) => each.vus);
  if (used.length < LONG || Math.max(...vus) > median(vus) * 1.05) return;
  const width = Math.ceil(used.length / WINDOWS);
  const points = Array.from(
    { length: Math.floor(used.length / width) },
    (_, i) => {
      const part = used.slice(i * width, (i + 1) * width);
      return { x: part[0]!.t, y: median(part.map((each) => each.p95!)) };
    },
  );
  const line = theilSen(points);
  if (!line) return;
  const [from, to] = [points[0]!.x, points.at(-1)!.x];
  const at = (x: number) => line.intercept + line.slope * x;
  if (!(line.low * (to - from) >= at(from) * GROWTH)) return;
  return {
    name: "drift",
    seen: `p95 of a typical second rose from ${latencyText(at(from))} to ${
      latencyText(at(to))
    } over the run, with as many VUs.`,
    why: "Something fills up or leaks; a longer run would be slower still.",
    hint: "run it longer (`soak`), with an agent on the target",
  };
}

/** Fewer than from which the run says a percentile at all. */
function tooFew({ meta: { thresholds } }: EndedRun): Finding | undefined {
  const weak = thresholds.flatMap(({ expression, stat = "", samples }) => {
    const least = /^p\d+$/.test(stat) ? leastSamples(Number(stat.slice(1))) : 0;
    return samples > 0 && samples < least
      ? [{ expression, samples, least, stat }]
      : [];
  });
  if (weak.length === 0) return;
  const floors = new Map(weak.map(({ stat, least }) => [stat, least]));
  const each = [...floors].map(([stat, least]) =>
    `a ${stat} of fewer than ${countText(least)} samples`
  );
  return {
    name: "few_samples",
    seen: weak.map(({ expression, samples }) =>
      `\`${expression}\` is judged over ${plural(samples, "sample")}.`
    ).join(" "),
    why: `Chance decides what ${each.join(" or ")} is.`,
    hint: "run longer, or judge a lower percentile",
  };
}

function responsesOf(step: StepSummary): number {
  return latencySamples(step) + step.attempts.throttled;
}

/** Throttles are waited for as well, though their latencies are apart. */
function timeOf(step: StepSummary): number {
  return (step.latency.avg ?? 0) * latencySamples(step) +
    (step.throttled_latency.avg ?? 0) * step.attempts.throttled;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
