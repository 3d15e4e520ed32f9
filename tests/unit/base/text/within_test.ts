import { deepEqual } from "node:assert/strict";
import { rangeOfKey, rangeWithin } from "../../../../lib/base/text/within.ts";

const SOURCE = `steps:
  - call: GET /{{id}}/{{ id }}
    body: |
      first {{ a }}
        second {{b}}
    next: {{ b }}
`;

const TABLE: readonly [
  why: string,
  from: [line: number, column: number],
  inside: string,
  found: [line: number, column: number, length: number],
][] = [
  ["the first of two on the line", [2, 11], "{{ id }}", [2, 16, 6]],
  ["white space inside the braces is free", [2, 20], "{{ id }}", [2, 23, 8]],
  ["a block scalar's own lines", [3, 11], "{{ a }}", [4, 13, 7]],
  ["deeper lines of a block scalar", [3, 11], "{{ b }}", [5, 16, 5]],
  ["not beyond the block", [3, 11], "next", [3, 11, 1]],
  ["a key before its value", [3, 11], "body", [3, 5, 4]],
  ["nothing found leaves the span", [2, 11], "zzz", [2, 11, 1]],
  ["an empty needle leaves the span", [2, 11], "", [2, 11, 1]],
  ["signs are not patterns", [2, 11], "GET /", [2, 11, 5]],
];

for (const [why, [line, column], inside, found] of TABLE) {
  Deno.test(`rangeWithin() ${why}`, () => {
    const span = rangeWithin({ line, column, length: 1 }, SOURCE, inside);
    deepEqual([span.line, span.column, span.length], found);
  });
}

Deno.test("rangeWithin() leaves a span outside the source alone", () => {
  const span = { line: 99, column: 1, length: 1 };
  deepEqual(rangeWithin(span, SOURCE, "id"), span);
});

Deno.test("rangeOfKey() finds the key, though its name is in the value too", () => {
  const source = `at: { id: "{{ id }}" }\n`;
  deepEqual(rangeOfKey({ line: 1, column: 11, length: 10 }, source, "id"), {
    line: 1,
    column: 7,
    length: 2,
  });
  deepEqual(
    rangeOfKey({ line: 1, column: 1, length: 22 }, source, "id").column,
    7,
  );
});

Deno.test("rangeOfKey() finds the key above a value that begins on a line of its own", () => {
  const source = "at:\n  id:\n    # id\n\n    own: id\n";
  deepEqual(rangeOfKey({ line: 5, column: 5, length: 1 }, source, "id"), {
    line: 2,
    column: 3,
    length: 2,
  });
});
