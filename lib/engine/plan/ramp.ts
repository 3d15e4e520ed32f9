import type { RunPlan } from "./plan.ts";

/** The planned number of VUs `elapsedMs` into the run. */
export function vusAt(plan: RunPlan, elapsedMs: number): number {
  const { ramp, peakVus } = plan;
  if (!ramp) return peakVus;
  if (elapsedMs >= ramp.overMs) return ramp.to;
  const share = Math.max(0, elapsedMs) / ramp.overMs;
  return Math.round(ramp.from + (ramp.to - ramp.from) * share);
}

/** How long new iterations are begun; Infinity when only their number bounds it. */
export function plannedMs(plan: RunPlan): number {
  const ramp = plan.ramp?.overMs ?? 0;
  return plan.holdMs === undefined
    ? plan.iterations === undefined ? ramp : Infinity
    : ramp + plan.holdMs;
}
