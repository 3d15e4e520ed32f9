import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { spreadJson } from "../../../../lib/base/values/spread_json.ts";

Deno.test("spreadJson: every value as JSON.stringify indents it", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const expected = JSON.stringify(value, null, 2);
    deepStrictEqual(spreadJson(JSON.stringify(value), Infinity), {
      text: expected,
      whole: true,
    });
    // White space that is there already makes no difference.
    equal(spreadJson(expected, Infinity)?.text, expected);
  }));
});

Deno.test("spreadJson: numbers and escapes stay as they are written", () => {
  equal(
    spreadJson('{"a":1.10,"a":12345678901234567890,"\\u0061":"\\/"}', 1_000)
      ?.text,
    '{\n  "a": 1.10,\n  "a": 12345678901234567890,\n  "\\u0061": "\\/"\n}',
  );
});

Deno.test("spreadJson: what is not JSON has no such form", () => {
  for (const text of ["", "{", "[1,]", "a", "[1] 2"]) {
    equal(spreadJson(text, 1_000), undefined, text);
  }
});

Deno.test("spreadJson: indentation that would fill any memory ends at the limit", () => {
  const depth = 200_000;
  const text = "[".repeat(depth) + "]".repeat(depth);
  const { text: shown, whole } = spreadJson(text, 10_000)!;
  equal(whole, false);
  equal(shown.length, 10_000);
  ok(shown.startsWith("[\n  [\n    [\n"));
});
