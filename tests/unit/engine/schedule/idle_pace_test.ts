import assert from "node:assert/strict";
import { runClosed } from "../../../../lib/engine/schedule/closed.ts";
import { runOpen } from "../../../../lib/engine/schedule/open.ts";
import { runRows } from "../../../../lib/engine/schedule/rows.ts";
import { SlotGate } from "../../../../lib/engine/schedule/slot_gate.ts";
import type { CompiledStep } from "../../../../lib/engine/vu/compiled_step.ts";
import { noAnswer } from "../../../../lib/wire/net/answer.ts";
import { startMarks } from "../../../../lib/model/result/reply.ts";
import { HttpReply } from "../../../../lib/steps/http/reply.ts";
import { SENT } from "../../steps/http/answer.ts";
import { Stage } from "../vu/stage.ts";

const REFUSED = { code: "refused", message: "connection refused" };

/** A step whose connection is refused as soon as it is tried; then it answers. */
function refusing(stage: Stage, times = Infinity): CompiledStep {
  const answering = stage.step({ latencyMs: () => 10 });
  let attempts = 0;
  return {
    ...answering,
    adapter: {
      attempt(context) {
        stage.sent.push(stage.clock.now());
        if (attempts++ >= times) return answering.adapter.attempt(context);
        const now = stage.clock.now();
        const marks = { ...startMarks(now), end: now };
        return Promise.resolve(
          new HttpReply(
            noAnswer(REFUSED, marks),
            SENT,
            () => 0,
            "full",
          ),
        );
      },
    },
  };
}

Deno.test("runClosed begins a VU's next iteration later and later while nothing comes back", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 1, holdMs: 500 }, [refusing(stage)]);
  await stage.clock.drive(runClosed(run));
  assert.deepEqual(
    stage.begun.map((at) => stage.elapsed(at)),
    [0, 1, 3, 7, 15, 31, 63, 127, 227, 327, 427],
  );
  assert.deepEqual(stage.paused.slice(0, 9), [
    1,
    2,
    4,
    8,
    16,
    32,
    64,
    100,
    100,
  ]);
});

Deno.test("runClosed is at full speed again with the first byte", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 1, holdMs: 100 }, [refusing(stage, 4)]);
  await stage.clock.drive(runClosed(run));
  assert.deepEqual(
    stage.begun.map((at) => stage.elapsed(at)).slice(0, 8),
    [0, 1, 3, 7, 15, 25, 35, 45],
  );
  assert.equal(stage.paused.length, 4);
});

Deno.test("runClosed does not slow down a run whose number of iterations is fixed", async () => {
  const stage = new Stage();
  const run = stage.load({ peakVus: 2, iterations: 1_000 }, [refusing(stage)]);
  await stage.clock.drive(runClosed(run));
  assert.equal(stage.results.length, 1_000);
  assert.deepEqual([stage.elapsed(), stage.paused], [0, []]);
});

Deno.test("runClosed lets an iteration that took its time without a byte be followed at once", async () => {
  const stage = new Stage();
  const slow = refusing(stage);
  const attempt = slow.adapter.attempt;
  const late: CompiledStep = {
    ...slow,
    adapter: {
      async attempt(context) {
        await stage.clock.sleep(150);
        return attempt(context);
      },
    },
  };
  const run = stage.load({ peakVus: 1, holdMs: 1_000 }, [late]);
  await stage.clock.drive(runClosed(run));
  assert.deepEqual(stage.begun.map((at) => stage.elapsed(at)).slice(0, 4), [
    0,
    150,
    300,
    450,
  ]);
  assert.deepEqual(stage.paused, []);
});

Deno.test("runOpen keeps its rate while nothing comes back, and the event loop its turn", async () => {
  const stage = new Stage();
  const gate = new SlotGate(stage.generator);
  const plan = {
    executor: "open",
    peakVus: 1,
    holdMs: 1_000,
    arrivalPerSecond: 200,
  } as const;
  const run = stage.load(plan, [refusing(stage)], gate);
  const turns = turnsOf(stage);
  const unserved = await stage.clock.drive(runOpen(run, gate));
  assert.deepEqual([stage.sent.length, unserved], [200, 0]);
  assert.equal(turns(), 200);
});

Deno.test("runRows gives the event loop its turn after each row to which nothing came back", async () => {
  const stage = new Stage();
  const turns = turnsOf(stage);
  await stage.clock.drive(runRows({
    steps: [refusing(stage, 5)],
    vus: [stage.vu(0)],
    iterations: 8,
    tools: stage.tools(),
    draw: (iteration) => ({ iteration, rows: [], row: iteration }),
  }));
  assert.deepEqual([stage.results.length, turns()], [8, 5]);
});

/** Counts the turns that the event loop was given. */
function turnsOf({ clock }: Stage): () => number {
  let turns = 0;
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (ms, signal) => {
    if (ms === 0) turns++;
    return sleep(ms, signal);
  };
  return () => turns;
}
