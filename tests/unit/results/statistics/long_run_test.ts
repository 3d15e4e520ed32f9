import assert from "node:assert/strict";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import { longRun } from "../../../../lib/results/statistics/long_run.ts";
import { levels, normals } from "../../../simulation/draws.ts";

function series(length: number, correlation: number, seed = 1): number[] {
  const level = levels(normals(seededRandom(seed)), correlation);
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
