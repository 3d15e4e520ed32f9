import { countAll, countSamples } from "../../lib/model/outcome.ts";
import { sum } from "../../lib/base/values/sum.ts";
import type {
  SecondPoint,
  StepOutcomes,
} from "../../lib/model/result/series.ts";
import { agentRates } from "../../lib/results/samples/agent_rates.ts";
import type { AgentSample } from "../../lib/model/result/agent.ts";

/** Some seconds of a run as one point of a chart; null where nothing happened. */
export interface TimelinePoint {
  /** Seconds since the run started. */
  readonly t: number;
  readonly vus: number;
  /** Attempts that ended, a second. */
  readonly rate: number;
  /** Shares of the iterations that ended. */
  readonly error_rate: number | null;
  readonly throttle_rate: number | null;
  /** Milliseconds, over passed and failed attempts. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
  readonly cpu_share: number | null;
  readonly core_wait_share: number | null;
  readonly loop_lag_ms: number | null;
  /** Attempts of each step that did anything, a second. */
  readonly steps: readonly StepOutcomes[];
}

/** A run's seconds, few enough for a chart. */
export interface Timeline {
  /** Seconds to a point. */
  readonly width: number;
  readonly points: readonly TimelinePoint[];
}

/** Which part of the run, and how finely. */
interface TimelineRange {
  /** Seconds since the start; the whole run when absent. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Points at most. */
  readonly most?: number;
  /** Seconds to a point, whatever `most` says. */
  readonly width?: number;
  /** Of the run; the last second is rarely a whole one. */
  readonly durationMs: number;
}

const DEFAULT_POINTS = 600;

/**
 * Merges seconds into points. Percentiles of merged seconds come from their
 * added counts, never from an average of percentiles; a bucket of the series
 * is 19 % wide, so they are right within 9 %.
 */
export function timelineOf(
  seconds: readonly SecondPoint[],
  { from = 0, to = Infinity, most = DEFAULT_POINTS, durationMs, ...range }:
    TimelineRange,
): Timeline {
  const inRange = seconds.filter(({ t }) => t >= from && t < to);
  const width = range.width ?? Math.max(1, Math.ceil(inRange.length / most));
  const points = stretches(inRange, width, durationMs)
    .map((group) => pointOf(group, width, lengthOf(group, durationMs)));
  return { width, points };
}

/** How long some seconds of a run are together: the last one is rarely whole. */
export function lengthOf(
  group: readonly SecondPoint[],
  durationMs: number,
): number {
  const end = Math.min(group.at(-1)!.t + 1, durationMs / 1_000);
  return Math.max(0.05, end - group[0]!.t);
}

/**
 * The seconds of a run, `width` to a stretch. A last one that is shorter than half
 * a stretch is a part of the one before it: a rate over so little says nothing.
 */
export function stretches(
  seconds: readonly SecondPoint[],
  width: number,
  durationMs: number,
): readonly (readonly SecondPoint[])[] {
  const groups = chunks(seconds, width);
  if (groups.length < 2) return groups;
  const [before, last] = groups.slice(-2) as [SecondPoint[], SecondPoint[]];
  return lengthOf(last, durationMs) < width / 2
    ? [...groups.slice(0, -2), [...before, ...last]]
    : groups;
}

/** Items, so many at a time. */
export function chunks<Item>(
  items: readonly Item[],
  size: number,
): (readonly Item[])[] {
  return Array.from(
    { length: Math.ceil(items.length / size) },
    (_, i) => items.slice(i * size, (i + 1) * size),
  );
}

function pointOf(
  group: readonly SecondPoint[],
  width: number,
  seconds: number,
): TimelinePoint {
  const worst = (pick: (second: SecondPoint) => number | undefined) => {
    const values = group.map(pick).filter((each) => each !== undefined);
    return values.length === 0 ? null : Math.max(...values);
  };
  const completed = sum(group, (each) => each.completed);
  const share = (pick: (second: SecondPoint) => number | undefined) =>
    completed === 0 || group.some((each) => pick(each) === undefined)
      ? null
      : sum(group, (each) => pick(each)!) / completed;
  const attempts = sum(group, countAll);
  const timed = group.filter((each) =>
    countSamples(each) > 0 && each.max !== null
  );
  // The few samples of a remainder would only make the percentiles less exact.
  const at = quantiles(timed.slice(0, width));
  return {
    t: group[0]!.t,
    vus: Math.max(...group.map((each) => each.vus)),
    rate: attempts / seconds,
    error_rate: share((each) => each.iterations_failed),
    throttle_rate: share((each) => each.iterations_throttled),
    p50: at(50, "p50"),
    p95: at(95, "p95"),
    p99: at(99, "p99"),
    max: timed.length === 0
      ? null
      : Math.max(...timed.map((each) => each.max!)),
    cpu_share: worst((each) => each.cpu_share),
    core_wait_share: worst((each) => each.core_wait_share),
    loop_lag_ms: worst((each) => each.loop_lag_ms),
    steps: stepRates(group, seconds),
  };
}

function stepRates(
  group: readonly SecondPoint[],
  seconds: number,
): StepOutcomes[] {
  const sums = new Map<number, [number, number, number]>();
  for (const [step, ...counts] of group.flatMap(({ steps = [] }) => steps)) {
    const sum = sums.get(step) ?? [0, 0, 0];
    counts.forEach((count, i) => sum[i]! += count / seconds);
    sums.set(step, sum);
  }
  return [...sums].map(([step, sum]) => [step, ...sum]);
}

function quantiles(group: readonly SecondPoint[]) {
  const [only] = group;
  if (group.length <= 1) {
    return (_: number, name: "p50" | "p95" | "p99") => only?.[name] ?? null;
  }
  const counts = new Map<number, number>();
  let total = 0;
  for (const [bucket, count] of group.flatMap((each) => each.buckets)) {
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
    total += count;
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return (p: number): number => {
    let left = Math.max(1, Math.ceil(p / 100 * total));
    for (const [bucket, count] of sorted) {
      left -= count;
      if (left <= 0) return bucketMs(bucket + 0.5);
    }
    return 0;
  };
}

/** Where bucket `bucket` of `series.json` begins, in milliseconds. */
export function bucketMs(bucket: number): number {
  return 0.01 * 2 ** (bucket / 4);
}

/** The target's machine in one second of a run; null where unknown. */
export interface AgentPoint {
  /** Whole seconds since the run started, on the run's clock. */
  readonly t: number;
  /** Share of all cores. */
  readonly cpu: number | null;
  /** Bytes. */
  readonly memory: number | null;
  readonly memory_total: number | null;
  /** Bytes a second. */
  readonly received: number | null;
  readonly sent: number | null;
  readonly fds: number | null;
  readonly load1: number | null;
}

/** Two readings are never further apart without a gap between them. */
const NEXT = 1;

/**
 * An agent's readings by second, its counters as rates; those the knee is found
 * with. A gap becomes a point of nulls, so that a gap stays a gap.
 */
export function agentTimeline(
  { samples }: { readonly samples: readonly AgentSample[] },
): AgentPoint[] {
  const points: AgentPoint[] = [];
  agentRates(samples).forEach(({ fromMs, tMs, cpu, received, sent }, i) => {
    const sample = samples[i]!;
    // A rate belongs to the second before its reading; one across lost readings
    // to where they go on, as what was not read stays a gap.
    const at = tMs - fromMs < 2_000 ? (fromMs + tMs) / 2 : tMs;
    const t = Math.max(0, Math.floor(at / 1_000));
    const last = points.at(-1);
    if (last && last.t >= t) points.pop();
    else if (last && t - last.t > NEXT) {
      points.push({ ...NOTHING, t: last.t + NEXT });
    }
    points.push({
      t: last && last.t > t ? last.t : t,
      cpu: cpu ?? null,
      memory: sample.mem_used_bytes,
      memory_total: sample.mem_total_bytes,
      received: received ?? null,
      sent: sent ?? null,
      fds: sample.open_fds,
      load1: sample.load1,
    });
  });
  return points;
}

const NOTHING = {
  cpu: null,
  memory: null,
  memory_total: null,
  received: null,
  sent: null,
  fds: null,
  load1: null,
};
