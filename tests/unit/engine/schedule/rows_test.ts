import assert from "node:assert/strict";
import { type RowsRun, runRows } from "../../../../lib/engine/schedule/rows.ts";
import { RateGate } from "../../../../lib/engine/schedule/rate_gate.ts";
import { sharedMemory } from "../../../../lib/engine/schedule/shared.ts";
import { Stage } from "../vu/stage.ts";

function rows(stage: Stage, vus: number, facts: Partial<RowsRun>): RowsRun {
  return {
    steps: [stage.step({ latencyMs: (number) => 10 + (number % 3) * 5 })],
    vus: Array.from({ length: vus }, (_, id) => stage.vu(id)),
    iterations: 6,
    tools: stage.tools(),
    draw: (iteration) => ({ iteration, rows: [], row: iteration }),
    ...facts,
  };
}

Deno.test("runRows runs every row once, in row order", async () => {
  for (const vus of [1, 2, 4]) {
    const stage = new Stage();
    const drawn: number[] = [];
    const draw = (iteration: number) => {
      drawn.push(iteration);
      return { iteration, rows: [], row: iteration };
    };
    await stage.clock.drive(runRows(rows(stage, vus, { draw })));
    assert.deepEqual(drawn, [0, 1, 2, 3, 4, 5], `${vus} VUs`);
    const ran = stage.results.map((each) => each.row!);
    assert.deepEqual(ran.toSorted((a, b) => a - b), drawn, `${vus} VUs`);
  }
});

Deno.test("runRows runs as many rows at a time as there are VUs", async () => {
  const stage = new Stage();
  const steps = [stage.step({ latencyMs: () => 10 })];
  await stage.clock.drive(runRows(rows(stage, 3, { steps })));
  assert.deepEqual(
    stage.results.map((each) => stage.elapsed(each.startedAt)),
    [0, 0, 0, 10, 10, 10],
  );
});

Deno.test("runRows begins no row after a stop, or when a pool says so", async () => {
  const stopped = new Stage();
  const stopping = stopped.clock.sleep(15).then(() =>
    stopped.stop.soft("interrupted", "")
  );
  const steps = [stopped.step({ latencyMs: () => 10 })];
  await stopped.clock.drive(
    Promise.all([runRows(rows(stopped, 1, { steps })), stopping]),
  );
  assert.equal(stopped.results.length, 2);
  const dry = new Stage();
  const draw = (iteration: number) =>
    iteration < 4 ? { iteration, rows: [] } : undefined;
  await dry.clock.drive(runRows(rows(dry, 2, { draw })));
  assert.equal(dry.results.length, 4);
});

Deno.test("runRows keeps max_rps over parallel rows; the wait is in no latency", async () => {
  const stage = new Stage();
  const { rate } = sharedMemory(0);
  const gate = new RateGate(5, rate, stage.clock, stage.generator);
  const vus = [0, 1, 2].map((id) => stage.vu(id, gate));
  const steps = [stage.step({ latencyMs: () => 10 })];
  await stage.clock.drive(runRows(rows(stage, 0, { vus, steps })));
  const sent = stage.sent.map((at) => stage.elapsed(at));
  assert.deepEqual(
    sent,
    [0, 200, 400, 600, 800, 1_000].map((at) => Math.max(0, at - 100)),
  );
  assert.deepEqual(
    new Set(stage.samples.map(({ service }) => service)),
    new Set([10]),
  );
  const spans = stage.results.map((each) =>
    each.endedAt - each.steps[0]!.startedAt
  );
  assert.deepEqual(spans, [10, 10, 10, 10, 10, 10]);
});
