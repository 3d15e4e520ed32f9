import type { RunPlan } from "./plan.ts";

/** The planned number of VUs `elapsedMs` into the run. */
export function vusAt(plan: RunPlan, elapsedMs: number): number {
  const { ramp, peakVus } = plan;
  if (!ramp) return peakVus;
  if (elapsedMs >= ramp.overMs) return ramp.to;
  const share = Math.max(0, elapsedMs) / ramp.overMs;
  return Math.round(ramp.from + (ramp.to - ramp.from) * share);
}

/**
 * How long new iterations are begun; Infinity when only their number bounds it.
 * A ramp that ends at 0 VUs ends the run: nothing can begin after it.
 */
export function plannedMs({ ramp, holdMs, iterations }: RunPlan): number {
  const rampMs = ramp?.overMs ?? 0;
  if (ramp?.to === 0) return rampMs;
  return holdMs === undefined
    ? iterations === undefined ? rampMs : Infinity
    : rampMs + holdMs;
}
