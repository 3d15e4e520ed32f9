import { equal } from "node:assert/strict";
import fc from "fast-check";
import type { MapNode } from "../../../../lib/language/source/node.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

function inside(text: string, at: number | string, length?: number): string {
  const reader = new Reader("f");
  const { value } = (readYaml(text, reader) as MapNode).entries[0]!;
  const range = reader.inside(value, at, length).range!;
  return `${range.line}:${range.column}+${range.length}`;
}

const TABLE: readonly [why: string, text: string, at: number, found: string][] =
  [
    ["an offset into a plain scalar", "a: one two\n", 4, "1:8+3"],
    ["an offset past the opening quote", 'a: "one two"\n', 4, "1:9+3"],
    ["single quotes that are doubled", "a: 'it''s x'\n", 5, "1:11+1"],
    ["escapes of double quotes", 'a: "\\"\\u0041 x"\n', 3, "1:14+1"],
    ["the end of the scalar", "a: one\n", 3, "1:7+1"],
    ["an offset beyond the end", "a: one\n", 99, "1:7+1"],
    ["a block scalar as a whole", "a: |\n  one\n", 2, "1:4+1"],
    ["a scalar on several lines as a whole", 'a: "one\n  two"\n', 5, "1:4+4"],
  ];

for (const [why, text, at, found] of TABLE) {
  Deno.test(`locationInside() takes ${why}`, () =>
    equal(inside(text, at), found));
}

Deno.test("locationInside() takes a length, and text to look for", () => {
  equal(inside('a: "one two three"\n', 4, 3), "1:9+3");
  equal(inside("a: x {{  y }}\n", "{{ y }}"), "1:6+8");
});

Deno.test("locationInside() finds each character of a double-quoted scalar", () => {
  const texts = fc.string({ minLength: 1, maxLength: 20 });
  fc.assert(fc.property(texts, fc.nat(19), (text, seed) => {
    const at = seed % text.length;
    const raw = JSON.stringify(text);
    const [, column] = /:(\d+)\+/.exec(inside(`k: ${raw}\n`, at, 1))!;
    const shown = raw.slice(Number(column) - 4);
    equal(shown.startsWith(JSON.stringify(text[at]).slice(1, -1)), true);
  }));
});
