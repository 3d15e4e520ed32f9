import type { Clock } from "../../base/time/clock.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { SharedCeiling } from "../plan/ramp.ts";
import type { RunPlan } from "../plan/plan.ts";
import { IMMEDIATE, type Limiter } from "./limiter.ts";
import { maxRpsLimiter, RateLimiter } from "./rate_limiter.ts";
import { type SharedMemory, SpentSlots } from "./shared_memory.ts";

/**
 * The limiter of token requests: they count under `max_rps` like every other
 * request. In the open executor a token request never waits, because slots might
 * then be late for good: where slots leave a part of `max_rps` it takes a moment of
 * that, and else it is sent in place of the next slot.
 */
export function tokenLimiter(
  plan: SharedCeiling & Pick<RunPlan, "arrivalPerSecond">,
  memory: SharedMemory,
  clock: Clock,
  sink: Pick<GeneratorSink, "held">,
): Limiter {
  const { executor, maxRps = 0, arrivalPerSecond = 0 } = plan;
  const ceiling = maxRpsLimiter(plan, memory, clock, sink);
  if (executor !== "open" || !(ceiling instanceof RateLimiter)) return ceiling;
  const spent = new SpentSlots(memory.spent);
  const isSpare = maxRps > arrivalPerSecond;
  return {
    acquire() {
      if (!isSpare || !ceiling.take()) spent.spend();
      return IMMEDIATE;
    },
  };
}
