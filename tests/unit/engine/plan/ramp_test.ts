import assert from "node:assert/strict";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import {
  nextVusIn,
  plannedMs,
  vusAt,
} from "../../../../lib/engine/plan/ramp.ts";

const PLAN: RunPlan = {
  mode: "load",
  executor: "closed",
  seed: 1,
  peakVus: 7,
  requestTimeoutMs: 1_000,
  graceMs: 30_000,
};
const UP = { ...PLAN, ramp: { from: 0, to: 10, overMs: 1_000 } };
const OUT = { ...PLAN, ramp: { from: 2, to: 0, overMs: 1_000 } };
const DOWN = { ...PLAN, ramp: { from: 10, to: 2, overMs: 1_000 } };

Deno.test("vusAt is a straight line over the ramp, and flat after it", () => {
  const table: [plan: RunPlan, at: number, vus: number][] = [
    [PLAN, 0, 7],
    [PLAN, 1e9, 7],
    [UP, -5, 0],
    [UP, 0, 0],
    [UP, 49, 0],
    [UP, 50, 1],
    [UP, 500, 5],
    [UP, 1_000, 10],
    [UP, 9_000, 10],
    [DOWN, 0, 10],
    [DOWN, 500, 6],
    [DOWN, 1_000, 2],
  ];
  for (const [plan, at, vus] of table) {
    assert.equal(vusAt(plan, at), vus, `${JSON.stringify(plan.ramp)} at ${at}`);
  }
});

Deno.test("nextVusIn says when the number of VUs changes, to the microsecond", () => {
  for (const plan of [UP, OUT, DOWN]) {
    let at = 0;
    let changes = 0;
    for (let next; (next = nextVusIn(plan, at)) !== Infinity; at += next) {
      assert.equal(vusAt(plan, at + next - 0.01), vusAt(plan, at));
      if (vusAt(plan, at + next) !== vusAt(plan, at)) changes++;
    }
    assert.equal(changes, Math.abs(plan.ramp.to - plan.ramp.from));
    assert.ok(at >= 1_000 && at < 1_000.01, "ends with the ramp");
  }
  assert.equal(nextVusIn(PLAN, 0), Infinity);
  const flat = { ...PLAN, ramp: { from: 5, to: 5, overMs: 1_000 } };
  assert.equal(nextVusIn(flat, 0), Infinity);
});

Deno.test("plannedMs is ramp and hold; iterations alone bound no time, a ramp to 0 VUs always does", () => {
  const table: [facts: Partial<RunPlan>, ms: number][] = [
    [{ holdMs: 500 }, 500],
    [{ ramp: UP.ramp, holdMs: 500 }, 1_500],
    [{ ramp: UP.ramp }, 1_000],
    [{ iterations: 5 }, Infinity],
    [{ iterations: 5, holdMs: 500 }, 500],
    [{ ramp: UP.ramp, iterations: 5 }, Infinity],
    [{ ramp: OUT.ramp, iterations: 5 }, 1_000],
    [{ ramp: OUT.ramp, holdMs: 500 }, 1_000],
  ];
  for (const [facts, ms] of table) {
    assert.equal(plannedMs({ ...PLAN, ...facts }), ms, JSON.stringify(facts));
  }
});
