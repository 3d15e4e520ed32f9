import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { SharedList } from "../../../../lib/base/values/shared_list.ts";

Deno.test("SharedList gives the last list for one with the same items", () => {
  const shared = new SharedList<string | undefined>();
  const first = shared.of(["a", undefined]);
  strictEqual(shared.of(["a", undefined]), first);
  for (const other of [["a"], ["a", "b"], ["a", undefined, "c"], []]) {
    deepStrictEqual(shared.of(other), other);
  }
  deepStrictEqual(first, ["a", undefined]);
});
