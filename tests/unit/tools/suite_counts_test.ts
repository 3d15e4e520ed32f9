import { deepStrictEqual, equal } from "node:assert/strict";
import { shown, withoutSilence } from "../../deno_suite.ts";

Deno.test("suite counts: what goes to stderr in between does not touch a line of counts", async () => {
  const script =
    "printf '...' >&2; echo 'python: 3 passed'; printf 'OK' >&2; exit 4";
  const { stdout, code } = await shown("sh", ["-c", script]);
  equal(stdout, "python: 3 passed\n");
  equal(code, 4);
});

Deno.test("suite counts: a suite that ran nothing, or died, has a failure", () => {
  const counts = { passed: 3, failed: 0, skipped: 1 };
  deepStrictEqual(withoutSilence(counts, 0), counts);
  deepStrictEqual(withoutSilence(counts, 1), { ...counts, failed: 1 });
  deepStrictEqual(withoutSilence({ ...counts, failed: 2 }, 1).failed, 2);
  deepStrictEqual(withoutSilence({ ...counts, passed: 0 }, 0).failed, 1);
});
