import { deepEqual } from "node:assert/strict";
import { rangeAt } from "../../../../lib/base/text/within.ts";

const SOURCE = `steps:
  - literal: |
      first

        deeper
    stripped: |-
      word
    indented: |2

      word
    folded: >
      one
      two
    plain: some words
    single: 'some words'
    double: "some words"
    escaped: "so\\x6de words"
    doubled: 'it''s so'
call("""query {
  me
""", QUERY)
`;

const TABLE: readonly [
  why: string,
  from: [line: number, column: number],
  position: [line: number, column: number, length?: number],
  found: [line: number, column: number, length: number],
][] = [
  ["the first line of a literal block", [2, 14], [1, 1, 5], [3, 7, 5]],
  ["a deeper line keeps its indent", [2, 14], [3, 3], [5, 9, 1]],
  ["an empty line of the block", [2, 14], [2, 1], [4, 7, 1]],
  ["a block with a chomping sign", [6, 15], [1, 2], [7, 8, 1]],
  ["a block that says its indent", [8, 15], [2, 3], [10, 9, 1]],
  ["folded lines: the scalar itself", [11, 13], [1, 5, 3], [11, 13, 9]],
  ["a plain scalar", [14, 12], [1, 6, 5], [14, 17, 5]],
  ["a single-quoted one", [15, 13], [1, 6], [15, 19, 1]],
  ["a double-quoted one", [16, 13], [1, 6], [16, 19, 1]],
  ["escapes: the scalar itself", [17, 14], [1, 6], [17, 14, 9]],
  ["a doubled quote: the scalar itself", [18, 14], [1, 6], [18, 14, 9]],
  ["a Python text on its first line", [19, 6], [1, 1, 5], [19, 9, 5]],
  ["a Python text further down", [19, 6], [2, 3, 2], [20, 3, 2]],
  ["a name that stands for a text: the name", [21, 6], [1, 30], [21, 6, 9]],
];

for (const [why, [line, column], [at, from, length], found] of TABLE) {
  Deno.test(`rangeAt() ${why}`, () => {
    const position = {
      line: at,
      column: from,
      ...(length !== undefined && { length }),
    };
    const span = rangeAt({ line, column, length: 9 }, SOURCE, position);
    deepEqual([span.line, span.column, span.length], found);
  });
}
