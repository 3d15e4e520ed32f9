import { strictEqual } from "node:assert/strict";
import { durationHint } from "../../../../lib/base/values/duration.ts";

const HINTS: readonly (readonly [text: string, hint: string | undefined])[] = [
  ["1m30s", "did you mean 90s?"],
  ["1h 5s", "did you mean 3605s?"],
  ["1h 30m", "did you mean 90m?"],
  ["2h 1m 1s", "did you mean 7261s?"],
  ["30s1m", undefined],
  ["2540400h", undefined],
  ["90m", undefined],
];

for (const [text, hint] of HINTS) {
  Deno.test(`durationHint("${text}")`, () => {
    strictEqual(durationHint(text), hint);
  });
}

Deno.test("durationHint: a long text is looked at in one pass", () => {
  strictEqual(durationHint(`1h${" ".repeat(1_000_000)}x`), undefined);
});
