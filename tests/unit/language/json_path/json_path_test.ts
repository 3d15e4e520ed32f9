import assert from "node:assert/strict";
import fc from "fast-check";
import { compilePath } from "../../../../lib/language/json_path/json_path.ts";
import type { JsonValue } from "../../../../lib/base/values/json.ts";

const STORE: JsonValue = {
  id: 42,
  none: null,
  no: false,
  zero: 0,
  empty: "",
  "a b": 1,
  "it's": 2,
  'say "x"': 3,
  "user-id": 4,
  "größe": 5,
  list: [10, 20, 30],
  faces: ["😀", "ab"],
  books: [
    { title: "A", price: 8 },
    { title: "B", price: 12, isbn: "1" },
    { title: "C", price: 20, isbn: "2" },
  ],
};

Deno.test("compilePath finds what a singular path leads to", () => {
  const table: [path: string, found: JsonValue | undefined][] = [
    ["$", STORE],
    ["$.id", 42],
    ["$['id']", 42],
    ['$["id"]', 42],
    ["$['user-id']", 4],
    ["$.größe", 5],
    ["$['a b']", 1],
    ["$['it\\'s']", 2],
    ['$["it\'s"]', 2],
    ["$['say \"x\"']", 3],
    ["$.list[0]", 10],
    ["$.list[-1]", 30],
    ["$.list[3]", undefined],
    ["$.list[-4]", undefined],
    ["$.books[1].title", "B"],
    ["$.no", false],
    ["$.zero", 0],
    ["$.empty", ""],
    ["$.none", null],
    ["$.missing", undefined],
    ["$.missing.deeper", undefined],
    ["$.id.deeper", undefined],
    ["$.list.length", undefined],
    ["$.id[0]", undefined],
    ["$.empty.length", undefined],
    ["$.toString", undefined],
    ["$.__proto__", undefined],
  ];
  for (const [path, found] of table) {
    assert.deepEqual(compilePath(path)(STORE), found, path);
  }
});

Deno.test("compilePath gives one match as it is, several as a list, none as nothing", () => {
  const table: [path: string, found: JsonValue | undefined][] = [
    ["$.books[*].title", ["A", "B", "C"]],
    ["$..price", [8, 12, 20]],
    ["$.books[?@.price > 10].title", ["B", "C"]],
    ["$.books[?@.price > 15].title", "C"],
    ["$.books[?@.price > 99].title", undefined],
    ["$.books[?@.isbn].title", ["B", "C"]],
    ["$.books[?@.isbn == '2'].title", "C"],
    ["$.books[?match(@.title, '[AB]')].price", [8, 12]],
    ["$.list[0:2]", [10, 20]],
    ["$.list[::-1]", [30, 20, 10]],
    ["$.list[0, 2]", [10, 30]],
    ["$.list[?@ > 20]", 30],
    ["$.books[?length(@.title) == 1].price", [8, 12, 20]],
    ["$.books[?count(@.*) == 2].title", "A"],
    ["$.books[?match(@.price, '8')].title", undefined],
    ["$.books[?(@.price == 8)].title", "A"],
    ["$.faces[?length(@) == 1]", "😀"],
  ];
  for (const [path, found] of table) {
    assert.deepEqual(compilePath(path)(STORE), found, path);
  }
});

Deno.test("compilePath lists the matches of a path that is not singular, where asked to", () => {
  const table: [path: string, found: JsonValue | undefined][] = [
    ["$.id", 42],
    ["$.list", [10, 20, 30]],
    ["$.list[?@ > 20]", [30]],
    ["$.list[?@ > 10]", [20, 30]],
    ["$.list[?@ > 30]", undefined],
  ];
  for (const [path, found] of table) {
    assert.deepEqual(compilePath(path, "some")(STORE), found, path);
  }
  assert.equal(compilePath("$..a", "all")(undefined), undefined);
  assert.deepEqual(compilePath("$..nowhere", "all")(STORE), []);
  assert.equal(compilePath("$.nowhere", "all")(STORE), undefined);
});

Deno.test("a singular path means the same as when it is one of several", () => {
  const key = fc.stringMatching(/^[a-z]{1,3}$/);
  const segment = fc.oneof(key, fc.integer({ min: -3, max: 3 }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.dictionary(key, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
      fc.array(tie("tree"), { maxLength: 3 }),
    ),
  }));
  fc.assert(fc.property(tree, fc.array(segment), (value, segments) => {
    const own = segments.map((each) =>
      typeof each === "number" ? `[${each}]` : `.${each}`
    ).join("");
    // A list of one selector and a doubled one keep the path from being singular.
    const several = segments.map((each) =>
      typeof each === "number" ? `[${each},999]` : `['${each}','none']`
    ).join("");
    const json = value as JsonValue;
    assert.deepEqual(
      compilePath(`$${own}`)(json),
      compilePath(`$${several}`)(json),
    );
  }));
});
