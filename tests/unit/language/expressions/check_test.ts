import assert from "node:assert/strict";
import { parseAssertion } from "../../../../lib/language/expressions/assertion.ts";
import {
  compileCheck,
  type Evidence,
} from "../../../../lib/language/expressions/check.ts";
import type { Names } from "../../../../lib/language/expressions/template.ts";
import type { JsonValue } from "../../../../lib/base/values/json.ts";

const NAMES: Names = {
  variables: new Map([["token", 0]]),
  pools: new Map(),
  env: new Map(),
};

const BODY: JsonValue = {
  n: 5,
  numeral: "5",
  text: "hello world",
  yes: true,
  none: null,
  empty: "",
  list: [1, "two", { a: 1, b: [2] }],
  object: { key: "value", nested: { a: 1 } },
};

const FIELDS: Readonly<Record<string, string[]>> = {
  "x-id": ["abc"],
  vary: ["Accept", "Origin"],
  "set-cookie": ["sid=1; Path=/", "lang=de"],
};

const EVIDENCE: Evidence = {
  status: 200,
  headers: (name) => FIELDS[name.toLowerCase()] ?? [],
  json: () => BODY,
};

function mismatch(text: string, evidence = EVIDENCE) {
  const scope = {
    variables: [{ id: 7, l: [{ z: 8 }, { "a b": 9 }] }],
    rows: [],
  };
  return compileCheck(parseAssertion(text), NAMES)(evidence, 12.5, scope);
}

Deno.test("an assertion holds or not, operator by operator, and never coerces", () => {
  const holds = [
    "status == 200",
    "status != 201",
    "status < 300",
    "status <= 200",
    "status > 199",
    "status >= 200",
    "latency < 13ms",
    "latency <= 12500us",
    "latency > 12ms",
    "latency == 12500us",
    "header.X-Id == abc",
    "header.x-id contains b",
    'header.X-Id matches "^a.c$"',
    "header.Missing == null",
    "header.Missing not_exists",
    "$.n == 5",
    "$.n != 6",
    "$.n >= 5",
    '$.numeral == "5"',
    "$.text contains world",
    '$.text matches "^hello"',
    "$.text matches w.r",
    "$.yes == true",
    "$.yes exists",
    "$.empty exists",
    '$.empty == ""',
    "$.none == null",
    "$.none not_exists",
    "$.missing == null",
    "$.list contains 1",
    "$.list contains two",
    '$.list contains {"b":[2],"a":1}',
    "$.object contains key",
    '$.object == {"nested":{"a":1},"key":"value"}',
    "$.list[2].b == [2]",
    "$.list[2].b[*] == [2]",
    "$.list[2].b[*] == 2",
    "$.list[2].b[*] != [3]",
    '$.list[0, 1] == [1, "two"]',
    "$.list[*].none == []",
    "$.list[2].b[*] in [[2], [3]]",
    '$.list[0, 1] in [[2], [1, "two"]]',
    "$.list[*].none in [[1], []]",
    "$.list[2].b[*] in [2, 3]",
    "token.id == 7",
    "token.l[0].z == 8",
    "token.l[-1]['a b'] == 9",
    "token['id'] == 7",
    "token exists",
  ];
  for (const text of holds) assert.equal(mismatch(text), undefined, text);
  const fails = [
    "status == 201",
    "status > 200",
    "latency < 12ms",
    "header.X-Id == ABC",
    "header.X-Id contains z",
    "header.Missing != abc",
    "header.Missing exists",
    '$.n == "5"',
    "$.numeral == 5",
    "$.numeral > 1",
    "$.numeral >= 5",
    "$.yes == 1",
    '$.yes == "true"',
    "$.text contains World",
    "$.n contains 5",
    '$.n matches "5"',
    "$.none exists",
    "$.missing exists",
    "$.missing != 5",
    "$.missing < 5",
    "$.empty == null",
    "$.list contains 2",
    '$.list contains "1"',
    "$.object contains value",
    '$.object == {"key":"value"}',
    "$.list == [1]",
    "$.list[2].b[*] == [3]",
    "$.list[2:].b == [2]",
    "$.list[*].a == []",
    "$.list[*].none != []",
    "$.list[*].none != [1]",
    "$.list[2].b[*] in [[3]]",
    "$.list[*].none in [[1]]",
    "$.none == []",
    "token.id == 8",
    "token.other exists",
  ];
  for (const text of fails) assert.ok(mismatch(text), text);
});

Deno.test("version 1: cookies, the body's text, lengths and more operators hold or not, and never coerce", () => {
  const evidence = { ...EVIDENCE, bodyText: () => '{"n":5}' };
  const holds = [
    "status in [200, 201]",
    '$.numeral in ["5", 6]',
    "$.n in [4, 5]",
    '$.list[2] in [{"b":[2],"a":1}]',
    'header.X-Id in ["b", "abc"]',
    'header.Set-Cookie in ["lang=de"]',
    "$.text starts_with hello",
    "$.text ends_with world",
    "header.X-Id starts_with ab",
    "$.text not_contains x",
    "$.list not_contains 2",
    "$.object not_contains a",
    "$.list[*].a not_contains 2",
    "header.Set-Cookie not_contains secret",
    "cookie.sid == 1",
    "cookie.sid exists",
    "cookie.no not_exists",
    "cookie.lang in [de, en]".replace("[de, en]", '["de", "en"]'),
    "body contains n",
    'body == "{\\"n\\":5}"',
    "length($.list) == 3",
    "length($.object) == 2",
    "length($.text) in [10, 11]",
    "length($.list[*]) >= 3",
    "length($.list[?@.a == 7]) == 0",
    "length($.nope) not_exists",
  ];
  for (const text of holds) {
    assert.equal(mismatch(text, evidence), undefined, text);
  }
  const not = [
    "status in [201, 404]",
    '$.n in ["5"]',
    "$.nope in [5]",
    "$.n not_contains 5",
    "$.nope not_contains 5",
    "$.list not_contains two",
    "header.Set-Cookie not_contains sid",
    "$.text starts_with world",
    "$.list starts_with two",
    "cookie.SID == 1",
    "cookie.no == 1",
    "length($.n) >= 0",
    "length($.nope) == 0",
    "body contains x",
  ];
  for (const text of not) assert.ok(mismatch(text, evidence), text);
  assert.match(
    mismatch("$.text contains 5")!.message,
    /and 5 is a number: for the text write "5"$/,
  );
  assert.match(mismatch("$.nope starts_with a")!.message, /does not exist/);
  assert.match(mismatch("$.n starts_with a")!.message, /not a string$/);
});

Deno.test("a length of what has none says so, with the type of the value", () => {
  const table = [
    ["length($.n) == 1", "$.n is the integer 5, which has no length"],
    ["length($.yes) >= 1", "$.yes is the boolean true, which has no length"],
    ["length($.none) exists", "$.none is null, which has no length"],
    ["length($.nope) == 1", "length($.nope) does not exist"],
  ] as const;
  for (const [text, why] of table) {
    assert.equal(mismatch(text)?.message, `${text} does not hold: ${why}`);
  }
});

Deno.test("a check that fails says what was expected and what was there, with types", () => {
  const table = [
    ["$.n == 6", "integer", "6", "integer", "5"],
    ['$.n == "5"', "string", "5", "integer", "5"],
    ["$.n > 6", "integer", "> 6", "integer", "5"],
    ["$.missing == 1", "integer", "1", "nothing", ""],
    ["length($.n) == 1", "integer", "1", "integer", "5"],
    ["$.text == null", "nothing", "", "string", "hello world"],
    ["latency < 10ms", "duration", "< 10ms", "duration", "12.5ms"],
  ] as const;
  for (const [text, expectedType, target, actualType, actual] of table) {
    const { expected, actual: got } = mismatch(text)!;
    assert.equal(expected.type, expectedType, text);
    assert.ok(target.endsWith(expected.text), text);
    assert.deepEqual(got, { type: actualType, text: actual }, text);
  }
});

Deno.test("a header subject is all lines of its field; those of Set-Cookie are values of their own", () => {
  const holds = [
    'header.Vary == "Accept, Origin"',
    "header.Vary contains Origin",
    'header.Vary matches "Accept, O"',
    "header.Vary exists",
    "header.Set-Cookie contains lang",
    'header.Set-Cookie matches "^lang=de$"',
    'header.Set-Cookie == "lang=de"',
    "header.Set-Cookie != lang",
    "header.Set-Cookie exists",
  ];
  for (const text of holds) assert.equal(mismatch(text), undefined, text);
  const fails = [
    "header.Vary == Accept",
    'header.Vary != "Accept, Origin"',
    'header.Set-Cookie contains "Path=/, lang"',
    'header.Set-Cookie matches "^de"',
    'header.Set-Cookie != "lang=de"',
    "header.Set-Cookie not_exists",
    "header.Set-Cookie > 1",
  ];
  for (const text of fails) assert.ok(mismatch(text), text);
  assert.match(
    mismatch("header.Set-Cookie contains fr")!.message,
    /header\.set-cookie is the list \["sid=1; Path=\/","lang=de"\]$/i,
  );
});

Deno.test("a check explains a comparison that its subject's type rules out", () => {
  assert.match(mismatch("$.numeral > 1")!.message, /string 5, not a number/);
  assert.match(mismatch("$.n matches x")!.message, /integer 5, not a string/);
  assert.match(mismatch("$.missing > 1")!.message, /does not exist/);
});

Deno.test("a response without JSON has no body to assert on", () => {
  const bare: Evidence = { ...EVIDENCE, json: () => undefined };
  assert.equal(mismatch("$.n not_exists", bare), undefined);
  const said = (evidence: Evidence) => mismatch("$.n == 5", evidence)!.message;
  const missing = "$.n == 5 does not hold: $.n does not exist";
  assert.equal(said(bare), `${missing} (the body is not JSON; status 200)`);
  const page = { ...bare, headers: () => ["text/html; charset=utf-8"] };
  assert.equal(
    said(page),
    `${missing} (the body is not JSON; status 200, text/html)`,
  );
  assert.equal(
    said({ ...bare, bodyText: () => "" }),
    `${missing} (the body is empty; status 200)`,
  );
  const empty: Evidence = { ...EVIDENCE, json: () => ({}) };
  assert.equal(said(empty), missing);
  assert.equal(
    said({ ...EVIDENCE, json: () => ({ n: "" }) }),
    "$.n == 5 does not hold: $.n is an empty string",
  );
});

Deno.test("a response may hold what JSON cannot say: it is compared and shown all the same", () => {
  const body = JSON.parse(
    '{"big":[1e400],"half":{"a":"\\ud800"}}',
  ) as JsonValue;
  const evidence = { ...EVIDENCE, json: () => body };
  assert.deepEqual(mismatch("$.big == [1]", evidence)?.actual, {
    type: "list",
    text: "[Infinity]",
  });
  assert.deepEqual(mismatch("$.half contains x", evidence)?.actual, {
    type: "object",
    text: '{"a":"\\ud800"}',
  });
  assert.equal(mismatch("$.half.a == x", evidence)?.actual.text, "\ufffd");
  assert.deepEqual(mismatch("$.big[0] == 1", evidence)?.actual, {
    type: "number",
    text: "Infinity",
  });
});

Deno.test("a status that has a name is explained by it, and one that is missing as missing", () => {
  const statuses = new Map([["OK", 0], ["NOT_FOUND", 5]]);
  const explained = (text: string, status?: number) => {
    const check = compileCheck(parseAssertion(text, statuses), NAMES, statuses);
    const evidence = { ...EVIDENCE, ...(status !== undefined && { status }) };
    if (status === undefined) delete evidence.status;
    const { message, expected, actual } = check(evidence, 1, {
      variables: [],
      rows: [],
    })!;
    return [message, expected, actual];
  };
  assert.deepEqual(explained("status == OK", 5), [
    "status == OK does not hold: status is NOT_FOUND (5)",
    { type: "status", text: "OK (0)" },
    { type: "status", text: "NOT_FOUND (5)" },
  ]);
  assert.deepEqual(explained("status != OK"), [
    "status != OK does not hold: status does not exist",
    { type: "status", text: "OK (0)", operator: "!=" },
    { type: "nothing", text: "" },
  ]);
  assert.deepEqual(explained("status != null"), [
    "status exists does not hold: status does not exist",
    { type: "anything", text: "" },
    { type: "nothing", text: "" },
  ]);
});

Deno.test("a check that finds null shows null, and one that finds no value shows nothing", () => {
  const shown = (text: string) => mismatch(text)?.actual.type;
  assert.equal(shown("$.none exists"), "null");
  assert.equal(shown("$.none == 5"), "null");
  assert.equal(shown("$.nope exists"), "nothing");
});

Deno.test("where 64-bit integers are text, numbers are compared with them", () => {
  const evidence: Evidence = {
    ...EVIDENCE,
    longsAreText: true,
    json: () => ({ n: "9007199254740993", id: "7", f: 7, text: "x", none: "" }),
  };
  const holds = [
    "$.id == 7",
    "$.id != 8",
    "$.id < 8",
    '$.id == "7"',
    "$.id == {{ token.id }}",
    "$.id in [6, 7]",
    "$.f == 7",
    "$.f <= 7",
    "$.n > 9007199254740991",
    '$.n >= "9007199254740993"',
    "$.text == x",
    '$.text in ["x", 1]',
  ];
  const fails = [
    "$.id == 8",
    "$.id != 7",
    "$.id > 7",
    "$.n < 5",
    "$.text == 7",
    "$.text != 7",
    "$.text > 7",
    "$.none == 0",
    "$.missing > 0",
    "$.id contains 7",
  ];
  for (const text of holds) {
    assert.equal(mismatch(text, evidence), undefined, text);
  }
  for (const text of fails) assert.ok(mismatch(text, evidence), text);
  assert.equal(
    mismatch("$.id > 7", evidence)!.message,
    "$.id > 7 does not hold: $.id is the string 7",
  );
  assert.equal(
    mismatch("$.text > 7", evidence)!.message,
    "$.text > 7 does not hold: $.text is the string x, not a number",
  );
});
