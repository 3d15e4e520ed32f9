import { deepStrictEqual, equal, ok } from "node:assert/strict";
import {
  CellMap,
  cellsOf,
} from "../../../../lib/results/traces/cell_traces.ts";
import {
  keptTraces,
  mergeTraces,
  SampledTraces,
} from "../../../../lib/results/traces/traces.ts";
import { PassedStep } from "../../../../lib/model/result/iteration.ts";
import type { Cell, Trace } from "../../../../lib/model/result/trace.ts";
import { attemptOf, responseOf, stepOf } from "../record/fixtures.ts";

/** A step whose response came at `at` after `ms`, in milliseconds. */
function stepAt(at: number, ms: number, dueAt = NaN) {
  const start = at - ms;
  const response = responseOf({ start, firstByte: at, end: at });
  return stepOf({ attempts: [attemptOf({ response, permit: { dueAt } })] });
}

/** Offers iterations that respond at a time after a while; one more than the sample has. */
function keeperOf(
  iterations: readonly (readonly [at: number, ms: number])[],
  first = 0,
) {
  // The lowest ranks are those under test.
  const keeper = new SampledTraces((i) => i < 10_000 ? i / 1e6 : 0.5);
  for (let i = 10_000; i < 10_200; i++) offerTo(keeper, i, 0, 1_000);
  iterations.forEach(([at, ms], i) => offerTo(keeper, first + i, at, ms, 0));
  return keeper;
}

function offerTo(
  keeper: SampledTraces,
  iteration: number,
  at: number,
  ms: number,
  durationMs = 1_000,
): boolean {
  return keeper.offer({
    iteration,
    durationMs,
    steps: [stepAt(at, ms)],
    runStart: 0,
    hold() {
      return () => this.build();
    },
    build: () =>
      ({
        trace_id: String(iteration),
        iteration,
        spans: [],
      }) as unknown as Trace,
  });
}

Deno.test("cellsOf: the second in which a response ended, and its bucket of series.json, each once", () => {
  const cells = (...steps: Parameters<typeof cellsOf>[0]) =>
    cellsOf(steps, 500);
  deepStrictEqual(cells(stepAt(2_600, 1.28)), [[2, 28]]);
  deepStrictEqual(
    cells(stepAt(2_600, 1.3), stepAt(2_700, 1.3), stepAt(2_700, 200)),
    [[2, 28], [2, 57]],
  );
  // A late request counts from when it was due.
  deepStrictEqual(cells(stepAt(2_600, 1.3, 2_400)), [[2, 57]]);
  const passed = responseOf({ start: 2_598.7, firstByte: 2_600, end: 2_600 });
  const held = { index: 0, held: [] };
  deepStrictEqual(cells(new PassedStep(held, passed)), [[2, 28]]);
  deepStrictEqual(cells(new PassedStep(held, passed, 2_400)), [[2, 57]]);
  deepStrictEqual(cells({ ...stepAt(2_600, 1), outcome: "throttled" }), []);
  deepStrictEqual(cells(stepOf()), []);
  const wait = responseOf(
    { start: 0, end: 20, firstByte: NaN },
    { bytesSent: 0, bytesReceived: 0 },
  );
  const waited = attemptOf({ response: wait });
  deepStrictEqual(cells(stepOf({ attempts: [waited] })), []);
});

Deno.test("SampledTraces keeps one trace for each cell, the first, without copying what it keeps none of", () => {
  const keeper = keeperOf([]);
  ok(offerTo(keeper, 1, 1_500, 10, 0));
  ok(!offerTo(keeper, 2, 1_900, 10.1, 0), "the same second and bucket");
  ok(offerTo(keeper, 3, 1_900, 100, 0));
  ok(offerTo(keeper, 4, 2_000, 10, 0));
  const kept = [...keptTraces(keeper.data())].filter(({ iteration }) =>
    iteration < 10
  );
  deepStrictEqual(kept.map(({ iteration }) => iteration), [1, 3, 4]);
  deepStrictEqual(kept[0]!.cells, [[1, 39]]);
});

Deno.test("mergeTraces keeps one trace for each cell of all threads", () => {
  const parts = [
    keeperOf([[1_500, 10]]),
    keeperOf([[1_700, 10], [1_700, 99]], 5),
  ];
  const merged = mergeTraces(parts.map((each) => each.data()));
  deepStrictEqual(
    [...keptTraces(merged)].map(({ iteration }) => iteration).filter((i) =>
      i < 10
    ),
    [0, 6],
  );
});

Deno.test("CellMap: a long run has columns put together, and every cell of them has an item", () => {
  const map = new CellMap<number>();
  const cells = Array.from({ length: 100_000 }, (_, t): Cell => [t, t % 5]);
  cells.forEach((cell, i) => map.add([cell], i));
  ok(map.list().length <= 60 * 5);
  ok(cells.every(([t, bucket]) => !map.lacks(t, bucket)));
});

Deno.test("CellMap: however latencies spread, it holds 1,000 items at most", () => {
  const map = new CellMap<number>();
  for (let t = 0; t < 60; t++) {
    for (let bucket = 0; bucket < 116; bucket++) map.add([[t, bucket]], t);
    ok(map.list().length <= 1_000);
  }
  const items = new CellMap<string>();
  for (let i = 0; i < 60 * 116; i++) {
    items.add([[Math.floor(i / 116), i % 116]], String(i));
    ok(items.list().length <= 1_000);
  }
  equal(items.list().length, 8 * 116);
});
