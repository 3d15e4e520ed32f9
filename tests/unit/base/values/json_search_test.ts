import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { JsonSearch } from "../../../../lib/base/values/json_search.ts";
import type { JsonValue } from "../../../../lib/base/values/json.ts";
import { readJson } from "../../../../lib/base/values/read_json.ts";
import {
  compilePath,
  searchKeys,
} from "../../../../lib/language/json_path/json_path.ts";

type Keys = (string | number)[];

const encoder = new TextEncoder();

/** The values at these places; undefined where the text could not be searched. */
function searched(
  text: string | Uint8Array,
  ...places: readonly Keys[]
): (JsonValue | undefined)[] | undefined {
  const search = new JsonSearch();
  const numbers = places.map((keys) => search.add(keys));
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  // Among the rest of what was in the buffer before.
  const rest = encoder.encode('}]"1, ');
  const buffer = Uint8Array.from([...rest, ...bytes, ...rest]);
  const start = rest.length;
  return search.search(buffer, start, start + bytes.length, {})
    ? numbers.map((number) => search.value(number))
    : undefined;
}

/** The value at a place, as it is without a search. */
function at(text: string, keys: Keys): JsonValue | undefined {
  let value: JsonValue | undefined = readJson(text);
  for (const key of keys) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) !== (typeof key === "number")) return undefined;
    const known: boolean = Object.hasOwn(value, key);
    value = known ? (value as Record<string, JsonValue>)[key] : undefined;
  }
  return value;
}

/** JSON text with white space anywhere, and escapes. */
function written(value: unknown, space: () => string): string {
  if (Array.isArray(value)) {
    const items = value.map((each) => space() + written(each, space) + space());
    return `[${items.length === 0 ? space() : items.join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, each]) =>
      `${space()}${JSON.stringify(name)}${space()}:${space()}${
        written(each, space)
      }${space()}`
    );
    return `{${members.length === 0 ? space() : members.join(",")}}`;
  }
  return JSON.stringify(value);
}

const names = fc.oneof(
  fc.constantFrom("a", "b", "id", "ü", 'q"', "__proto__", "\n", ""),
  fc.string({ maxLength: 3 }),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -1.5e-7, 1e21, 42),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const keys = fc.array(fc.oneof(names, fc.nat(3)), { maxLength: 3 });
const containers = values.filter((each) =>
  typeof each === "object" && each !== null
);

Deno.test("JsonSearch finds what is at a place of a text, wherever it has white space", () =>
  fc.assert(
    fc.property(
      containers,
      fc.array(keys, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.constantFrom("", "", " ", "\n\t", "\r")),
      (value, places, spaces) => {
        const space = () => spaces.next().value as string;
        const text = space() + written(value, space) + space();
        deepStrictEqual(
          searched(text, ...places),
          places.map((each) => at(text, each)),
        );
      },
    ),
    { numRuns: 2_000 },
  ));

Deno.test("JsonSearch takes a text for JSON where JSON.parse does", () =>
  fc.assert(
    fc.property(
      containers,
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...'{}[]",:0123456789.eE+-tfnul\\ \x01/'),
      (value, at, cut, put) => {
        const whole = JSON.stringify(value);
        const from = at % (whole.length + 1);
        const text = whole.slice(0, from) + put + whole.slice(from + cut % 3);
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        const isRead = typeof parsed === "object" && parsed !== null;
        equal(searched(text, ["id"]) !== undefined, isRead, text);
      },
    ),
    { numRuns: 5_000 },
  ));

Deno.test("JsonSearch: a text that is cut ends nowhere in what lies behind it", () => {
  const text = '{"id":[1,{"a":"b"}]}';
  for (let end = 0; end < text.length; end++) {
    equal(searched(text.slice(0, end), ["id"]), undefined, text.slice(0, end));
  }
});

Deno.test("JsonSearch: the last of equal names counts, with all that is below it", () => {
  const table: readonly [text: string, keys: Keys, found: unknown][] = [
    ['{"a":1,"a":2}', ["a"], 2],
    ['{"a":{"b":1},"a":{"c":2}}', ["a", "b"], undefined],
    ['{"a":{"b":1},"a":{"b":3}}', ["a", "b"], 3],
    ['{"a":[7],"\\u0061":8}', ["a", 0], undefined],
    ['{"\\u0061":[7]}', ["a", 0], 7],
    ['{"a":[7,[8]]}', ["a"], [7, [8]]],
    ['[{"a":1},{"a":2}]', [1, "a"], 2],
    ['{"a":{"a":5}}', ["a", "a"], 5],
    ['{"a":12345678901234567890}', ["a"], 12345678901234567890n],
    ['{"a":-0}', ["a"], -0],
    ['{"a":"\\ud83d\\ude00"}', ["a"], "😀"],
  ];
  for (const [text, keys, found] of table) {
    deepStrictEqual(searched(text, keys), [found], text);
    deepStrictEqual(at(text, keys), found, text);
  }
});

Deno.test("JsonSearch leaves to readJson what is no object, no list, no UTF-8, or too deep", () => {
  const deep = (count: number) => "[".repeat(count) + "]".repeat(count);
  for (const text of ["", "1", '"a"', "null", " ", deep(32), "\ufeff{}"]) {
    equal(searched(text, ["a"]), undefined, text);
  }
  deepStrictEqual(searched(deep(31), ["a"]), [undefined]);
  const latin = Uint8Array.from([
    ...encoder.encode('{"a":"'),
    0xe4,
    0x22,
    0x7d,
  ]);
  equal(searched(latin, ["a"]), undefined);
  deepStrictEqual(searched('{"a":"ä"}', ["a"]), ["ä"]);
});

Deno.test("JsonSearch keeps the values of one text until the next is searched", () => {
  const search = new JsonSearch();
  const number = search.add(["id"]);
  equal(search.add(["id"]), number);
  const [first, second] = ['{"id":1}', "[]"].map((text) =>
    encoder.encode(text)
  );
  const [one, other] = [{}, {}];
  ok(search.search(first!, 0, first!.length, one));
  equal(search.value(number), 1);
  equal(search.by, one);
  ok(search.search(second!, 0, second!.length, other));
  equal(search.value(number), undefined);
  equal(search.by, other);
});

Deno.test("searchKeys: paths of names and indexes from the front, and no others", () => {
  deepStrictEqual(searchKeys("$.a['b'][2]"), ["a", "b", 2]);
  for (const path of ["$", "$.a[-1]", "$.a[*]", "$..a", "$.a[0:1]"]) {
    equal(searchKeys(path), undefined, path);
    ok(compilePath(path));
  }
});
