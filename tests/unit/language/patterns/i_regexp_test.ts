import { equal } from "node:assert/strict";
import { compileIRegexp } from "../../../../lib/language/patterns/pattern.ts";

Deno.test("an I-Regexp matches whole texts or parts of them", () => {
  const table: [source: string, text: string, whole: boolean, part: boolean][] =
    [
      ["a.c", "abc", true, true],
      ["a.c", "xabcx", false, true],
      ["a.c", "a\nc", false, false],
      ["a.c", "a\u2028c", true, true],
      [".", "😀", true, true],
      ["a|bc", "bc", true, true],
      ["a|bc", "abc", false, true],
      ["(ab){2,3}", "abab", true, true],
      ["[a-c\\-]+", "a-b", true, true],
      ["[^a-c]", "d", true, true],
      ["[-a]", "-", true, true],
      ["a\\-b\\.c", "a-b.c", true, true],
      ["\\p{Lu}\\P{L}", "É1", true, true],
      ["[\\p{Nd}x]", "x", true, true],
      ["^ab$", "ab", true, true],
      ["", "", true, true],
    ];
  for (const [source, text, whole, part] of table) {
    equal(compileIRegexp(source, true)?.test(text), whole, source);
    equal(compileIRegexp(source, false)?.test(text), part, source);
  }
});

Deno.test("what ECMAScript has beyond I-Regexp is none", () => {
  const table = [
    "\\d",
    "\\w+",
    "\\bа",
    "a*?",
    "a**",
    "(?:a)",
    "(?=a)",
    "(a)\\1",
    "\\u0061",
    "\\p{Script=Greek}",
    "\\p{Letter}",
    "[a-\\d]",
    "[z-a]",
    "[]",
    "[^]",
    "[[]",
    "a{,2}",
    "a{2,1}",
    "*a",
    "(a",
    "a)",
    "a]",
    "{",
    "\\",
    "(".repeat(65) + ")".repeat(65),
    "a".repeat(10_001),
  ];
  for (const source of table) {
    equal(compileIRegexp(source, true), undefined, source);
  }
});
