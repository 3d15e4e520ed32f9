import type { RunPlan } from "./plan.ts";
import { vusAt } from "./ramp.ts";
import { vusIn, WHOLE } from "./shard.ts";

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
