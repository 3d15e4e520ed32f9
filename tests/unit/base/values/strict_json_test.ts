import { equal } from "node:assert/strict";
import fc from "fast-check";
import { positionAt } from "../../../../lib/base/text/location.ts";
import { jsonError } from "../../../../lib/base/values/read_json.ts";

const REFUSED: readonly [
  why: string,
  text: string,
  location: string,
  code?: string,
][] = [
  ["nothing at all", "", "1:1"],
  ["a missing value", '{"a":\n  }', "2:3"],
  ["a trailing comma", "[1,]", "1:4"],
  ["a missing comma", '{"a":1\n"b":2}', "2:1"],
  ["a key without quotes", "{a:1}", "1:2"],
  ["a single quote", "['a']", "1:2"],
  ["an open string", '["a', "1:2"],
  ["a line break in a string", '["a\nb"]', "1:2"],
  ["an unknown escape", '["\\x"]', "1:2"],
  ["a leading zero", "[01]", "1:3"],
  ["a second value", "{} {}", "1:4"],
  ["not a number", "[NaN]", "1:2"],
  ["an open list", "[1", "1:3"],
  ["a repeated key", '{"a":1,\n "a":2}', "2:2", "duplicate-key"],
  ["half a surrogate pair", '["\\ud800"]', "1:2", "lone-surrogate"],
  ["a number beyond all doubles", "[1e400]", "1:2", "number-out-of-range"],
  [
    "an integer whose digits would be lost",
    "[9007199254740993]",
    "1:2",
    "number-out-of-range",
  ],
  [
    "a repeated key before levels without end",
    `{"a":1,"a":${"[".repeat(600)}`,
    "1:8",
    "duplicate-key",
  ],
  [
    "a number of too many digits before what is no JSON",
    "[0.12345678901234567890, x]",
    "1:2",
    "number-out-of-range",
  ],
  [
    "half a surrogate pair before a text that ends too early",
    '["\\ud800", ',
    "1:2",
    "lone-surrogate",
  ],
  ["levels without end", "[".repeat(600), "1:513", "nesting-too-deep"],
];

for (const [why, text, location, code = "json-syntax"] of REFUSED) {
  Deno.test(`jsonError() refuses ${why}`, () => {
    const fault = jsonError(text);
    const { line, column } = positionAt(text, fault!.at);
    equal(`${line}:${column}`, location);
    equal(fault!.code, code);
  });
}

function accepts(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

Deno.test("jsonError() takes every JSON value", () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 8 }),
      (text) => equal(jsonError(text), undefined),
    ),
  );
});

Deno.test("jsonError() takes large numbers whose digits all come back", () => {
  equal(
    jsonError("[100000000000000000000, 1e20, -9007199254740992, 1.5e300]"),
    undefined,
  );
});

Deno.test("jsonError() agrees with JSON.parse on damaged text", () => {
  const damaged = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom("", ",", '"', "}", "0", "\\", "\n"),
  )
    .map(([text, seed, piece]) => {
      const at = seed % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + 1);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      const fault = jsonError(text);
      // JSON.parse lets keys repeat and digits go; this reader does not.
      if (fault && fault.code !== "json-syntax") return;
      equal(fault === undefined, accepts(() => JSON.parse(text)));
    }),
    { numRuns: 1_000 },
  );
});
