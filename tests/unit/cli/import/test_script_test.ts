import { deepStrictEqual } from "node:assert/strict";
import { readTestScript } from "../../../../cli/import/postman/test_script.ts";

const said = (code: string) => {
  const { extract, assert, left } = readTestScript(code);
  return { ...Object.fromEntries(extract), assert, left };
};

const ASSERTED: readonly [code: string, ...assertions: string[]][] = [
  ["pm.response.to.have.status(201)", "status == 201"],
  ["pm.response.to.not.have.status(500)", "status != 500"],
  ["pm.response.to.be.ok;", "status >= 200", "status < 300"],
  ['pm.response.to.have.status("Created")', "status == 201"],
  ["pm.response.to.be.notFound", "status == 404"],
  ["pm.response.to.not.be.error", "status < 400"],
  ["pm.response.to.have.body('pong')", 'body == "pong"'],
  [
    "pm.expect(json.price).to.be.within(9, 9.5)",
    "$.price >= 9",
    "$.price <= 9.5",
  ],
  ["pm.expect(json.items).to.not.be.empty", "length($.items) > 0"],
  ["pm.expect(json.items).to.be.empty", "length($.items) == 0"],
  ["pm.response.to.have.header('ETag')", "header.ETag exists"],
  [
    "pm.expect(pm.response.code).to.be.oneOf([200, 201])",
    "status in [200,201]",
  ],
  ["pm.expect(pm.response.code).to.eql(200)", "status == 200"],
  ["pm.expect(pm.response.responseTime).to.be.below(250)", "latency < 250ms"],
  ["pm.expect(pm.response.text()).to.include('pong')", 'body contains "pong"'],
  ["pm.expect(json.total).to.be.at.least(-1.5)", "$.total >= -1.5"],
  ["pm.expect(json.ok).to.be.true", "$.ok == true"],
  ["pm.expect(json.error).to.not.exist", "$.error not_exists"],
  ["pm.expect(json.gone).to.be.null", "$.gone == null"],
  ["pm.expect(json['a b'][0].c).to.eql(`x`)", '$["a b"][0].c == "x"'],
  ["pm.expect(json?.a?.b).to.equal('x')", '$.a.b == "x"'],
  ["pm.expect(json).to.have.property('id', 7)", "$.id == 7"],
  [
    "pm.expect(json.user).to.not.have.property('pin')",
    '$.user not_contains "pin"',
  ],
  ["pm.expect(json.items).to.have.lengthOf(3)", "length($.items) == 3"],
  ["pm.expect(json.items.length).to.be.above(0)", "length($.items) > 0"],
  ["pm.expect(json.name).to.match(/^a\\/b$/)", "$.name matches ^a/b$"],
  [
    'pm.expect(json.name).to.match(/"x y"/)',
    '$.name matches "\\"x y\\""',
  ],
  ["pm.expect(json.name).to.match(/ a /)", '$.name matches " a "'],
  ["pm.expect(json.name).to.match(/null/)", '$.name matches "null"'],
  ["pm.expect(json.name).to.match(/^x\\/y$/gi)", "$.name matches (?i:^x/y$)"],
  ["pm.expect(json.name).to.be.a('string')", "$.name matches .*"],
  ["pm.expect(json.token).to.be.a('String')", "$.token matches .*"],
  ["pm.expect(json.ok).to.be.a('boolean')", "$.ok in [true,false]"],
  [
    "pm.expect(json.total).to.be.a('number').above(0)",
    "$.total > -1e308",
    "$.total > 0",
  ],
  [
    "pm.expect(json.name).to.be.a('string').and.is.not.empty",
    "$.name matches .*",
    "length($.name) > 0",
  ],
  [
    "pm.expect(json).to.be.an('object').and.have.property('id')",
    '$ contains "id"',
  ],
  [
    "pm.expect(json).to.be.an('object').that.has.property('id', 7)",
    "$.id == 7",
  ],
  ["pm.expect(json).to.have.property('id').that.equals(7)", "$.id == 7"],
  [
    "pm.expect(json).to.have.property('id').that.is.a('string')",
    "$.id matches .*",
  ],
  [
    "pm.expect(json).to.have.property('id').that.is.null",
    '$ contains "id"',
    "$.id == null",
  ],
  [
    "pm.expect(json).to.have.nested.property('a.b[0].c')",
    '$.a.b[0] contains "c"',
  ],
  ["pm.expect(json).to.have.nested.property('a.b', `x`)", '$.a.b == "x"'],
  ["pm.expect(json.items).to.have.length.above(2)", "length($.items) > 2"],
  [
    "pm.expect(json.items).to.be.an('array').that.is.not.empty",
    "length($.items[:]) > 0",
  ],
  ["pm.expect(json.items).to.be.an('array').that.is.empty", "$.items == []"],
  ["pm.expect(json).to.be.an('array').with.lengthOf(3)", "length($[:]) == 3"],
  [
    "pm.expect(json.items).to.be.an('array').and.have.length.of.at.least(1)",
    "length($.items[:]) >= 1",
  ],
  [
    "pm.expect(json.tags).to.be.an('array').that.includes('x')",
    '$.tags[:] contains "x"',
  ],
  [
    "pm.expect(pm.response.headers.has('ETag')).to.be.true",
    "header.ETag exists",
  ],
  [
    "pm.expect(pm.response.headers.has('ETag')).to.eql(false)",
    "header.ETag not_exists",
  ],
  ["tests.f = pm.response.headers.has(`ETag`)", "header.ETag exists"],
  [
    "pm.expect(pm.response.headers.has('A')).to.not.be.false",
    "header.A exists",
  ],
  ["pm.expect(pm.response).to.have.status(200)", "status == 200"],
  [
    "pm.response.to.have.status(200).and.have.header('ETag', '1')",
    "status == 200",
    'header.ETag == "1"',
  ],
  ["pm.expect(json.tags).to.not.include('x')", '$.tags not_contains "x"'],
  ["tests['a'] = responseCode.code === 200", "status == 200"],
  [
    "tests.b = json.a === 1 && pm.response.code !== 400 && json.b !== null",
    ...["$.a == 1", "status != 400", "$.b != null"],
  ],
  [
    "try { pm.test('t', () => pm.expect(json.a).to.eql(1)); tests.b = json.b == 2; } catch (e) {}",
    "$.a == 1",
    "$.b == 2",
  ],
  ["pm.test('t', () => { return pm.expect(json.a).to.eql(1); });", "$.a == 1"],
  [
    "pm.test('t', () => { if (!json.a) return; }); tests.b = json.b > 1",
    "$.b > 1",
  ],
  ["pm.response.to.be.ok; return; change();", "status >= 200", "status < 300"],
  ["tests.c = (json.user || {}).hasOwnProperty('id')", '$.user contains "id"'],
  ["pm.expect(json.auth).to.have.property('token')", '$.auth contains "token"'],
  ["tests.d = responseBody.has('pong')", 'body contains "pong"'],
  ["const ok = json.a === 1; tests.e = ok", "$.a == 1"],
  ["pm.expect(json.a === 1 && json.b > 2).to.be.true", "$.a == 1", "$.b > 2"],
  ["pm.test('t', () => pm.response.to.have.status(200))", "status == 200"],
  [
    "pm.test('t', function () { console.log(1); pm.expect(json.a).to.eq(1); });",
    "$.a == 1",
  ],
];

for (const [code, ...assertions] of ASSERTED) {
  Deno.test(`readTestScript: ${code}`, () => {
    deepStrictEqual(said(`const json = pm.response.json();\n${code}`), {
      assert: assertions,
      left: [],
    });
  });
}

const LEFT: readonly string[] = [
  'pm.response.to.have.status("Fine")',
  "pm.response.to.not.have.body('pong')",
  "pm.response.to.have.body(/pong/)",
  "pm.expect(json.price).to.not.be.within(9, 10)",
  "pm.expect(json.price).to.be.within(9)",
  "pm.expect(json.items).to.be.an('array')",
  "pm.expect(json.a).to.eql(other)",
  "pm.expect(json.a).to.eql(json.b)",
  "pm.expect(json.a).to.not.match(/x/)",
  // They hold where nothing is there, and an assertion does not.
  "pm.expect(json.a).to.not.eql('x')",
  "pm.expect(pm.response.headers.get('ETag')).to.not.equal('x')",
  "tests.a = json.a !== 2",
  // A default, and a number that is equal to its text, are equal as well.
  "pm.expect(json.a || 0).to.eql(0)",
  "tests.a = json.a == '7'",
  // It does not fail.
  "try { pm.expect(json.a).to.eql(1); } catch (error) { console.log(error); }",
  "try { pm.test('t', change); } catch (error) { throw error; }",
  "if (pm.response.code === 401) pm.environment.set('a', json.error);",
  "if (pm.response.code >= 400 || pm.response.code === 0) pm.environment.set('a', json.error);",
  "if (json.success === false) pm.environment.set('a', json.error);",
  "pm.expect(json.a).to.match(/x/u)",
  "pm.expect(json.a || '').to.match(/x/)",
  // No assertion holds for each list, or each object, and for nothing else.
  "pm.expect(json).to.be.an('object')",
  "pm.expect(json).to.be.an('object').that.is.not.empty",
  "pm.expect(json.items).to.be.an('array').that.has.length.above(-1)",
  "pm.expect(json.items).to.be.an('array').that.does.not.include('x')",
  "pm.expect(json.items).to.be.an('array').with.property('a')",
  "pm.expect(json.a).to.not.be.a('string')",
  "pm.expect(json.a).to.be.a('date')",
  "pm.expect(json.a || '').to.be.a('string')",
  "pm.expect(pm.response.headers.get('Age')).to.be.a('number')",
  "pm.expect(json).to.not.have.property('a').that.equals(1)",
  "pm.expect(json).to.have.property('a').that.is.not.equal(1)",
  "pm.expect(json).to.have.nested.property('a\\\\.b')",
  "pm.expect(json).to.have.nested.property('a..b')",
  "pm.expect(json.items).to.have.length",
  `pm.expect(json.a)${".exist".repeat(101)}`,
  "pm.expect(pm.response.headers.has('A', 'b')).to.be.true",
  // One that an earlier response set counts as well.
  "pm.expect(pm.cookies.has('sid')).to.be.true",
  "pm.expect(json.a === 1).to.be.false",
  "pm.expect(json.a).to.eql('{{b}}')",
  "pm.expect(json.a + 1).to.eql(2)",
  "pm.expect(json.a).to.constructor(2)",
  "pm.expect(constructor).to.eql(2)",
  "pm.expect(json.user.password).to.eql('hunter2')",
  "pm.test.skip('t', () => pm.response.to.have.status(200))",
  "pm.response.to.have.jsonBody({ a: 1 })",
  "if (json.a) { pm.response.to.have.status(200); }",
  "if (pm.response.code !== 200) pm.environment.set('a', json.a);",
  "if (!json.a) pm.environment.set('a', json.b);",
  "try { a(); } finally { b(); }",
  "for (const a of json.b) pm.environment.set('a', a);",
  "pm.environment.set('a', 'text')",
  "pm.environment.set('a', JSON.stringify(json))",
  "pm.environment.set(json.name, json.a)",
  "pm.sendRequest('https://h.example', () => {})",
  "tests['a'] = json.a === 1 || json.b === 1",
];

for (const code of LEFT) {
  Deno.test(`readTestScript leaves ${code.slice(0, 120)}`, () => {
    deepStrictEqual(said(`const json = pm.response.json();\n${code}`), {
      assert: [],
      left: [2],
    });
  });
}

Deno.test("readTestScript: variables are set to parts of the response", () => {
  const code = `
"use strict";
const { user: { id }, token } = JSON.parse(pm.response.text());
let etag = pm.response.headers.get("ETag");
pm.environment.set("id", id);
pm.collectionVariables.set("token", token);
pm.globals.set("etag", etag);
postman.setEnvironmentVariable("sid", pm.cookies.get("sid"));`;
  deepStrictEqual(said(code), {
    id: "$.user.id",
    token: "$.token",
    etag: "header.ETag",
    sid: "cookie.sid",
    assert: [],
    left: [],
  });
});

Deno.test("readTestScript: variables are set to the text of a part", () => {
  const code = `const json = pm.response.json();
pm.environment.set("a", String(json.a));
pm.environment.set("b", json.b.toString());
pm.environment.set("c", json.c.toString(16));`;
  deepStrictEqual(said(code), { a: "$.a", b: "$.b", assert: [], left: [4] });
});

Deno.test("readTestScript: what a condition may have changed is not known behind it", () => {
  const code = `const json = pm.response.json();
let id = json.id;
if (!id) id = json.old;
pm.globals.set("id", id);
pm.globals.set("name", json.name);`;
  deepStrictEqual(said(code), { name: "$.name", assert: [], left: [3, 4] });
});

Deno.test("readTestScript: a name that a block or a function declares is another one outside of it", () => {
  const code = `const json = pm.response.json();
pm.test("a", () => {
  const json = pm.response.json().data;
  pm.expect(json.x).to.eql(1);
});
{
  let { token } = json.data;
  pm.globals.set("first", token);
}
try { var body = JSON.parse(responseBody); } catch { console.log("none"); }
pm.expect(body.x).to.eql(3);
pm.test("b", function (json) { pm.expect(json.x).to.eql(2); });
pm.globals.set("token", json.token);
pm.globals.set("none", token);`;
  deepStrictEqual(said(code), {
    first: "$.data.token",
    token: "$.token",
    assert: ["$.data.x == 1", "$.x == 3"],
    left: [12, 14],
  });
});

Deno.test("readTestScript: variables that are set where the response is good", () => {
  const code = `
if (pm.response.code === 200 || responseCode.code == 201) {
  const json = pm.response.json();
  if (json.success && json.data.token) {
    pm.environment.set("token", json.data.token);
    console.log("saved");
  } else console.log("no token");
}
try {
  if (tests["a"]) pm.globals.set("id", pm.response.json().id);
} catch (error) {
  console.error(error);
}`;
  deepStrictEqual(said(code), {
    token: "$.data.token",
    id: "$.id",
    assert: [],
    left: [],
  });
});

Deno.test("readTestScript: what is behind a return is carried out where the response is good, or not at all", () => {
  const table: readonly [returns: string, left: number[], ...set: string[]][] =
    [
      ["if (pm.response.code !== 200) return;", [4], "a", "b"],
      [
        "if (pm.response.code >= 400) { console.log('no'); return; }",
        [4],
        "a",
        "b",
      ],
      ["if (!json.a || !json.b) return;", [4], "a", "b"],
      ["if (pm.response.code < 200) throw new Error('x');", [2], "a", "b"],
      ["if (pm.response.code === 200) return;", [3, 4, 5]],
      ["if (pm.response.code === 200) { return; }", [3, 4, 5]],
      ["if (json.kind === other) { change(); return; }", [2, 3, 4, 5]],
      ["for (const a of json.list) if (a.x) return;", [2, 3, 4, 5]],
      ["try { if (a.x) return; } catch (e) {}", [2, 3, 4, 5]],
      ["{ return; }", [3, 4, 5]],
      [
        "try { change(); pm.test('x', () => pm.expect(json.x).to.eql(1)); } catch (e) {}",
        [2],
        "a",
        "b",
      ],
      [
        "try { change(); pm.globals.set('x', json.x || ''); } catch (e) {}",
        [2],
        "x",
        "a",
        "b",
      ],
      ["const f = () => { return 1; };", [], "a", "b"],
    ];
  for (const [returns, left, ...set] of table) {
    const script = readTestScript(
      `const json = pm.response.json();
${returns}
pm.environment.set("a", json.a);
pm.test("ok", () => { pm.expect(json.ok).to.be.true; });
pm.environment.set("b", json.b);`,
    );
    deepStrictEqual(
      [[...script.extract.keys()], script.left],
      [set, left],
      returns,
    );
  }
});

Deno.test("readTestScript: a name stands for what its own block declares", () => {
  const code = `const json = pm.response.json();
let at = json.at;
pm.test("data", () => {
  const json = pm.response.json().data;
  at = json.at;
  var id = json.id;
  pm.expect(id).to.eql(1);
});
if (json.ok) {
  const json = pm.response.json().more;
  var late = json.late;
}
try { const json = pm.response.json().tried; } catch (error) { console.log(error); }
pm.expect(json.id).to.eql(2);
pm.expect(at).to.eql(3);
pm.expect(late).to.eql(4);
pm.expect(id).to.eql(5);`;
  deepStrictEqual(said(code), {
    assert: [
      "$.data.id == 1",
      "$.id == 2",
      "$.data.at == 3",
      "$.more.late == 4",
    ],
    left: [17],
  });
});

Deno.test("readTestScript: a variable that a condition sets in two ways is set in the first", () => {
  const code = `const json = pm.response.json();
let id = json.id;
if (json.a) pm.globals.set("a", json.a); else pm.globals.set("a", json.b);
if (json.old) id = json.old;
pm.globals.set("id", id);`;
  deepStrictEqual(said(code), { a: "$.a", assert: [], left: [3, 4, 5] });
});

Deno.test("readTestScript: a line of several statements that are left is named once", () => {
  deepStrictEqual(said("change(); change();\nchange();").left, [1, 2]);
});

Deno.test("readTestScript: what a block may have changed is not known behind it", () => {
  const code = `let json = pm.response.json();
const all = json;
pm.test("a", () => { let json = 1; let all = 2; change(); });
pm.expect(json.id).to.eql(1);
change();
pm.expect(json.id).to.eql(2);
pm.expect(all.id).to.eql(3);`;
  deepStrictEqual(said(code), {
    assert: ["$.id == 1", "$.id == 3"],
    left: [3, 5, 6],
  });
});

for (
  const [what, code] of [
    ["that is none", "pm.test(\n"],
    ["that is too long", "let a;\n".repeat(15_000)],
    ["that nests too deep", "(".repeat(200_000)],
    [
      "of calls in calls",
      `tests.a = ${"x.has(".repeat(60)}1${")".repeat(60)}`,
    ],
  ] as const
) {
  Deno.test(`readTestScript leaves all of a script ${what}`, () => {
    const lines = code.split("\n").map((_, index) => index + 1);
    deepStrictEqual(said(code), { assert: [], left: lines });
  });
}
