import { BenchError } from "../../../../lib/base/errors/bench_error.ts";
import { deepStrictEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { WorkLimitError } from "../../../../lib/base/values/work.ts";
import { compileMatcher } from "../../../../lib/language/patterns/matcher.ts";
import { randomPattern, randomText } from "./random_pattern.ts";

Deno.test("a matcher says the same of short and of long texts", () => {
  fc.assert(
    fc.property(randomPattern, randomText, (source, text) => {
      const matcher = compileMatcher(source);
      equal(matcher.test(text), new RegExp(source).test(text));
    }),
    { numRuns: 2_000, seed: 20260102 },
  );
  const matcher = compileMatcher("^[\\w.]+@(?:\\w+\\.)+\\w+$");
  equal(matcher.test("a.b@c.d.example"), true);
  equal(matcher.test(`${"a.b".repeat(100_000)}@c.example`), true);
  equal(matcher.test(`${"a.b".repeat(100_000)}@c.example!`), false);
});

Deno.test("a matcher finds the first match and its groups, as long as the text may be", () => {
  fc.assert(
    fc.property(randomPattern, randomText, (source, text) => {
      let found;
      try {
        found = compileMatcher(source).exec(text);
      } catch (error) {
        // What may take for ever is given up on.
        if (error instanceof WorkLimitError) return;
        throw error;
      }
      const expected = new RegExp(source).exec(text);
      deepStrictEqual(found?.slice(), expected?.slice());
      equal(found?.index, expected?.index);
    }),
    { numRuns: 2_000, seed: 20260102 },
  );
  const long = "x\n".repeat(500_000);
  const input = '<input name="csrf" type=hidden value="tok">';
  const found = (source: string, text: string) =>
    compileMatcher(source).exec(text)?.slice();
  deepStrictEqual(
    found('name="csrf".*?value="([^"]+)"', `${long}${input}${long}"`)?.[1],
    "tok",
  );
  deepStrictEqual(found("(\\d+)(a)?$", `${long}12 ${long}345`), [
    "345",
    "345",
    undefined,
  ]);
  equal(found("y(.)", long), undefined);
  throws(() => found("(a+)+b", `${"a".repeat(100_000)}b`), WorkLimitError);
});

Deno.test("a matcher with a back reference takes texts up to a length", () => {
  const matcher = compileMatcher("(\\w+) \\1$");
  equal(matcher.test("to be be"), true);
  equal(matcher.test("to be or"), false);
  throws(() => matcher.test("ab ".repeat(1_000)), (error) => {
    equal(error instanceof WorkLimitError, true);
    equal(
      (error as Error).message,
      "the text has 3000 characters, and the pattern can be tried on 422 at most because it refers back to a group",
    );
    return true;
  });
});

Deno.test("a pattern that is no automaton and may take for ever is refused", () => {
  for (const source of ["(a*)*b\\1", "^(?:(a)|b)*\\1$", "(?:a|a){0,65535}b"]) {
    throws(() => compileMatcher(source), BenchError, source);
  }
});
