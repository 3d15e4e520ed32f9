import assert from "node:assert/strict";
import { runRows } from "../../../../lib/engine/schedule/closed.ts";
import {
  type Limiter,
  sharedMemory,
} from "../../../../lib/engine/limiter/limiter.ts";
import type { LoadRun } from "../../../../lib/engine/schedule/load_run.ts";
import { RateLimiter } from "../../../../lib/engine/limiter/rate_limiter.ts";
import type { CompiledStep } from "../../../../lib/engine/vu/compiled_step.ts";
import { openFlow, VuFixture } from "../vu/vu_fixture.ts";

const LATENCY = { latencyMs: (number: number) => 10 + (number % 3) * 5 };

function rows(
  fixture: VuFixture,
  vus: number,
  { steps = [fixture.step(LATENCY)], limiter, ...facts }:
    & Partial<LoadRun>
    & {
      readonly limiter?: Limiter;
      readonly steps?: readonly CompiledStep[];
    } = {},
): LoadRun {
  const plan = { executor: "rows", peakVus: vus, iterations: 6 } as const;
  return { ...fixture.load(plan, steps, limiter), ...facts };
}

Deno.test("runRows runs every row once, in row order", async () => {
  for (const vus of [1, 2, 4]) {
    const fixture = new VuFixture();
    const picked: number[] = [];
    const nextIteration = () => {
      const iteration = picked.length;
      if (iteration === 6) return undefined;
      picked.push(iteration);
      const flow = openFlow([fixture.step(LATENCY)]);
      return { iteration, flow, rows: [], row: iteration };
    };
    await fixture.clock.drive(runRows(rows(fixture, vus, { nextIteration })));
    assert.deepEqual(picked, [0, 1, 2, 3, 4, 5], `${vus} VUs`);
    const ran = fixture.results.map((each) => each.row!);
    assert.deepEqual(ran.toSorted((a, b) => a - b), picked, `${vus} VUs`);
  }
});

Deno.test("runRows runs as many rows at a time as there are VUs", async () => {
  const fixture = new VuFixture();
  const steps = [fixture.step({ latencyMs: () => 10 })];
  await fixture.clock.drive(runRows(rows(fixture, 3, { steps })));
  assert.deepEqual(
    fixture.results.map((each) => fixture.elapsed(each.startedAt)),
    [0, 0, 0, 10, 10, 10],
  );
});

Deno.test("runRows begins no row after a stop, or when a pool says so", async () => {
  const stopped = new VuFixture();
  const stopping = stopped.clock.sleep(15).then(() =>
    stopped.stop.soft("interrupted", "")
  );
  const steps = [stopped.step({ latencyMs: () => 10 })];
  await stopped.clock.drive(
    Promise.all([runRows(rows(stopped, 1, { steps })), stopping]),
  );
  assert.equal(stopped.results.length, 2);
  const dry = new VuFixture();
  let next = 0;
  const flow = openFlow([dry.step(LATENCY)]);
  const nextIteration = () =>
    next < 4 ? { iteration: next++, flow, rows: [] } : undefined;
  await dry.clock.drive(runRows(rows(dry, 2, { nextIteration })));
  assert.equal(dry.results.length, 4);
});

Deno.test("runRows keeps max_rps over parallel rows; the wait is in no latency", async () => {
  const fixture = new VuFixture();
  const { rate } = sharedMemory();
  const limiter = new RateLimiter(5, rate, fixture.clock, fixture.generator);
  const steps = [fixture.step({ latencyMs: () => 10 })];
  await fixture.clock.drive(runRows(rows(fixture, 3, { limiter, steps })));
  const sent = fixture.sent.map((at) => fixture.elapsed(at));
  assert.deepEqual(
    sent,
    [0, 200, 400, 600, 800, 1_000].map((at) => Math.max(0, at - 100)),
  );
  assert.deepEqual(
    new Set(fixture.samples.map(({ service }) => service)),
    new Set([10]),
  );
  const spans = fixture.results.map((each) =>
    each.endedAt - each.steps[0]!.startedAt
  );
  assert.deepEqual(spans, [10, 10, 10, 10, 10, 10]);
});
