import { equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { WorkLimitError } from "../../../../lib/base/values/work.ts";
import { LinearMatcher } from "../../../../lib/language/patterns/matcher.ts";
import { parsePattern } from "../../../../lib/language/patterns/parser.ts";
import { PatternSizeError } from "../../../../lib/language/patterns/automaton.ts";
import vectors from "../../../vectors/patterns/patterns.json" with {
  type: "json",
};
import { randomPattern, randomText } from "./random_pattern.ts";

const linear = (source: string, unicode = false) =>
  new LinearMatcher(parsePattern(source, unicode), unicode);

Deno.test("an automaton matches what the runtime's engine matches", () => {
  fc.assert(
    fc.property(
      randomPattern,
      fc.array(randomText, { minLength: 4, maxLength: 4 }),
      (source, texts) => {
        const native = new RegExp(source);
        const own = linear(source);
        for (const text of texts) {
          equal(own.test(text), native.test(text), `/${source}/ on ${text}`);
        }
      },
    ),
    { numRuns: 4_000, seed: 20260101 },
  );
});

Deno.test("an automaton matches as the vectors of `matches` say", () => {
  for (const [pattern, text, found] of vectors.matches) {
    const tree = parsePattern(String(pattern), false);
    if (tree.hasBackReference) continue;
    equal(
      new LinearMatcher(tree, false).test(String(text)),
      found,
      `${pattern} on ${text}`,
    );
  }
});

Deno.test("an automaton of code points sees characters beyond the basic plane", () => {
  equal(linear("^.$", true).test("😀"), true);
  equal(linear("^.$", false).test("😀"), false);
  equal(linear("^[😀-😎]+$", true).test("😀😎"), true);
  equal(linear("^\\p{Lu}\\P{Lu}$", true).test("É😀"), true);
});

const LONG = 1 << 20;

Deno.test("an automaton is done with texts that keep an engine busy that backtracks", () => {
  const texts = [
    "a".repeat(LONG),
    `${"a".repeat(LONG)}!`,
    "ab ".repeat(LONG / 4),
  ];
  const table: [source: string, found: readonly boolean[]][] = [
    ["^(a+)+$", [true, false, false]],
    ["^(a|aa)+$", [true, false, false]],
    ["(x+x+)+y", [false, false, false]],
    ["a.*b.*c$", [false, false, false]],
    ["\\s+$", [false, false, true]],
    ["^(?:\\w+\\s?)*$", [true, false, true]],
    ["(?:a?){40}a{40}!", [false, true, false]],
    ["^(?=.*b)(?!.*!).*$", [false, false, true]],
    ["(?<=a{30})!", [false, true, false]],
  ];
  for (const [source, found] of table) {
    const own = linear(source);
    for (const [index, text] of texts.entries()) {
      equal(own.test(text), found[index], `/${source}/ on text ${index}`);
    }
  }
});

Deno.test("a pattern whose automaton has states without end gives up on a long text", () => {
  const own = linear("^[ab]*a[ab]{300}c");
  const bits = fc.sample(fc.constantFrom("a", "b"), { numRuns: LONG, seed: 1 });
  throws(() => own.test(bits.join("")), WorkLimitError);
  equal(own.test(`${"a".repeat(400)}c`), true);
});

Deno.test("a pattern that is too large for an automaton is refused as one", () => {
  for (
    const source of [
      "(?:a{1000}){1000}",
      "a{99999999999}",
      "(?:a|b){0,65535}",
      "\\b".repeat(31),
    ]
  ) {
    throws(() => linear(source), PatternSizeError, source);
  }
  equal(linear("(?:){99999999999}a").test("a"), true);
});
