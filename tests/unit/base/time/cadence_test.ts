import { deepEqual } from "node:assert/strict";
import { Cadence } from "../../../../lib/base/time/cadence.ts";

/** The turns of work among the first `count`. */
function due(cadence: Cadence, count: number): number[] {
  return Array.from({ length: count }, (_, turn) => cadence.turn() ? turn : [])
    .flat();
}

Deno.test("Cadence: at first every few turns, then every twentieth of those so far, then at most so many apart", () => {
  deepEqual(due(new Cadence(5, 30, 1), 22), [1, 6, 11, 16, 21]);
  const late = due(new Cadence(5, 30, 1), 1_000);
  const gaps = late.slice(1).map((turn, i) => turn - late[i]!);
  deepEqual([...new Set(gaps)].slice(0, 4), [5, 6, 7, 8]);
  deepEqual(gaps.slice(-3), [30, 30, 30]);
  for (const [i, gap] of gaps.entries()) {
    deepEqual(gap, Math.min(30, Math.max(5, Math.ceil(late[i]! / 20))));
  }
});
