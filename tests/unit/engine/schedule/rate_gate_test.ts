import assert from "node:assert/strict";
import fc from "fast-check";
import { UNHINDERED } from "../../../../lib/engine/vu/gate.ts";
import { RateGate } from "../../../../lib/engine/schedule/rate_gate.ts";
import { sharedMemory } from "../../../../lib/engine/schedule/shared.ts";
import { Stage } from "../vu/stage.ts";

Deno.test("RateGate lets no more than its rate pass in any window, over all threads", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 6 }),
      async (rate, threads, visitors) => {
        const stage = new Stage();
        const { rate: memory } = sharedMemory(0);
        const passed: number[] = [];
        const visit = async (gate: RateGate) => {
          for (let request = 0; request < 20; request++) {
            await gate.enter(stage.vu(0));
            passed.push(stage.clock.now());
          }
        };
        const gates = Array.from(
          { length: threads },
          () => new RateGate(rate, memory, stage.clock, stage.generator),
        );
        await stage.clock.drive(Promise.all(
          gates.flatMap((gate) =>
            Array.from({ length: visitors }, () => visit(gate))
          ),
        ));
        passed.sort((a, b) => a - b);
        for (let from = 0; from < passed.length; from += 3) {
          for (let to = from; to < passed.length; to += 3) {
            const span = passed[to]! - passed[from]!;
            // A tenth of a second may be saved up; an interval is rounded to 1 us.
            const most = (span + 100) * rate / 999 + 1;
            assert.ok(to - from <= most, `${to - from} in ${span} ms`);
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

Deno.test("RateGate holds nobody back below its rate", () => {
  const stage = new Stage();
  const gate = new RateGate(
    10,
    sharedMemory(0).rate,
    stage.clock,
    stage.generator,
  );
  assert.equal(gate.enter(stage.vu(0)), UNHINDERED);
  assert.deepEqual(stage.held, []);
});

Deno.test("RateGate says how long it held a request back", async () => {
  const stage = new Stage();
  const gate = new RateGate(
    10,
    sharedMemory(0).rate,
    stage.clock,
    stage.generator,
  );
  const vu = stage.vu(0);
  await stage.clock.drive(Promise.all([1, 2, 3, 4].map(() => gate.enter(vu))));
  assert.deepEqual(stage.held, [100, 200]);
});

Deno.test("RateGate holds nobody back longer when the clock on the wall is set back", () => {
  const stage = new Stage();
  const { clock, generator } = stage;
  let set = 0;
  const moved = {
    now: () => clock.now(),
    wall: () => clock.now() + 1e12 + set,
    sleep: (ms: number) => clock.sleep(ms),
  };
  const gate = new RateGate(10, sharedMemory(0).rate, moved, generator);
  gate.enter(stage.vu(0));
  set = -3_600_000;
  gate.enter(stage.vu(0));
  gate.enter(stage.vu(0));
  assert.deepEqual(stage.held, [100]);
});
