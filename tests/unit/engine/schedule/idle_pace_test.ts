import assert from "node:assert/strict";
import { constant } from "../../../../lib/model/course.ts";
import { runClosed, runRows } from "../../../../lib/engine/schedule/closed.ts";
import { runOpen } from "../../../../lib/engine/schedule/open.ts";
import { SlotLimiter } from "../../../../lib/engine/limiter/slot_limiter.ts";
import type { CompiledStep } from "../../../../lib/engine/vu/compiled_step.ts";
import { noResponse } from "../../../../lib/wire/net/wire_response.ts";
import { startMarks } from "../../../../lib/model/result/response.ts";
import { HttpResponse } from "../../../../lib/steps/http/response.ts";
import { SENT } from "../../steps/http/wire_response.ts";
import { VuFixture } from "../vu/vu_fixture.ts";

const REFUSED = { code: "refused", message: "connection refused" };

/** A step whose connection is refused as soon as it is tried; then it responds. */
function refusing(fixture: VuFixture, times = Infinity): CompiledStep {
  const answering = fixture.step({ latencyMs: () => 10 });
  let attempts = 0;
  return {
    ...answering,
    adapter: {
      attempt(context, end) {
        fixture.sent.push(fixture.clock.now());
        if (attempts++ >= times) return answering.adapter.attempt(context, end);
        const now = fixture.clock.now();
        const marks = { ...startMarks(now), end: now };
        end.response(
          new HttpResponse(
            noResponse(REFUSED, marks),
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
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 1, endMs: 500 }, [refusing(fixture)]);
  await fixture.clock.drive(runClosed(run));
  assert.deepEqual(
    fixture.begun.map((at) => fixture.elapsed(at)),
    [0, 1, 3, 7, 15, 31, 63, 127, 227, 327, 427],
  );
  assert.deepEqual(fixture.paused.slice(0, 9), [
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
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 1, endMs: 100 }, [refusing(fixture, 4)]);
  await fixture.clock.drive(runClosed(run));
  assert.deepEqual(
    fixture.begun.map((at) => fixture.elapsed(at)).slice(0, 8),
    [0, 1, 3, 7, 15, 25, 35, 45],
  );
  assert.equal(fixture.paused.length, 4);
});

Deno.test("runClosed does not slow down a run whose number of iterations is fixed", async () => {
  const fixture = new VuFixture();
  const run = fixture.load({ peakVus: 2, iterations: 1_000 }, [
    refusing(fixture),
  ]);
  await fixture.clock.drive(runClosed(run));
  assert.equal(fixture.results.length, 1_000);
  assert.deepEqual([fixture.elapsed(), fixture.paused], [0, []]);
});

Deno.test("runClosed lets an iteration that took its time without a byte be followed at once", async () => {
  const fixture = new VuFixture();
  const slow = refusing(fixture);
  const attempt = slow.adapter.attempt;
  const late: CompiledStep = {
    ...slow,
    adapter: {
      attempt(context, end) {
        fixture.clock.sleep(150).then(() => attempt(context, end));
      },
    },
  };
  const run = fixture.load({ peakVus: 1, endMs: 1_000 }, [late]);
  await fixture.clock.drive(runClosed(run));
  assert.deepEqual(fixture.begun.map((at) => fixture.elapsed(at)).slice(0, 4), [
    0,
    150,
    300,
    450,
  ]);
  assert.deepEqual(fixture.paused, []);
});

Deno.test("runOpen keeps its rate while nothing comes back, and the event loop its turn", async () => {
  const fixture = new VuFixture();
  const limiter = new SlotLimiter(fixture.generator);
  const plan = {
    executor: "open",
    peakVus: 1,
    endMs: 1_000,
    rate: constant(200),
  } as const;
  const run = fixture.load(plan, [refusing(fixture)], limiter);
  const turns = turnsOf(fixture);
  const unserved = await fixture.clock.drive(runOpen(run, limiter));
  assert.deepEqual([fixture.sent.length, unserved], [200, 0]);
  assert.equal(turns(), 200);
});

Deno.test("runRows gives the event loop its turn after each row to which nothing came back", async () => {
  const fixture = new VuFixture();
  const turns = turnsOf(fixture);
  const plan = { executor: "rows", iterations: 8 } as const;
  const run = fixture.load(plan, [refusing(fixture, 5)]);
  await fixture.clock.drive(runRows(run));
  assert.deepEqual([fixture.results.length, turns()], [8, 5]);
});

/** Counts the turns that the event loop was given. */
function turnsOf({ clock }: VuFixture): () => number {
  let turns = 0;
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (ms, signal) => {
    if (ms === 0) turns++;
    return sleep(ms, signal);
  };
  return () => turns;
}
