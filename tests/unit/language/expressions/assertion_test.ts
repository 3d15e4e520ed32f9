import assert from "node:assert/strict";
import fc from "fast-check";
import {
  formatAssertion,
  parseAssertion,
} from "../../../../lib/language/expressions/assertion.ts";
import { ExpressionError } from "../../../../lib/base/errors/bench_error.ts";

Deno.test("parseAssertion reads subject, operator and a typed value", () => {
  const table = [
    ["status == 200", { kind: "status" }, "==", 200],
    ["  status==200", { kind: "status" }, "==", 200],
    ["latency < 1.5s", { kind: "latency" }, "<", 1_500_000],
    ["$.a == true", { kind: "body", path: "$.a" }, "==", true],
    ["$.a == 1.50", { kind: "body", path: "$.a" }, "==", 1.5],
    ['$.a == "1"', { kind: "body", path: "$.a" }, "==", "1"],
    // Text that begins like a number too large for JSON is text.
    ...[
      "550e8400-e29b-41d4-a716-446655440000",
      "12345678901234567890abc",
      "12345678901234567890 abc",
      "1e400x",
    ].map((text) =>
      [`$.a == ${text}`, { kind: "body", path: "$.a" }, "==", text] as const
    ),
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
    ["$.a == {{ x }} and {{ y }}", "assertion-value", 15, /another item$/],
    ['$.a == ["{{ x }}"]', "assertion-template", 9],
    ["$.a == {{ x y }}", "assertion-template", 7],
    ["$.a == {{ x", "assertion-template", 7],
    ["$.a matches {{ x }}", "assertion-template", 12, /==/],
    ["{{ x }} == $.a", "assertion-subject", 0, /`\$\.a == \{\{ x \}\}`$/],
    ["$.a matches 1.50", "assertion-value", 12, /it: "1\.50"$/],
    ["$.a matches [0]", "assertion-value", 12, /it: "\[0\]"$/],
    ["header.X contains 1.50", "assertion-value", 18, /value: "1\.50"$/],
    ['header.X == ["a"]', "assertion-value", 12, /value: '\["a"\]'$/],
    ["$.a && $.b", "assertion-operator", 3],
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

const SUBJECTS = ["$.a", "status", "latency", "header.X-Id", "token.id"];
const JOINTS = [
  "&& $.b",
  "|| $.b",
  "and $.b",
  "or $.b",
  ", $.b",
  "; $.b",
  "# b",
];

Deno.test("parseAssertion refuses a second condition on every subject, and says where it begins", () => {
  for (const subject of SUBJECTS) {
    for (const joint of JOINTS) {
      const value = subject === "latency" ? "5s" : "5";
      const [space, more] = /^[,;]/.test(joint) ? ["", joint] : [" ", joint];
      for (const one of [`${subject} == ${value}`, `${subject} exists`]) {
        const text = `${one}${space}${more} == 1`;
        assert.throws(() => parseAssertion(text), (error) => {
          assert.ok(error instanceof ExpressionError, text);
          assert.equal(error.code, "assertion-value", text);
          assert.equal(text.slice(error.offset), `${more} == 1`, text);
          assert.match(
            error.hint ?? "",
            joint === "# b" ? /behind the quotes/ : /all items .* have to hold/,
          );
          return true;
        });
      }
    }
  }
});

Deno.test("parseAssertion refuses a second condition that no word joins, and leaves text that names none", () => {
  for (
    const [value, rest] of [
      ["failed $.b == 1", "$.b == 1"],
      ["failed\n$.b != 1", "$.b != 1"],
      ["failed & $.b == 1", "& $.b == 1"],
      ["failed | $.b == 1", "| $.b == 1"],
      ["failed then $['b c'] >= 1", "$['b c'] >= 1"],
      ["failed status==200", "status==200"],
      ["failed & latency < 1s", "& latency < 1s"],
      ["failed header.X-A != b", "header.X-A != b"],
      ["failed $.b exists", "$.b exists"],
      ["failed $.b contains 1", "$.b contains 1"],
      ['"failed" $.b == 1', "$.b == 1"],
      ["[1] $.b == 1", "$.b == 1"],
      ["{{ x }} $.b == 1", "$.b == 1"],
    ] as const
  ) {
    const text = `$.a != ${value}`;
    assert.throws(() => parseAssertion(text), (error) => {
      assert.ok(error instanceof ExpressionError, text);
      assert.equal(text.slice(error.offset), rest);
      assert.match(error.hint ?? "", /all items of a list have to hold/);
      return true;
    });
  }
  assert.throws(
    () => parseAssertion("$.a exists $.b == 1"),
    /one condition, but `\$\.b == 1` follows/,
  );
  for (
    const value of [
      ...[
        "R & D",
        "a | b",
        "costs $.50",
        "the status is 5",
        "status",
        "a == b",
      ],
      ...["low latency", "YWJj== x", "two\nlines", "x$.b == 1"],
    ]
  ) {
    assert.equal(parseAssertion(`$.a == ${value}`).value, value);
  }
});

Deno.test("parseAssertion refuses what follows a quoted value, a list or a template, and no quoted text", () => {
  const follows = [
    '"a" && $.b == "c"',
    "'a, b' && $.b == 'c'",
    '[1, 2] && $.b == "c"',
    '{"a": 1, "b": 2} && $.b == 1',
    "{{ x['a, b'] }} && $.b == 1",
    "a&&$.b == 1",
  ];
  for (const value of follows) {
    const text = `$.a == ${value}`;
    assert.throws(() => parseAssertion(text), (error) => {
      assert.ok(error instanceof ExpressionError, text);
      assert.equal(error.offset, text.indexOf("&&"), text);
      return true;
    });
  }
  for (const value of ["a && b", "a and b", "a, b", "a || b", "a # b", "a;"]) {
    for (const quoted of [`"${value}"`, `'${value}'`]) {
      assert.equal(parseAssertion(`$.a != ${quoted}`).value, value);
    }
    assert.throws(() => parseAssertion(`$.a != ${value}`), (error) => {
      assert.ok((error as ExpressionError).hint?.endsWith(`"${value}"`), value);
      return true;
    });
  }
  for (const value of ["sand or", "candy", "a,b", "it's", "text/html"]) {
    assert.equal(parseAssertion(`$.a == ${value}`).value, value);
  }
});

Deno.test("formatAssertion calls `exists` and `not_exists` so, and headers as people write them", () => {
  for (const word of ["exists", "not_exists"]) {
    const named = ["Location", "X-Request-Id", "ETag", "WWW-Authenticate"];
    for (const subject of ["$.a", ...named.map((each) => `header.${each}`)]) {
      const text = `${subject} ${word}`;
      assert.equal(formatAssertion(parseAssertion(text)), text);
    }
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

Deno.test("a hint of `parseAssertion` can be followed", () => {
  const statuses = new Map([["OK", 0], ["NOT_FOUND", 5]]);
  const followed = [
    ["$.a in b", "write it as a list: ", "$.a in "],
    ["$.a in 'b'", "write it as a list: ", "$.a in "],
    ["header.Age in true", "write it as a list: ", "header.Age in "],
    ["status in 200, 201", "write it as a list: ", "status in "],
    ["status in (OK, NOT_FOUND)", "write it as a list: ", "status in "],
    ["status in NOT_FOUND", "write it as a list: ", "status in "],
    ["length $.items == 3", "write it as ", "", " == 3"],
    ["HTTP 200", "write it as ", ""],
  ];
  for (const [text = "", way = "", before = "", after = ""] of followed) {
    const known = /OK|FOUND/.test(text) ? statuses : undefined;
    assert.throws(() => parseAssertion(text, known), (error) => {
      const { hint = "" } = error as ExpressionError;
      assert.ok(hint.startsWith(way), hint);
      const offered = hint.slice(way.length).replaceAll("`", "");
      parseAssertion(before + offered + after, known);
      return true;
    });
  }
});
