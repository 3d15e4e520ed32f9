import { equal } from "node:assert/strict";
import { lineOf } from "../../../../lib/base/text/location.ts";

const TABLE: readonly [
  why: string,
  text: string,
  line: number,
  found: string | undefined,
][] = [
  ["the first line", "a\nb", 1, "a"],
  ["the last line without a break", "a\nb", 2, "b"],
  ["the empty line after a last break", "a\n", 2, ""],
  ["nothing beyond the end", "a\n", 3, undefined],
  ["nothing before the start", "a", 0, undefined],
  ["no carriage return", "a\r\nb\r\n", 2, "b"],
  ["no byte order mark", "\ufeffa\nb", 1, "a"],
  ["the only line of no text", "", 1, ""],
];

for (const [why, text, line, found] of TABLE) {
  Deno.test(`lineOf() gives ${why}`, () => equal(lineOf(text, line), found));
}

Deno.test("lineOf() distinguishes texts when they are asked about in turn", () => {
  equal(lineOf("a\nb", 2) + lineOf("c\nd", 2)! + lineOf("a\nb", 1), "bda");
});
