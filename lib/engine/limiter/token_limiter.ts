import type { Clock } from "../../base/time/clock.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { RunPlan } from "../plan/plan.ts";
import { IMMEDIATE, type Limiter } from "./limiter.ts";
import { maxRpsLimiter, RateLimiter } from "./rate_limiter.ts";
import type { SharedMemory } from "./shared_memory.ts";
import { SpentSlots } from "./spent_slots.ts";

/**
 * The limiter of token requests: they count under `max_rps` like every other
 * request. In the open executor the slots use up their part of it. A token
 * request uses the rest, or else is sent in place of the next slot.
 */
export function tokenLimiter(
  plan: Pick<RunPlan, "executor" | "maxRps" | "arrivalPerSecond" | "shard">,
  memory: SharedMemory,
  clock: Clock,
  sink: Pick<GeneratorSink, "held">,
): Limiter {
  const { executor, maxRps, arrivalPerSecond = 0 } = plan;
  if (executor !== "open" || maxRps === undefined) {
    return maxRpsLimiter(plan, memory, clock, sink);
  }
  const spent = new SpentSlots(memory.spent);
  const rest = maxRps - arrivalPerSecond;
  const spare = rest > 0
    ? new RateLimiter(rest, memory.rate, clock, sink)
    : undefined;
  return {
    acquire() {
      if (!spare?.take()) spent.spend();
      return IMMEDIATE;
    },
  };
}
