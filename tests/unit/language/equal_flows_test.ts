import { equal, notEqual } from "node:assert/strict";
import { readCase } from "../../golden/read_case.ts";

const compiled = (file: string, text: string) =>
  readCase(file, new TextEncoder().encode(text));
const step = (lines: string) =>
  `flow: a\nsteps:\n  - id: a\n    call: GET /\n    ${lines}\n`;
const assertion = (text: string) => step(`assert: ['${text}']`);
const scopes = (text: string) =>
  step(
    `auth: { scheme: oauth2_client_credentials, token_url: /t, client_id: c, client_secret: "{{ env.S }}", scopes: ${text} }`,
  );
const retry = (list: string) =>
  step(`retry: { on_status: ${list}, backoff: fixed, max_attempts: 2 }`);
const threshold = (text: string) =>
  step(`on_failure: record\nprofile: { thresholds: ['${text}'] }`);

/** Flows that mean the same, in several spellings. */
const EQUAL: Readonly<Record<string, readonly string[]>> = {
  "the order of statuses, and one that is there twice": [
    retry("[429, 503]"),
    retry("[503, 429]"),
    retry("[503, 429, 503]"),
  ],
  "throttle statuses": [
    step("throttle: { statuses: [420, 503] }"),
    step("throttle: { statuses: [503, 420, 503] }"),
  ],
  "scopes as a list and as one string": [
    scopes('[read, "{{ env.SCOPE }}", write]'),
    scopes('"read {{env.SCOPE}} write"'),
    scopes('[" read  {{ env.SCOPE }}", write]'),
  ],
  "letter case of a header": [
    assertion("header.X-Id == a"),
    assertion("Header.x-ID == a"),
  ],
  "a template on the right, quoted and spaced or not": [
    step('extract: { v: $.v }\n    assert: ["$.a == {{ v }}"]'),
    step(`extract: { v: $.v }\n    assert: ['$.a=="{{v}}"']`),
  ],
  "a JSON path": [
    ["$.a.b", "$.c[*]", "$.d[?@.e == 'f' && !@.g]"],
    [`$['a']["b"]`, "$.c.*", `$.d[?(@['e']=="f")&&(!@.g)]`],
    ["$ .a [ 'b' ]", "$['c'][ * ]", "$['d'][? ( @.e == 'f' && ! @.g ) ]"],
  ].map(([own, all, some]) =>
    step(
      "extract:\n      own: >-\n        " + own + "\n      all: >-\n        " +
        all + "\n      some: >-\n        " + some +
        `\n    assert: [${JSON.stringify(`${some} exists`)}]`,
    )
  ),
  "429, which is a throttle anyway": [
    step("throttle: { statuses: [503] }"),
    step("throttle: { statuses: [429, 503] }"),
  ],
  "nothing but what is the case anyway": [
    step("on_failure: abort_flow"),
    step("throttle: { statuses: [429] }"),
    step("throttle: { statuses: [] }"),
    step("headers: {}"),
  ],
  "a list of one in `query`": [
    step('query: { a: "{{ env.A }}", b: [1, 2] }'),
    step('query: { a: ["{{env.A}}"], b: [1, 2] }'),
  ],
  "a path of a file": [
    ["users.csv", "a/shop.proto", "protos", "."],
    ["./users.csv", "./a//shop.proto", "./protos/", "./"],
  ].map(([data, proto, one, other]) =>
    `flow: a\ndata: ${data}\nsteps:\n  - id: a\n    grpc: { proto: ${proto}, method: a.B/C, import_paths: [${one}, ${other}] }\n`
  ),
  "a rate": [
    "error_rate < 1%",
    "error_rate<1 %",
    "error_rate < 0.01",
    "error_rate < .01",
    "error_rate < 1e-2",
    "error_rate < 0.1E-1",
    "error_rate < 1e0%",
  ].map(threshold),
};

for (const [what, [first, ...others]] of Object.entries(EQUAL)) {
  Deno.test(`equal flows give equal IR: ${what}`, async () => {
    const ir = await compiled("flow.yaml", first!);
    for (const other of others) {
      equal(await compiled("flow.yaml", other), ir, other);
    }
  });
}

Deno.test("equal flows give equal IR: IR that was written elsewhere", async () => {
  const ir = await compiled(
    "flow.yaml",
    `flow: a
steps:
  - id: a
    poll: { call: GET /, until: [header.X-Id == a], interval: 1s, max_attempts: 2 }
    assert: [header.X-Id == a]
    throttle: { statuses: [420, 503] }
    extract: { id: $.a.id }
  - id: b
    call: GET /
    query: { a: b }
    retry: { on_status: [429, 503], backoff: fixed, max_attempts: 2 }
`,
  );
  const spelt = ir.replaceAll("x-id", "X-Id").replace("420,503", "503,420,420")
    .replace("429,503", "503,429").replace("[503,420", "[429,503,420")
    .replace("$.a.id", "$['a'] .id").replace('"a":"b"', '"a":["b"]')
    .replace('"method"', '"headers":{},"method"')
    .replace('"retry"', '"extract":{},"throttle":{"statuses":[429]},"retry"');
  notEqual(spelt, ir);
  equal(await compiled("flow.json", spelt), ir);
});
