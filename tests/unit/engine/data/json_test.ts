import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { readJson } from "../../../../lib/engine/data/json.ts";
import { Problems } from "../../../../lib/engine/data/problems.ts";
import type { InputError } from "../../../../lib/base/text/diagnostic.ts";

function read(text: string, maxRows = 100) {
  return readJson(text, new Problems("f", text), maxRows);
}

Deno.test("readJson: scalars become text, null becomes empty text", () => {
  const row = read(
    '[{"s":"x","i":7,"f":1.50,"e":1e3,"t":true,"n":null}]',
  ).row(0);
  deepStrictEqual(
    ["s", "i", "f", "e", "t", "n"].map((column) => row.get(column)),
    ["x", "7", "1.5", "1000", "true", ""].map((text) => ({ text })),
  );
});

Deno.test("readJson: a nested value is its canonical text, and the value", () => {
  const row = read('[{"o":{"b":1,"a":[2,null]},"l":[]}]').row(0);
  deepStrictEqual(row.get("o"), {
    text: '{"a":[2,null],"b":1}',
    json: { b: 1, a: [2, null] },
  });
  deepStrictEqual(row.get("l"), { text: "[]", json: [] });
});

Deno.test("readJson: items may differ in their keys; one an item lacks has no cell", () => {
  const fixture = read('[{"a":"1"},{"b":"2"}]');
  deepStrictEqual(fixture.columns, ["a", "b"]);
  strictEqual(fixture.row(0).get("b"), undefined);
  strictEqual(fixture.row(1).get("a"), undefined);
  strictEqual(fixture.row(1).get("b")?.text, "2");
});

Deno.test("readJson: a key named like a property of all objects is only a key", () => {
  const fixture = read('[{"__proto__":"p","constructor":"c"},{"x":"1"}]');
  strictEqual(fixture.row(0).get("__proto__")?.text, "p");
  strictEqual(fixture.row(0).get("constructor")?.text, "c");
  strictEqual(fixture.row(1).get("constructor"), undefined);
});

const bad: readonly [string, string, readonly string[]][] = [
  ["an object", '\n {"a":1}', [
    "2:2 bad-json a JSON fixture must be a list of objects, but it is an object",
  ]],
  ["a number", "7", [
    "1:1 bad-json a JSON fixture must be a list of objects, but it is the integer 7",
  ]],
  ["an empty list", "[]", [
    "1:1 empty-fixture fixture `f` must have at least one row, but its list is empty",
  ]],
  [
    "items that are no objects, each by its index",
    '[{"a":1},\n 5,\n [1],\n null]',
    [
      "2:2 bad-row item 1 must be an object, but it is the integer 5",
      "3:2 bad-row item 2 must be an object, but it is a list",
      "4:2 bad-row item 3 must be an object, but it is null",
    ],
  ],
  ["an item without keys", '[{"a":[{}]}, {}]', [
    "1:14 bad-row item 1 must have at least one key, but it is empty",
  ]],
  [
    "a whole number that loses digits",
    '[{"a":"1"},\n{"id":{"x":[9007199254740993]}}]',
    [
      "2:1 number-too-large item 1 has a whole number beyond 2^53, which loses digits: it would be sent as 9007199254740992",
    ],
  ],
  ["a number that a double cannot hold", '[{"a":1},\n{"b":[1,1e400]}]', [
    "2:1 number-too-large item 1 has a number too large for JSON",
  ]],
  ["half of a surrogate pair", '[{"a":"\\ud800"},\n {"\\udc00":1}]', [
    "1:2 lone-surrogate item 0 has half a surrogate pair in a text, which is no character",
    "2:2 lone-surrogate item 1 has half a surrogate pair in a text, which is no character",
  ]],
  ["a comma too many", '[\n  {"a": 1},\n]', [
    '3:1 bad-json not JSON: expected a value, but found "]"',
  ]],
  ["a key without quotes", "[{a: 1}]", [
    '1:3 bad-json not JSON: expected a key in double quotes or `}`, but found "a:"',
  ]],
  ["a list that is not closed", '[{"a": 1}', [
    "1:10 bad-json not JSON: expected `,` or the end of the list or object, but found the end of the file",
  ]],
];

for (const [what, text, expected] of bad) {
  Deno.test(`readJson: refused: ${what}`, () => {
    throws(() => read(text), (error: unknown) => {
      deepStrictEqual(
        (error as InputError).diagnostics.map(({ span, code, message }) =>
          `${span!.line}:${span!.column} ${code} ${message}`
        ),
        expected,
      );
      return true;
    });
  });
}

Deno.test("readJson: more rows than the limit are refused", () => {
  strictEqual(read('[{"a":1},{"a":2}]', 2).size, 2);
  throws(() => read('[{"a":1},{"a":2},{"a":3}]', 2), (error: unknown) => {
    return (error as InputError).diagnostics[0]!.code === "fixture-too-long";
  });
});
