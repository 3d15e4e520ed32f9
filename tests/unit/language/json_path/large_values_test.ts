import { deepEqual, equal, throws } from "node:assert/strict";
import type { JsonValue } from "../../../../lib/base/values/json.ts";
import {
  compileMatches,
  compilePath,
} from "../../../../lib/language/json_path/json_path.ts";
import { WorkLimitError } from "../../../../lib/base/values/work.ts";

const DEEP = 100_000;
const LONG = 300_000;

const list: JsonValue = Array.from({ length: LONG }, (_, index) => index);
const deepList = JSON.parse("[".repeat(DEEP) + "]".repeat(DEEP)) as JsonValue;
const deepObject = JSON.parse(
  '{"a":'.repeat(DEEP) + "1" + "}".repeat(DEEP),
) as JsonValue;

const countOf = (path: string, value: JsonValue) =>
  compileMatches(path)(value).length;

Deno.test("a path looks into a value as deep as it is", () => {
  equal(countOf("$..a", deepObject), DEEP);
  equal(countOf("$..*", deepList), DEEP - 1);
  equal(countOf("$..b", deepObject), 0);
  equal(countOf("$..[?@.a == 1]", deepObject), 1);
  equal(compilePath("$..[?!@.a]")(deepObject), 1);
});

Deno.test("a path takes a list as long as it is", () => {
  const value = { a: list };
  equal(countOf("$.a[*]", value), LONG);
  equal(countOf("$.a.*", value), LONG);
  equal(countOf("$.a[::-1]", value), LONG);
  equal(countOf("$..*", value), LONG + 1);
  equal(countOf(`$.a[?@ >= ${LONG - 2}]`, value), 2);
  equal(countOf("$[?count(@.*) == 300000]", value), 1);
  equal(countOf("$[?length(@) == 300000]", value), 1);
});

Deno.test("values are compared as deep as they are", () => {
  const twice = (inner: string) =>
    JSON.parse(
      `[{"a":${'{"x":'.repeat(20_000)}${inner}${"}".repeat(20_000)},` +
        `"b":${'{"x":'.repeat(20_000)}1${"}".repeat(20_000)}}]`,
    ) as JsonValue;
  equal(countOf("$[?@.a == @.b]", twice("1")), 1);
  equal(countOf("$[?@.a == @.b]", twice("2")), 0);
  equal(countOf("$[?@.a <= @.b]", twice("1")), 1);
});

Deno.test("a path that would never be done with a value gives up", () => {
  const wanting = [
    ["$..*..*", deepList],
    ["$..a..a..a", deepObject],
    ["$..[?@..a]", deepObject],
    ["$[*,*,*]..*", Array.from({ length: 300 }, () => list)],
    ["$.*[?count($..*) > 1]", { a: list }],
    ["$..[?@ == $]", deepList],
    ["$[?search(@, @)]", ["a".repeat(30_000_000)]],
  ] as const;
  for (const [path, value] of wanting) {
    throws(() => compilePath(path)(value), WorkLimitError, path);
  }
});

Deno.test("what one evaluation spent is not missing in the next", () => {
  const find = compilePath("$..*");
  for (let round = 0; round < 200; round++) find(deepList);
});

Deno.test("match() and search() are done with any text and pattern", () => {
  const text = `${"a".repeat(100_000)}!`;
  equal(countOf("$[?match(@, '(a+)+')]", [text, "aaa"]), 1);
  equal(countOf("$[?search(@, '(a|aa)+$')]", [text]), 0);
  const patterns = ["(a*)*b", "(((a)*)*)*", "(".repeat(9_000), "a{1,4000}"];
  const value = patterns.map((pattern) => ({ pattern, text }));
  deepEqual(
    compileMatches("$[?match(@.text, @.pattern)].pattern")(value),
    [],
  );
});
