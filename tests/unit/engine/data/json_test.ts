import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { readJsonFixture } from "../../../../lib/engine/data/json.ts";
import { FixtureFile } from "../../../../lib/engine/data/fixture_file.ts";
import type { InputError } from "../../../../lib/base/text/diagnostic.ts";

function read(text: string, maxRows = 100) {
  return readJsonFixture(text, new FixtureFile("f", text), maxRows);
}

Deno.test("readJsonFixture: scalars are their text in the file, null is empty text", () => {
  const written = ["7", "1.50", "1e3", "-0", "1e400", "9007199254740993"];
  const row = read(
    `[{"s":"x\\n","t":true,"n":null,${
      written.map((text, at) => `"${at}": ${text}`).join(" , ")
    }}]`,
  ).row(0);
  deepStrictEqual(
    ["s", "t", "n", ...written.keys()].map((column) => row.get(String(column))),
    ["x\n", "true", "", ...written].map((text) => ({ text })),
  );
});

Deno.test("readJsonFixture: a nested value is its text in the file, byte for byte", () => {
  const nested = [
    '{"b":1.0,"a":[1, 2]}',
    "[]",
    '[ {"id": 9007199254740993} ]',
    '{"a" :\n {"a": 1, "a": "\\u0041"}}',
  ];
  const row = read(
    `[ {${nested.map((text, at) => `"${at}":${text}`)}, "x":1} ]`,
  ).row(0);
  nested.forEach((text, at) =>
    deepStrictEqual(row.get(String(at)), { text, nested: true })
  );
  deepStrictEqual(row.get("x"), { text: "1" });
});

Deno.test("readJsonFixture: items may differ in their keys; one an item lacks has no cell", () => {
  const fixture = read('[{"a":"1"},{"b":"2"}]');
  deepStrictEqual(fixture.columns, ["a", "b"]);
  strictEqual(fixture.row(0).get("b"), undefined);
  strictEqual(fixture.row(1).get("a"), undefined);
  strictEqual(fixture.row(1).get("b")?.text, "2");
});

Deno.test("readJsonFixture: a key named like a property of all objects is only a key", () => {
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
    "a key that a row has twice, once a row, however it is written",
    '[{"a":null,"b":{"a":1},\n "\\u0061":3,"a":4},\n {"a":1,"b":2,"b":[]}]',
    [
      '2:2 duplicate-key duplicate key "\\u0061"',
      '3:15 duplicate-key duplicate key "b"',
    ],
  ],
  ["half of a surrogate pair deep inside", '[{"a":[{"b":"\\udc00"}]}]', [
    "1:2 lone-surrogate item 0 has half a surrogate pair in a text, which is not a character",
  ]],
  ["half of a surrogate pair", '[{"a":"\\ud800"},\n {"\\udc00":1}]', [
    "1:2 lone-surrogate item 0 has half a surrogate pair in a text, which is not a character",
    "2:2 lone-surrogate item 1 has half a surrogate pair in a text, which is not a character",
  ]],
  ["a comma too many", '[\n  {"a": 1},\n]', [
    '3:1 bad-json not JSON: expected a value, but found "]"',
  ]],
  ["a key without quotes", "[{a: 1}]", [
    '1:3 bad-json not JSON: expected a key in double quotes or `}`, but found "a:"',
  ]],
  ["a text that is not closed", '[{"a": "x\n"}]', [
    "1:8 bad-json not JSON: this string is not closed or has an illegal character or escape",
  ]],
  ["a list that is not closed", '[{"a": 1}', [
    "1:10 bad-json not JSON: expected `,` or the end of the list or object, but the text ends here",
  ]],
];

for (const [what, text, expected] of bad) {
  Deno.test(`readJsonFixture: refused: ${what}`, () => {
    throws(() => read(text), (error: unknown) => {
      deepStrictEqual(
        (error as InputError).diagnostics.map((
          { at: { range }, code, message },
        ) => `${range!.line}:${range!.column} ${code} ${message}`),
        expected,
      );
      return true;
    });
  });
}

Deno.test("readJsonFixture: more rows than the limit are refused", () => {
  strictEqual(read('[{"a":1},{"a":2}]', 2).size, 2);
  throws(() => read('[{"a":1},{"a":2},{"a":3}]', 2), (error: unknown) => {
    return (error as InputError).diagnostics[0]!.code === "fixture-too-long";
  });
});

Deno.test("readJsonFixture: JSON in another shape is met with the one that is meant", () => {
  const hintOf = (text: string) => {
    try {
      read(text);
    } catch (error) {
      return (error as InputError).diagnostics[0]!.hint;
    }
  };
  strictEqual(
    hintOf('{"users": [{"name":"a"}]}'),
    "make the list the whole file: [ { ... }, { ... } ]",
  );
  strictEqual(
    hintOf('{"name":"a"}\n{"name":"b"}\n'),
    "put the objects into one list: [ and ] around them, commas between",
  );
  strictEqual(hintOf('[{"name":"a"} {"name":"b"}]'), undefined);
});
