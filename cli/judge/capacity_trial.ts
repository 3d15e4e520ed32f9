import type { PreparedRun } from "../../lib/compile.ts";
import type {
  Capacity,
  CapacityTrial,
} from "../../lib/model/result/capacity.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { actualText } from "../../lib/results/report/figures.ts";

/** One trial, and where it is stored. */
export interface StoredTrial {
  readonly trial: CapacityTrial;
  readonly prepared: PreparedRun;
  readonly meta: RunMeta;
  readonly directory: string;
}

/** A share of the due requests that were never sent: more is a breach. */
const MOST_UNSERVED = 0.02;
/** A run whose requests were held back more often did not offer its load. */
const MOST_HELD = 0.02;

/**
 * What one trial came to: a level holds when its thresholds do, and, at a rate, when
 * the target took what was offered.
 */
export function trialOf(
  meta: RunMeta,
  level: number,
  unit: Capacity["unit"],
): CapacityTrial {
  const seconds = Math.max(0.001, meta.duration_ms / 1_000);
  const unserved = meta.generator?.unserved_slots ?? 0;
  const offered = meta.requests + unserved;
  const broken = meta.thresholds.filter(({ pass }) => !pass)
    .map((each) => `${each.expression}: ${actualText(each)}`);
  if (
    unit === "requests_per_second" && unserved > offered * MOST_UNSERVED
  ) {
    broken.push(`${unserved} of ${offered} due requests never sent`);
  }
  return {
    level,
    duration_ms: Math.round(meta.duration_ms),
    held: broken.length === 0 && meta.verdict === "pass",
    limited: isLimited(meta),
    requests_per_second: Number((meta.requests / seconds).toPrecision(4)),
    p50: meta.latency.p50,
    p95: meta.latency.p95,
    error_rate: meta.error_rate,
    throttle_rate: meta.throttle_rate,
    broken,
  };
}

/** Held back by the target's `max_rps`, or by itself. */
function isLimited({ generator, requests }: RunMeta): boolean {
  if (!generator) return false;
  return generator.limited ||
    generator.held_requests > requests * MOST_HELD;
}
