import assert from "node:assert/strict";
import {
  type Coverage,
  percentileCoverage,
  rateCoverage,
  ratioCoverage,
  slopeCoverage,
} from "./coverage.ts";

/*
 * A small part of `deno task simulate`, which has 1,000 runs and more of them.
 * The draws are seeded, so that the outcome is always the same; with so few runs
 * the share strays by 4 points.
 */
const RUNS = { count: 100, first: 0 };

const CALM = { seconds: 60, perSecond: 50, between: 0.1, correlation: 0 };
const SLOW = { seconds: 300, perSecond: 20, between: 0.1, correlation: 0.8 };

function covers(coverage: Coverage): void {
  assert.ok(coverage.covered >= 0.9, `${coverage.covered}`);
  assert.ok(coverage.shown > 0.95, `${coverage.shown}`);
}

Deno.test("95 % bounds of a percentile hold the truth in about 95 of 100 runs", () => {
  for (const each of [CALM, SLOW]) {
    percentileCoverage(each, [50, 95, 99], RUNS).forEach(covers);
  }
});

Deno.test("95 % bounds of the ratio of two runs do", () => {
  ratioCoverage({ ...CALM, correlation: 0.5 }, [50, 95], RUNS).forEach(covers);
});

Deno.test("95 % bounds of an error rate do", () => {
  covers(rateCoverage({ ...CALM, between: 0.5 }, 0.05, RUNS));
});

Deno.test("95 % bounds of a slope do", () => {
  covers(slopeCoverage({ seconds: 60, correlation: 0.5 }, RUNS));
});
