import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { targetLanguage } from "../../../../lib/language/editor/file_language.ts";
import { accept, labels, suggestions } from "../../../support/editor.ts";

const LOGIN = `flow: f
data: users.csv
steps:
  - id: login
    call: GET /{{ env.BASE }}
    extract: { token: $.t }
`;
const FIXTURE = { columns: () => ["name", "first name"] };

const PROTO = `syntax = "proto3";
package shop.v1;
message M { string id = 1; }
service Catalog {
  rpc Get(M) returns (M);
  rpc Watch(M) returns (stream M);
}`;

Deno.test("complete: keys of the file, those it needs first, without those it has", async () => {
  deepStrictEqual(await labels("¦"), [
    "flow",
    "steps",
    "version",
    "profile",
    "auth",
    "data",
  ]);
  deepStrictEqual(await labels("flow: f\n¦\nsteps: []\n"), [
    "version",
    "profile",
    "auth",
    "data",
  ]);
  ok((await labels("version: 1\nflow: f\n¦\nsteps: []\n")).includes("pools"));
});

Deno.test("complete: names of headers, in any letter case each once", async () => {
  const headers = (written: string) =>
    labels(
      `flow: f\nsteps:\n  - id: a\n    call: GET /\n    headers: ${written}\n`,
    );
  const all = await headers("{ ¦ }");
  ok(all.includes("Accept") && all.includes("If-Match"), all.join());
  const rest = await headers("{ accept: a/b, ¦ }");
  ok(!rest.includes("Accept") && rest.includes("Content-Type"), rest.join());
  equal(
    await accept(
      "flow: f\nsteps:\n  - id: a\n    call: GET /\n    headers:\n      Con¦\n",
      "Content-Type",
    ),
    "flow: f\nsteps:\n  - id: a\n    call: GET /\n    headers:\n      Content-Type: \n",
  );
});

Deno.test("complete: another method keeps the path that is written", async () => {
  const step = "flow: f\nsteps:\n  - id: a\n    call: ";
  const poll = "flow: f\nsteps:\n  - id: a\n    poll:\n      call: ";
  for (const before of [step, poll]) {
    equal(
      await accept(`${before}GET /api/no¦tes\n`, "POST /api/no"),
      `${before}POST /api/notes\n`,
    );
    ok((await labels(`${before}GE¦\n`)).includes("GET /"));
  }
});

Deno.test("complete: a filter of frames has the subjects of a frame", async () => {
  const step = "flow: f\nsteps:\n  - id: a\n    ws:\n      url: /s\n";
  const receive = `${step}      receive: { match: ¦ }\n`;
  deepStrictEqual(await labels(receive), ["$."]);
  deepStrictEqual(await labels(receive.replace("¦", "[¦]")), ["$."]);
  ok((await labels(`${step}    assert: [¦]\n`)).includes("status"));
});

Deno.test("complete: keys of a step that go with its action, and one action only", async () => {
  const before = await labels(`${LOGIN}  - id: x\n    ¦`);
  ok(
    ["call", "graphql", "grpc", "poll", "wait", "ws"].every((each) =>
      before.includes(each)
    ),
  );
  deepStrictEqual(await labels(`${LOGIN}  - id: x\n    wait: 1s\n    ¦`), [
    "on_failure",
  ]);
  deepStrictEqual(await labels(`${LOGIN}  - id: x\n    graphql: {}\n    ¦`), [
    "headers",
    "extract",
    "assert",
    "retry",
    "throttle",
    "auth",
    "on_failure",
  ]);
});

Deno.test("complete: what is extracted from, and the keys of it, as far as the version goes", async () => {
  const old = LOGIN.replace("$.t", "¦");
  deepStrictEqual(await labels(old), ["$."]);
  const flow = `version: 1\n${LOGIN}`;
  deepStrictEqual(await labels(flow.replace("$.t", "¦")), [
    "$.",
    "header.",
    "cookie.",
    "status",
  ]);
  const extract = `${flow.replace(/ {4}extract.*\n/, "")}    extract:\n`;
  const keys = ["from", "css", "attribute", "pattern", "group", "default"];
  deepStrictEqual(await labels(`${extract}      x:\n        ¦`), [
    ...keys,
    "$.",
    "header.",
    "cookie.",
    "status",
  ]);
  deepStrictEqual(
    await labels(`${extract}      x: { css: title, ¦ }`),
    keys.filter((each) => each !== "css"),
  );
  deepStrictEqual(await labels(`${extract}      x: { from: ¦ }`), [
    "$.",
    "header.",
    "cookie.",
    "status",
  ]);
  deepStrictEqual(await labels("version: 1\nflow: f\ncookies: ¦\n"), [
    "iteration",
    "vu",
  ]);
});

Deno.test("complete: keys that exclude each other are offered once", async () => {
  const block = `${LOGIN}  - id: x\n    graphql:\n`;
  ok((await labels(`${block}      ¦`)).includes("endpoint"));
  deepStrictEqual(await labels(`${block}      url: /\n      ¦`), [
    "query",
    "variables",
    "operation_name",
    "on_errors",
  ]);
  ok(!(await labels("profile:\n  vus: { hold: 1s }\n  ¦")).includes("hold"));
});

Deno.test("complete: keys of an auth scheme, once the scheme is written", async () => {
  const step = `${LOGIN}    auth:\n`;
  deepStrictEqual(await labels(`${step}      ¦`), ["scheme"]);
  deepStrictEqual(await labels(`${step}      scheme: basic\n      ¦`), [
    "username",
    "password",
  ]);
  deepStrictEqual(await labels(`${LOGIN}    auth: { ¦, scheme: cookie }`), [
    "name",
    "value",
  ]);
});

Deno.test("complete: words of closed sets", async () => {
  deepStrictEqual(await labels("profile: { mode: lo¦ }"), [
    "integration",
    "system",
    "load",
    "stress",
    "soak",
  ]);
  deepStrictEqual(await labels(`${LOGIN}    auth: { scheme: ¦`), [
    "none",
    "bearer",
    "basic",
    "api_key",
    "cookie",
    "oauth2_client_credentials",
    "hmac",
  ]);
  deepStrictEqual(await labels(`${LOGIN}    throttle: { as_error: ¦ }`), [
    "true",
    "false",
  ]);
});

Deno.test("complete: subjects, operators and right sides of assertions", async () => {
  const at = (text: string) => labels(`${LOGIN}    assert:\n      - ${text}¦`);
  deepStrictEqual(await at(""), [
    "status",
    "latency",
    "header.",
    "$.",
    "token",
  ]);
  ok((await at("status ")).includes("not_exists"));
  deepStrictEqual(await at("latency "), ["==", "!=", "<", "<=", ">", ">="]);
  deepStrictEqual(await at("$.id == "), ["{{ token }}"]);
  deepStrictEqual(await at("$.id matches "), []);
  deepStrictEqual(await at("$[?@.a == 'b'].c "), await at("$.a "));
});

Deno.test("complete: a gRPC status has names", async () => {
  const text =
    `${LOGIN}  - id: x\n    grpc: { proto: a }\n    assert:\n      - status == ¦`;
  ok((await labels(text)).includes("NOT_FOUND"));
});

Deno.test("complete: measures and operators of thresholds", async () => {
  const at = (text: string) =>
    labels(`profile:\n  thresholds:\n    - ${text}¦`);
  ok((await at("")).includes("p95(latency)"));
  ok((await at("p9")).includes("error_rate"));
  deepStrictEqual(await at("error_rate "), ["<", "<=", ">", ">="]);
  deepStrictEqual(await at("error_rate < "), []);
});

Deno.test("complete: templates are variables of earlier steps, columns and variables of the environment", async () => {
  const next = `${LOGIN}  - id: next\n    call: GET /{{ ¦\n`;
  deepStrictEqual(await labels(next, FIXTURE), [
    "token",
    "user.name",
    "user['first name']",
    "env.BASE",
    "env.",
  ]);
  ok(
    !(await labels(`${LOGIN}    headers: { X: "{{ ¦" }`, FIXTURE)).includes(
      "token",
    ),
  );
  ok(
    (await labels(`${LOGIN}    assert:\n      - $.a == {{ ¦`)).includes(
      "token",
    ),
  );
});

Deno.test("complete: no templates where none may stand", async () => {
  deepStrictEqual(await labels("flow: f\ndata: {{ ¦"), []);
  deepStrictEqual(await labels(`${LOGIN}    on_failure: "{{ ¦"`), []);
  deepStrictEqual(
    await labels(`${LOGIN}  - id: x\n    extract: { y: "{{ ¦" }`),
    [],
  );
  deepStrictEqual(await labels(`${LOGIN}    # {{ ¦`), []);
});

Deno.test("complete: a credential is one template, in quotes", async () => {
  const auth = "    auth:\n      scheme: bearer\n      token: ¦";
  deepStrictEqual(await labels(`${LOGIN}  - id: x\n${auth}`), [
    '"{{ env.BASE }}"',
    '"{{ token }}"',
  ]);
});

Deno.test("complete: methods of calls, operations of documents, methods of schemas", async () => {
  ok((await labels(`${LOGIN}  - id: x\n    call: ¦`)).includes("GET /"));
  ok(
    (await labels(`${LOGIN}  - id: x\n    poll:\n      call: ¦`)).includes(
      "GET /",
    ),
  );
  const graphql =
    `${LOGIN}  - id: x\n    graphql:\n      query: query A { a } query B { b }\n`;
  deepStrictEqual(await labels(`${graphql}      operation_name: ¦`), [
    "A",
    "B",
  ]);
  const readBytes = () => new TextEncoder().encode(PROTO);
  const grpc =
    `${LOGIN}  - id: x\n    grpc:\n      proto: a.proto\n      method: ¦`;
  deepStrictEqual(await labels(grpc, { readBytes }), ["shop.v1.Catalog/Get"]);
});

Deno.test("complete: fields of the message of a gRPC call, at any depth", async () => {
  const schema = `syntax = "proto3";
package a;
enum Kind { NONE = 0; SOME = 1; }
message Part { string sku = 1; int32 many = 2; }
message Order { int64 item_id = 1; Part one = 2; repeated Part all = 3; map<string, Part> named = 4; Kind kind = 5; }
service Shop { rpc Put(Order) returns (Part); }`;
  const readBytes = () => new TextEncoder().encode(schema);
  const at = (message: string) =>
    labels(
      `${LOGIN}  - id: x\n    grpc:\n      proto: a.proto\n      method: a.Shop/Put\n      message: ${message}`,
      { readBytes },
    );
  const all = ["item_id", "one", "all", "named", "kind"];
  deepStrictEqual(await at("{ ¦ }"), all);
  deepStrictEqual(await at("\n        ¦"), all);
  deepStrictEqual(await at("{ item_id: 1, ¦ }"), all.slice(1));
  deepStrictEqual(await at("{ one: { ¦ } }"), ["sku", "many"]);
  deepStrictEqual(await at("{ all: [{ sku: a, ¦ }] }"), ["many"]);
  deepStrictEqual(await at("{ named: { x: { ¦ } } }"), ["sku", "many"]);
  deepStrictEqual(await at("{ item_id: { ¦ } }"), []);
});

Deno.test("complete: paths, a folder at a time", async () => {
  const list = (folder: string) =>
    folder === "."
      ? ["data/", "u.csv", "a.proto", "b.yaml"]
      : [`${folder}x.csv`];
  deepStrictEqual(await labels("data: ¦", { list }), ["data/", "u.csv"]);
  deepStrictEqual(await labels("data: data/¦", { list }), ["data/x.csv"]);
  const grpc = `${LOGIN}  - id: x\n    grpc:\n`;
  deepStrictEqual(await labels(`${grpc}      proto: ¦`, { list }), [
    "data/",
    "a.proto",
  ]);
  deepStrictEqual(await labels(`${grpc}      import_paths: [¦`, { list }), [
    "data/",
  ]);
});

Deno.test("complete: sessions that a step opens", async () => {
  const text =
    `${LOGIN}  - id: open\n    ws: { url: /, session: chat }\n  - id: x\n    ws: { session: ¦ }`;
  deepStrictEqual(await labels(text), ["chat"]);
});

Deno.test("complete: keys of a target", async () => {
  const target = targetLanguage();
  deepStrictEqual((await labels("¦", {}, target)).slice(0, 2), [
    "name",
    "base_urls",
  ]);
  ok((await labels("disallowed_modes: [¦", {}, target)).includes("soak"));
});

Deno.test("complete: what is taken fits into the line", async () => {
  const step = `${LOGIN}  - id: x\n`;
  const rows: [marked: string, label: string, expected: string][] = [
    [`${LOGIN}    as¦`, "assert", `${LOGIN}    assert:`],
    [`${LOGIN}    on¦`, "on_failure", `${LOGIN}    on_failure: `],
    [`${LOGIN}    as¦ert:\n`, "assert", `${LOGIN}    assert:\n`],
    [`${LOGIN}    auth: {sch¦`, "scheme", `${LOGIN}    auth: {scheme: `],
    ["flow: f\nsteps:\n  ¦", "- id", "flow: f\nsteps:\n  - id: "],
    [
      `${step}    body:\n      a: {{ ¦`,
      "token",
      `${step}    body:\n      a: "{{ token }}"`,
    ],
    [
      `${step}    body:\n      a: {{ to¦ }}\n`,
      "token",
      `${step}    body:\n      a: "{{ token }}"\n`,
    ],
    [
      `${step}    body:\n      a: "{{¦}}"`,
      "token",
      `${step}    body:\n      a: "{{ token }}"`,
    ],
    [
      `${step}    body:\n      a: "{{ en¦`,
      "env.",
      `${step}    body:\n      a: "{{ env.`,
    ],
    [
      `${step}    call: GET /{{ to¦`,
      "token",
      `${step}    call: GET /{{ token }}`,
    ],
    ["data: data/mo¦re", "more.csv", "data: data/more.csv"],
  ];
  for (const [marked, label, expected] of rows) {
    equal(await accept(marked, label, { list: () => ["more.csv"] }), expected);
  }
});

Deno.test("complete: keys and words are explained by the documentation", async () => {
  const found = await suggestions(`${LOGIN}    retry:\n      on¦`);
  const key = found.find(({ label }) => label === "on_status")!;
  equal(key.detail, "statuses that are retried, each 100 to 599 (required)");
  ok(
    key.documentation?.includes(
      "statuses that are retried, each 100 to 599",
    ),
  );
  const [operator] = await suggestions(`${LOGIN}    assert:\n      - $.a ¦`);
  ok(operator!.documentation?.startsWith("The values are equal"));
});

Deno.test("complete: values of a flow: their kinds, what goes beside one, and templates that name them", async () => {
  const STEPS = "steps:\n  - { id: x, call: GET / }\n";
  const inside = (value: string) =>
    labels(
      `version: 1\nflow: f\nvalues:\n  order: uuid\n  a: ${value}\n  last: counter\n${STEPS}`,
    );
  deepStrictEqual(await inside("¦"), ["uuid", "counter"]);
  deepStrictEqual(await inside("{ ¦ }"), [
    ...["uuid", "int", "decimal", "choice", "hex", "now", "text"],
  ]);
  deepStrictEqual(await inside("{ choice: [x], ¦ }"), ["weights"]);
  deepStrictEqual(await inside("{ now: ¦ }"), [
    "date",
    "rfc3339",
    "unix",
    "unix_ms",
  ]);
  deepStrictEqual(await inside('{ text: "{{ ¦ }}" }'), ["order", "env."]);
  const step =
    "version: 1\nflow: f\nvalues: { order: uuid }\nsteps:\n  - id: x\n    call: GET /{{ ¦ }}\n";
  deepStrictEqual(await labels(step), ["order", "env."]);
});

Deno.test("complete: steps of setup and teardown are written like those of steps", async () => {
  const flow = (step: string) =>
    `version: 1\nflow: f\nsetup:\n  - id: in\n    call: POST /in\n    extract: { token: $.t }\nteardown:\n${step}steps:\n  - { id: x, call: GET / }\n`;
  const keys = await labels(flow("  - id: out\n    ¦\n"));
  deepStrictEqual(
    ["call", "wait", "assert"].filter((key) => !keys.includes(key)),
    [],
  );
  deepStrictEqual(await labels(flow("  - id: out\n    call: GET /{{ ¦ }}\n")), [
    "token",
    "env.",
  ]);
});

Deno.test("complete: a profile of version 1 has stages and a warm-up, and a stage its keys", async () => {
  const flow = "version: 1\nflow: f\nprofile:\n  mode: load\n";
  const keys = await labels(`${flow}  ¦`);
  ok(["stages", "warm_up"].every((each) => keys.includes(each)));
  ok(!(await labels("flow: f\nprofile:\n  ¦")).includes("stages"));
  const stages = `${flow}  stages:\n`;
  deepStrictEqual(await labels(`${stages}    - ¦`), ["over", "vus", "arrival"]);
  deepStrictEqual(await labels(`${stages}    - { vus: 5, ¦ }`), ["over"]);
});

Deno.test("complete: columns of named pools", async () => {
  const flow = `version: 1
flow: f
pools: { user: { path: u.csv }, people: { path: p.csv }, half: {} }
steps:
  - id: one
    call: GET /{{ ¦
`;
  const columns = (path: string) => path === "u.csv" ? ["name"] : ["age"];
  deepStrictEqual(await labels(flow, { columns }), [
    "user.name",
    "people.age",
    "env.",
  ]);
});
