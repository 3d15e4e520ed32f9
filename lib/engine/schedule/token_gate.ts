import type { Clock } from "../../base/time/clock.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";
import type { RunPlan } from "../plan/plan.ts";
import { type Gate, UNHINDERED } from "../vu/gate.ts";
import { ceilingGate, RateGate } from "./rate_gate.ts";
import type { SharedMemory } from "./shared.ts";
import { SpentSlots } from "./spent_slots.ts";

/**
 * What a token request passes before it is sent: it counts under `max_rps` like
 * every other request. In the open executor the slots have their part of it. A
 * token request has the rest, or else is sent in the place of the next slot.
 */
export function tokenGate(
  plan: Pick<RunPlan, "executor" | "maxRps" | "arrivalPerSecond">,
  memory: SharedMemory,
  clock: Clock,
  sink: Pick<GeneratorSink, "held">,
): Gate {
  const { executor, maxRps, arrivalPerSecond = 0 } = plan;
  if (executor !== "open" || maxRps === undefined) {
    return ceilingGate(maxRps, memory, clock, sink);
  }
  const spent = new SpentSlots(memory.spent);
  const rest = maxRps - arrivalPerSecond;
  const spare = rest > 0
    ? new RateGate(rest, memory.rate, clock, sink)
    : undefined;
  return {
    enter() {
      if (!spare?.take()) spent.spend();
      return UNHINDERED;
    },
  };
}
