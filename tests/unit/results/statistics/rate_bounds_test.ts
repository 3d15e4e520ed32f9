import assert from "node:assert/strict";
import {
  rateBounds,
  rateDifference,
} from "../../../../lib/results/statistics/difference_bounds.ts";

const evenly = (hits: number, of: number) =>
  rateBounds(Array(60).fill(hits), Array(60).fill(of), 0.95)!;

// Expected values: scipy.stats.beta.ppf of Jeffreys' prior.
Deno.test("rateBounds of independent iterations are Jeffreys'", () => {
  const { rate, low, high } = evenly(1, 20);
  assert.equal(rate, 0.05);
  assert.ok(Math.abs(low - 0.0387) < 2e-4, `${low}`);
  assert.ok(Math.abs(high - 0.0634) < 2e-4, `${high}`);
});

Deno.test("rateBounds of a run without a failure begin at zero and end above it", () => {
  const { low, high } = evenly(0, 10);
  assert.equal(low, 0);
  assert.ok(high > 0.001 && high < 0.01, `${high}`);
  assert.equal(evenly(10, 10).high, 1);
});

Deno.test("rateBounds of failures that come in one burst lie further apart", () => {
  const burst = [...Array(54).fill(0), ...Array(6).fill(10)];
  const { low, high } = rateBounds(burst, Array(60).fill(20), 0.95)!;
  const even = evenly(1, 20);
  assert.ok(high - low > 3 * (even.high - even.low), `${low} ${high}`);
});

Deno.test("rateBounds of no iteration are none", () => {
  assert.equal(rateBounds([0, 0], [0, 0], 0.95), undefined);
  assert.equal(rateBounds([], [], 0.95), undefined);
});

Deno.test("rateDifference of equal rates holds zero, that of rates apart does not", () => {
  const same = rateDifference(evenly(1, 20), evenly(1, 20));
  assert.ok(same.low < 0 && same.high > 0 && same.value === 0);
  assert.ok(rateDifference(evenly(1, 20), evenly(3, 20)).low > 0.05);
  assert.ok(rateDifference(evenly(3, 20), evenly(1, 20)).high < -0.05);
});
