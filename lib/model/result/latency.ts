import * as v from "valibot";
import { object, type Stored } from "./stored.ts";

const n = v.number();

/** The percentiles of `meta.json`. */
export const PERCENTILES = [50, 90, 95, 99] as const;

/** Milliseconds. */
export type Interval = Stored<typeof interval>;
const interval = object({ low: n, high: n });

/**
 * How sure the percentiles are: between which values the true one lies, with a
 * confidence of 95 %; null where there are too few samples or seconds to say.
 */
export type LatencyIntervals = Stored<typeof latencyIntervals>;
export const latencyIntervals = object({
  samples: n,
  ...v.entriesFromList(["p50", "p90", "p95", "p99"], v.nullable(interval)),
  /** Absent where there are too few samples for the percentile itself. */
  "p99.9": v.exactOptional(v.nullable(interval)),
});

/** Phases of an exchange that a step's figures have. */
export const STEP_PHASES = ["connect", "tls", "ttfb", "transfer"] as const;
export type StepPhase = (typeof STEP_PHASES)[number];

const quantiles = object(
  v.entriesFromList(["count", "avg", "p50", "p95", "p99", "max"], n),
);

/** Milliseconds; a phase that never happened is absent. */
export type StepPhases = Stored<typeof stepPhases>;
export const stepPhases = object(
  v.entriesFromList(STEP_PHASES, v.exactOptional(quantiles)),
);
