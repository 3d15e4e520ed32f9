import { vusIn, WHOLE } from "./shard.ts";
import type { RunPlan } from "./plan.ts";

/** The most VUs of this process at any moment. */
export function ownVus({ shard = WHOLE, peakVus }: RunPlan): number {
  return vusIn(shard, peakVus);
}

/** The planned number of VUs `elapsedMs` into the run. */
export function vusAt(
  plan: Pick<RunPlan, "ramp" | "peakVus">,
  elapsedMs: number,
): number {
  const { ramp, peakVus } = plan;
  if (!ramp) return peakVus;
  if (elapsedMs >= ramp.overMs) return ramp.to;
  const share = Math.max(0, elapsedMs) / ramp.overMs;
  return Math.round(ramp.from + (ramp.to - ramp.from) * share);
}

/**
 * How long until the planned number of VUs is another one; Infinity when it
 * stays. A microsecond after the moment, so that it is another one by then.
 */
export function nextVusIn(plan: RunPlan, elapsedMs: number): number {
  const { ramp } = plan;
  if (!ramp || ramp.from === ramp.to || elapsedMs >= ramp.overMs) {
    return Infinity;
  }
  const step = ramp.to > ramp.from ? 1 : -1;
  const at = reachedAt(ramp, vusAt(plan, elapsedMs) + step);
  return Math.min(at, ramp.overMs) + 0.001 - elapsedMs;
}

/** When a ramp has so many VUs planned, in milliseconds from the start. */
export function reachedAt(
  { from, to, overMs }: NonNullable<RunPlan["ramp"]>,
  vus: number,
): number {
  const half = to > from ? 0.5 : -0.5;
  return (vus - half - from) / (to - from) * overMs;
}

/**
 * How long new iterations are begun; Infinity when only their number bounds it.
 * A ramp that ends at 0 VUs ends the run: nothing can begin after it.
 */
export function plannedMs(
  { ramp, holdMs, iterations }: Pick<RunPlan, "ramp" | "holdMs" | "iterations">,
): number {
  const rampMs = ramp?.overMs ?? 0;
  if (ramp?.to === 0) return rampMs;
  return holdMs === undefined
    ? iterations === undefined ? rampMs : Infinity
    : rampMs + holdMs;
}

/** What the share of `max_rps` depends on. */
export type SharedCeiling = Pick<
  RunPlan,
  "maxRps" | "executor" | "shard" | "ramp" | "peakVus"
>;

/**
 * The shard's share of `max_rps` at `elapsedMs`: that of its VUs. In one process
 * every VU gets as much as any other, so that a shard whose VUs want less than
 * their share is one that has nothing to send. The shares of all shards make one
 * whole at any moment. In the open executor slots are divided equally, whichever shard has
 * the VUs.
 */
export function ceilingShare(plan: SharedCeiling, elapsedMs: number): number {
  const { executor, ramp, shard = WHOLE } = plan;
  const all = vusAt(plan, elapsedMs);
  if (executor === "open" || all === 0) return 1 / shard.count;
  // Where a ramp falls, VUs that are no longer planned still end their iterations.
  if (ramp && ramp.to < ramp.from && all < shard.count) return 1 / shard.count;
  return vusIn(shard, all) / all;
}
