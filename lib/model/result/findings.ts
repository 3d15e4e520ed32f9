import * as v from "valibot";
import { n, object, own, type Stored } from "./stored.ts";

/** Something that a reader of a load run should know. */
export type Finding = Stored<typeof finding>;
export const finding = object({
  name: v.picklist([
    "generator_limited",
    "throttled_first",
    "target_cpu",
    "one_step",
    "connections",
    "drift",
    "few_samples",
  ]),
  /** Sentences; names in backticks. */
  seen: v.string(),
  why: v.string(),
  /** The next thing to try. */
  hint: v.string(),
});

/** How fast one figure of a soak run rose, each hour, with 95 % confidence. */
export type DriftFigure = Stored<typeof figure>;
const figure = object({
  metric: v.picklist([
    "p95",
    "error_rate",
    "target_memory",
    "target_cpu",
    "target_open_files",
  ]),
  unit: v.picklist(["ms", "share", "bytes", "count"]),
  /** null where the run was too short for bounds. */
  per_hour: v.nullable(n),
  low: v.nullable(n),
  high: v.nullable(n),
  /** Surely up or down, neither, or too short to say. */
  verdict: v.picklist(["grew", "fell", "steady", "unclear"]),
});

/** The change of figures over a soak run. */
export type Drift = Stored<typeof drift>;
export const drift = object({
  /** Stretches of the run that were looked at; 0 when it was too short. */
  windows: n,
  figures: v.array(figure),
});

/** One level that was tried. */
export type CapacityTrial = Stored<typeof trial>;
const trial = object({
  level: n,
  duration_ms: n,
  held: v.boolean(),
  /** The target was not the limit: it bounds nothing. */
  limited: v.boolean(),
  /** The limit was the target's `max_rps`; the generator when absent. */
  held_back: v.exactOptional(v.literal(true)),
  requests_per_second: n,
  /** How many latencies were measured; earlier versions did not store it. */
  samples: v.exactOptional(n),
  /** Milliseconds; null without a sample. */
  p50: v.nullable(n),
  p95: v.nullable(n),
  error_rate: n,
  throttle_rate: n,
  /** Thresholds that were broken, with what they came out at. */
  broken: v.array(v.string()),
});

/** The result of a trial. */
export function trialOutcome(
  { limited, held_back, held }: CapacityTrial,
): "generator" | "max_rps" | "held" | "broke" {
  if (limited) return held_back ? "max_rps" : "generator";
  return held ? "held" : "broke";
}

/** The highest load at which the thresholds hold. */
export type Capacity = Stored<typeof capacity>;
export const capacity = object({
  unit: v.picklist(["requests_per_second", "vus"]),
  /** The highest level that held; null when none did. */
  lower: v.nullable(n),
  /** The lowest that did not; null when every level held that could be tried. */
  upper: v.nullable(n),
  /** The load that the lower bound had to reach, when one was asked for. */
  least: v.exactOptional(n),
  /** The first limit that did not hold above the bound, or why there is no upper bound. */
  cause: v.string(),
  trials: v.array(trial),
});

/** Why a run did not pass: what a person reads first. */
export type Reason = Stored<typeof reason>;
export const reason = object({
  /** Sentences. */
  text: v.string(),
  /** The step that did not pass, or that a breached latency is most of. */
  step: v.exactOptional(own),
  /** The failure behind it, by its key in `failures`, and how often it happened. */
  key: v.exactOptional(v.string()),
  count: v.exactOptional(n),
  /** The threshold that did not hold, as `thresholds` has it. */
  expression: v.exactOptional(own),
  /**
   * The run before it: of the same flow in the same version, target, profile and
   * options. Absent when there is none.
   */
  before: v.exactOptional(object({
    id: own,
    verdict: v.picklist(["pass", "fail"]),
    /** How often that failure happened in it. */
    count: v.exactOptional(n),
    /** The value of that threshold in it. */
    actual: v.exactOptional(v.nullable(n)),
  })),
});

/** The verdict of a duel or a comparison, stored with each run that took part. */
export type Judgement = Stored<typeof judgement>;
export const judgement = object({
  kind: v.picklist(["duel", "comparison"]),
  verdict: v.picklist(["better", "same", "worse", "unclear"]),
  /** `B is worse: p50 +11%`. */
  text: v.string(),
  /** The run that was judged, then those it was held against. */
  runs: v.array(own),
});
