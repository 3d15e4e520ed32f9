import assert from "node:assert/strict";
import { UNHINDERED } from "../../../../lib/engine/vu/gate.ts";
import { RateGate } from "../../../../lib/engine/schedule/rate_gate.ts";
import { sharedMemory } from "../../../../lib/engine/schedule/shared.ts";
import { SpentSlots } from "../../../../lib/engine/schedule/spent_slots.ts";
import { tokenGate } from "../../../../lib/engine/schedule/token_gate.ts";
import { Stage } from "../vu/stage.ts";

/** Token requests of an open plan sent at once; how many slots they took. */
function spentBy(
  requests: number,
  ceiling: { readonly maxRps?: number },
  arrivalPerSecond: number,
): number {
  const stage = new Stage();
  const memory = sharedMemory(0);
  const plan = { executor: "open" as const, arrivalPerSecond, ...ceiling };
  const gate = tokenGate(plan, memory, stage.clock, stage.generator);
  for (let request = 0; request < requests; request++) {
    assert.equal(gate.enter(stage.vu(0)), UNHINDERED, "no request waits");
  }
  const spent = new SpentSlots(memory.spent);
  let count = 0;
  while (spent.take()) count++;
  return count;
}

Deno.test("tokenGate spends a slot of the open executor where the slots are all of `max_rps`", () => {
  assert.equal(spentBy(3, { maxRps: 50 }, 50), 3);
});

Deno.test("tokenGate uses what the slots leave of `max_rps` first", () => {
  // A tenth of a second of 20/s is saved up: two requests, and the one now.
  assert.equal(spentBy(3, { maxRps: 70 }, 50), 0);
  assert.equal(spentBy(10, { maxRps: 70 }, 50), 7);
});

Deno.test("tokenGate lets token requests pass without a ceiling", () => {
  assert.equal(spentBy(10, {}, 50), 0);
});

Deno.test("tokenGate shares the ceiling with every request in the closed executor", async () => {
  const stage = new Stage();
  const memory = sharedMemory(0);
  const { clock, generator } = stage;
  const plan = { executor: "closed" as const, maxRps: 1 };
  const requests = new RateGate(1, memory.rate, clock, generator);
  const tokens = tokenGate(plan, memory, clock, generator);
  assert.equal(requests.enter(stage.vu(0)), UNHINDERED);
  await clock.drive(Promise.resolve(tokens.enter(stage.vu(1))));
  assert.deepEqual(stage.held, [900]);
});
