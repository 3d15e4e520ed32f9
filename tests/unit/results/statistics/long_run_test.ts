import assert from "node:assert/strict";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import {
  designOf,
  longRun,
  meanAndVariance,
} from "../../../../lib/results/statistics/long_run.ts";
import { levels, normals } from "../../../simulation/draws.ts";

function series(length: number, correlation: number): number[] {
  const level = levels(normals(seededRandom(1)), correlation);
  return Array.from({ length }, level);
}

Deno.test("longRun finds the factor of a first-order autoregression", () => {
  for (const [correlation, factor] of [[0, 1], [0.5, 3], [0.8, 9]] as const) {
    const found = longRun(series(20_000, correlation)).factor;
    assert.ok(Math.abs(found / factor - 1) < 0.15, `${correlation}: ${found}`);
  }
});

Deno.test("longRun sees a correlation that noise of each value hides", () => {
  const noise = normals(seededRandom(9));
  const noisy = series(20_000, 0.8).map((each) => each + 2 * noise());
  assert.ok(longRun(noisy).factor < 4);
  assert.ok(Math.abs(longRun(noisy, 4).factor / 9 - 1) < 0.25);
});

Deno.test("longRun is 1 for values that swing, for a constant, and for next to none", () => {
  const swinging = Array.from({ length: 100 }, (_, i) => i % 2);
  assert.equal(longRun(swinging).factor, 1);
  assert.equal(longRun(Array<number>(50).fill(3)).factor, 1);
  assert.deepEqual(longRun([1, 5, 2]), { factor: 1, degrees: 2 });
  assert.deepEqual(longRun([]), { factor: 1, degrees: 2 });
});

Deno.test("longRun has fewer degrees of freedom the longer the correlation", () => {
  const [none, some, strong] = [0, 0.5, 0.9]
    .map((each) => longRun(series(600, each)).degrees);
  assert.ok(none! > some! && some! > strong!, `${none} ${some} ${strong}`);
});

/** A wave and a half, with something on top. */
const WAVES = Array.from(
  { length: 48 },
  (_, i) => Math.round(10 * Math.sin(i / 5) + i * 7 % 5),
);
const SHORT = [5, 6, 4, 5, 7, 6, 8, 7, 5, 6, 4, 3]
  .concat([5, 4, 6, 7, 6, 5, 6, 8, 7, 5, 4, 6]);
/** Computed from the formulas of Geyer (1992) and of Marriott and Pope (1954), by another program. */
const WORKED: readonly [
  name: string,
  series: readonly number[],
  noise: number,
  factor: number,
  degrees: number,
][] = [
  ["four pairs of lags", WAVES, 0, 17.896983683129875, 2],
  ["four pairs of lags and noise", WAVES, 2, 18.768504888138853, 2],
  ["one pair", SHORT, 0, 1.9003571943273923, 3.6508889027509195],
  ["one pair and noise", SHORT, 0.5, 2.2841007653061225, 2.933110367892976],
  [
    "one pair of many values",
    [...SHORT, ...SHORT, ...SHORT, ...SHORT],
    0,
    1.6942785483409317,
    19.054264619355816,
  ],
  ["the fewest values, at the largest factor", [0, 0, 10, 10], 0, 2.75, 2],
];

for (const [name, values, noise, factor, degrees] of WORKED) {
  Deno.test(`longRun of a worked example: ${name}`, () => {
    const found = longRun(values, noise);
    assert.ok(Math.abs(found.factor - factor) < 1e-9, `${found.factor}`);
    assert.ok(Math.abs(found.degrees - degrees) < 1e-9, `${found.degrees}`);
  });
}

Deno.test("longRun without a correlation has a degree of freedom less than values", () => {
  const swinging = Array.from({ length: 100 }, (_, i) => i % 2);
  assert.deepEqual(longRun(swinging), { factor: 1, degrees: 99 });
});

Deno.test("meanAndVariance divides by one less than there are values, and by 1 for one", () => {
  assert.deepEqual(meanAndVariance([2, 4, 9]), { mean: 5, variance: 13 });
  assert.deepEqual(meanAndVariance([7]), { mean: 7, variance: 0 });
});

Deno.test("designOf is how much variance there is beside chance, and which part of it is not", () => {
  assert.deepEqual(designOf(2, 6), { effect: 4, share: 0.75 });
  assert.deepEqual(designOf(0, 6), { effect: 1, share: 0 });
});
