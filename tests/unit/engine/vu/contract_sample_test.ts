import { deepEqual, equal, ok } from "node:assert/strict";
import { sampler } from "../../../../lib/engine/vu/contract.ts";

/** The iterations that are drawn of so many. */
function drawn(
  draws: ReturnType<typeof sampler>,
  bytes = 500,
): number[] {
  return Array.from({ length: 100_000 }, (_, i) => i)
    .filter((iteration) => draws(iteration, bytes));
}

Deno.test("sampler() draws the first ten iterations and 1 % of the others", () => {
  const all = drawn(sampler(1, 0));
  deepEqual(all.slice(0, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  ok(all.length > 850 && all.length < 1_150, String(all.length));
});

Deno.test("sampler() draws long responses more seldom", () => {
  const { length } = drawn(sampler(1, 0), 20_480);
  ok(length > 70 && length < 140, String(length));
});

Deno.test("sampler() draws the same by its seed, and others by another seed or step", () => {
  const own = drawn(sampler(1, 0));
  deepEqual(drawn(sampler(1, 0)), own);
  for (const other of [sampler(2, 0), sampler(1 + 2 ** 32, 0), sampler(1, 1)]) {
    const both = drawn(other).filter((each) => own.includes(each));
    ok(both.length < 60, String(both.length));
  }
  equal(new Set(own).size, own.length);
});
