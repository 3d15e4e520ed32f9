import { deepStrictEqual } from "node:assert/strict";
import { BoundedMap } from "../../../../cli/demo/shop.ts";

Deno.test("BoundedMap: forgets the oldest entry, and only for a new one", () => {
  const map = new BoundedMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  deepStrictEqual(["a", "b"].map((key) => map.get(key)), [3, 2]);
  map.set("c", 4);
  deepStrictEqual(["a", "b", "c"].map((key) => map.get(key)), [
    undefined,
    2,
    4,
  ]);
});
