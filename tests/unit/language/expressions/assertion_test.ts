import assert from "node:assert/strict";
import fc from "fast-check";
import {
  formatAssertion,
  parseAssertion,
} from "../../../../lib/language/expressions/assertion.ts";
import { ExpressionError } from "../../../../lib/base/errors/expression_error.ts";

Deno.test("parseAssertion reads subject, operator and a typed value", () => {
  const table = [
    ["status == 200", { kind: "status" }, "==", 200],
    ["  status==200", { kind: "status" }, "==", 200],
    ["latency < 1.5s", { kind: "latency" }, "<", 1_500_000],
    ["$.a == true", { kind: "body", path: "$.a" }, "==", true],
    ["$.a == 1.50", { kind: "body", path: "$.a" }, "==", 1.5],
    ['$.a == "1"', { kind: "body", path: "$.a" }, "==", "1"],
    ["$.a == '1'", { kind: "body", path: "$.a" }, "==", "1"],
    ["$.a == two words", { kind: "body", path: "$.a" }, "==", "two words"],
    ["$.a == [1, 2]", { kind: "body", path: "$.a" }, "==", [1, 2]],
    ["$['a b'] == 1", { kind: "body", path: "$['a b']" }, "==", 1],
    [
      "$.l[?@.p == 1].q == 2",
      { kind: "body", path: "$.l[?@.p == 1].q" },
      "==",
      2,
    ],
    ["$.a exists", { kind: "body", path: "$.a" }, "!=", null],
    ["$.a not_exists", { kind: "body", path: "$.a" }, "==", null],
    ["$.a != null", { kind: "body", path: "$.a" }, "!=", null],
    ["header.X-Id == 1a", { kind: "header", name: "x-id" }, "==", "1a"],
    ["header.X-Id >= 3", { kind: "header", name: "x-id" }, ">=", 3],
    ["status exists", { kind: "status" }, "!=", null],
    ["latency != null", { kind: "latency" }, "!=", null],
    [
      '$.a > "9007199254740993"',
      { kind: "body", path: "$.a" },
      ">",
      "9007199254740993",
    ],
    ["$.a == {{x.y}}", { kind: "body", path: "$.a" }, "==", "{{ x.y }}"],
    ['$.a < "{{ x }}"', { kind: "body", path: "$.a" }, "<", "{{ x }}"],
    ["latency < {{ x }}", { kind: "latency" }, "<", "{{ x }}"],
    ["token.id > 3", { kind: "variable", name: "token.id" }, ">", 3],
    [
      '$.a matches "^\\d+$"',
      { kind: "body", path: "$.a" },
      "matches",
      "^\\d+$",
    ],
    [
      "$.a matches [a-z]+$",
      { kind: "body", path: "$.a" },
      "matches",
      "[a-z]+$",
    ],
  ] as const;
  for (const [text, subject, op, value] of table) {
    assert.deepEqual(parseAssertion(text), { subject, op, value }, text);
  }
});

Deno.test("parseAssertion refuses with the location and a way out", () => {
  const table: [text: string, code: string, offset: number, hint?: RegExp][] = [
    ["", "assertion-subject", 0],
    ["status", "assertion-operator", 6],
    ["status = 200", "assertion-operator", 7, /==/],
    ["status is 200", "assertion-operator", 7],
    ["$.a =~ x", "assertion-operator", 4, /matches/],
    ["$.a contans x", "assertion-operator", 4, /contains/],
    ["status ==", "assertion-value", 7],
    ['status == "200"', "assertion-value", 10, /quotes/],
    ["status == OK", "assertion-value", 10],
    ["status contains 2", "assertion-operator", 7],
    ["status == null", "assertion-value", 10],
    ["$.a < null", "assertion-null", 4],
    ["$.a contains null", "assertion-null", 4],
    ["$.a < abc", "assertion-value", 6],
    ["$.a == [", "assertion-value", 7],
    ["$.a == 1e400", "assertion-value", 7],
    ['$.a == "\\ud800"', "assertion-value", 7],
    ["$.a matches [", "assertion-pattern", 12, /ECMAScript/],
    ['$.a matches "("', "assertion-pattern", 12],
    ["latency < 5", "bad-duration", 10],
    ["header.X-Id contains 5", "assertion-value", 21, /quote/],
    ["header.X-Id == true", "assertion-value", 15, /quote/],
    ["$.a == 9007199254740993", "assertion-value", 7, /"9007199254740993"/],
    ["$.a == [1, 9007199254740993]", "assertion-value", 7],
    [
      "$.a == 0.123456789012345678",
      "assertion-value",
      7,
      /0.12345678901234568/,
    ],
    ['$.a > "9007199254740991"', "assertion-value", 6],
    ['$.a == {"b":1,"b":2}', "assertion-value", 7],
    ["latency == null", "assertion-value", 11],
    [".a == 1", "assertion-subject", 0, /\$\.a/],
    ["$.a[ == 1", "json-path", 5],
    ["$.a-b == 1", "json-path", 3, /write `\$\[.a-b.\]`/],
    ["$.a exists 1", "assertion-value", 11, /remove/],
    ["$.a == /x/{{ x }}", "assertion-template", 10, /parts/],
    ["$.a == {{ x }} and {{ y }}", "assertion-template", 7],
    ['$.a == ["{{ x }}"]', "assertion-template", 9],
    ["$.a == {{ x y }}", "assertion-template", 7],
    ["$.a == {{ x", "assertion-template", 7],
    ["$.a matches {{ x }}", "assertion-template", 12, /==/],
    ["{{ x }} == $.a", "assertion-subject", 0, /without braces/],
  ];
  for (const [text, code, offset, hint] of table) {
    assert.throws(() => parseAssertion(text), (error) => {
      assert.ok(error instanceof ExpressionError, text);
      assert.deepEqual([error.code, error.offset], [code, offset], text);
      if (hint) assert.match(error.hint ?? "", hint, text);
      return true;
    });
  }
});

Deno.test("formatAssertion writes what parseAssertion reads back the same", () => {
  const value = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.string().filter((text) => !text.includes("{{")),
  );
  const subject = fc.constantFrom("$.a", "$['x y'].b", "token", "token.id");
  fc.assert(fc.property(subject, value, (subject, value) => {
    const parsed = parseAssertion(`${subject} == ${JSON.stringify(value)}`);
    assert.deepEqual(parsed.value, value);
    assert.deepEqual(parseAssertion(formatAssertion(parsed)), parsed);
  }));
});
