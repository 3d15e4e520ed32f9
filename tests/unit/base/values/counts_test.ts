import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  countAt,
  type Counts,
  narrowed,
} from "../../../../lib/base/values/counts.ts";

for (
  const [most, kind, wider] of [
    [255, Uint8Array, Uint16Array],
    [65_535, Uint16Array, Uint32Array],
  ] as const
) {
  Deno.test(`countAt goes on in wider counts behind ${most}`, () => {
    const counts: Counts = new kind([1, most - 1, 3]);
    strictEqual(countAt(counts, 1), counts);
    deepStrictEqual(countAt(counts, 1), new wider([1, most + 1, 3]));
  });
}

Deno.test("countAt counts what an array of numbers would", () => {
  const at = fc.integer({ min: 0, max: 3 });
  fc.assert(fc.property(fc.array(at, { maxLength: 2_000 }), (indexes) => {
    let counts: Counts = new Uint8Array(4).fill(250);
    const expected = [250, 250, 250, 250];
    for (const index of indexes) {
      counts = countAt(counts, index);
      expected[index]!++;
    }
    deepStrictEqual([...counts], expected);
  }));
});

Deno.test("narrowed copies counts into the narrowest array that holds them", () => {
  deepStrictEqual(narrowed([]), new Uint8Array());
  const wide = new Uint32Array([0, 255]);
  const narrow = narrowed(wide);
  wide[0] = 7;
  deepStrictEqual(narrow, new Uint8Array([0, 255]));
  deepStrictEqual(narrowed([1, 256]), new Uint16Array([1, 256]));
  deepStrictEqual(narrowed([65_536, 2]), new Uint32Array([65_536, 2]));
});
