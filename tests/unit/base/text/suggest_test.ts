import { equal } from "node:assert/strict";
import { nearest } from "../../../../lib/base/text/suggest.ts";

const KEYS = ["assert", "auth", "headers", "on_failure", "max_attempts", "url"];

const TABLE: readonly [why: string, word: string, found: string | undefined][] =
  [
    ["a swapped pair", "asesrt", "assert"],
    ["a letter left out", "asert", "assert"],
    ["letter case is free", "Headers", "headers"],
    ["a hyphen for an underscore is free", "on-failure", "on_failure"],
    ["two slips in a long word", "max_atempt", "max_attempts"],
    ["one slip in a short word", "ur", "url"],
    ["the beginning of one word alone", "max", "max_attempts"],
    ["the beginning of two words", "a", undefined],
    ["a word of its own", "colour", undefined],
    ["nothing is near to nothing", "", undefined],
  ];

for (const [why, word, found] of TABLE) {
  Deno.test(`nearest() ${why}: "${word}"`, () => {
    equal(nearest(word, KEYS), found);
  });
}

Deno.test("nearest() prefers the fewest edits, then the first candidate", () => {
  equal(nearest("abcd", ["abxx", "abcx", "abcy"]), "abcx");
});
