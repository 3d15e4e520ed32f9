import { equal, match, ok } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";

/*
 * Files that no person writes by hand, but a broken program may: refused, or read,
 * in a time that grows with their size alone. Each of these took from nine seconds
 * to minutes, or ended in a stack trace.
 */

const FLOW = "flow: large\nsteps:\n  - id: a\n    call: GET /x\n";
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join("");

const graphql = (query: string, more = "") =>
  `flow: large\nsteps:\n  - id: a\n    graphql:\n      url: /\n      query: |\n        ${query}\n${more}`;

const refused: [what: string, flow: string, message: RegExp][] = [
  [
    "`{{` 10,000 times",
    `${FLOW}    body: "${"{{ ".repeat(10_000)}"\n`,
    /^flow\.yaml:5:12: error: template is not closed: \{\{ \{\{ .*…$/m,
  ],
  [
    "300 KB of `: `",
    `${FLOW}    body: ${": ".repeat(150_000)}\n`,
    /^flow\.yaml:5:11: error: an unquoted value cannot hold `: `$/m,
  ],
  [
    "300 KB of `{{`",
    `${FLOW}    body: ${"{{".repeat(150_000)}\n`,
    /error: mappings and lists are nested more than 64 levels deep$/m,
  ],
  [
    "a GraphQL document with lists 100,000 deep",
    graphql(`{ a(x: ${"[".repeat(100_000)}${"]".repeat(100_000)}) }`),
    /^flow\.yaml:6:14: error: the document is nested too deep to be read$/m,
  ],
  [
    "a GraphQL document with selections 100,000 deep",
    graphql("{a".repeat(100_000) + "}".repeat(100_000)),
    /error: the document is nested too deep to be read$/m,
  ],
  [
    "30,000 bad headers",
    `${FLOW}    headers:\n${many(30_000, (n) => `      "X ${n}": 1\n`)}`,
    /= only the first 1000 errors are listed$/m,
  ],
  [
    "30,000 unknown templates on one line",
    `${FLOW}    body: {${many(30_000, (n) => `a${n}: "{{ x${n} }}",`)}}\n`,
    /= only the first 1000 errors are listed$/m,
  ],
];
for (const [what, flow, message] of refused) {
  Deno.test(`large inputs: ${what}`, async () => {
    using folder = workspace({ "flow.yaml": flow });
    const { code, stderr } = await bench(["validate", "flow.yaml"], {
      cwd: folder.path,
    });
    equal(code, 2, stderr.slice(0, 2_000));
    match(stderr, message);
  });
}

Deno.test("large inputs: 30,000 undeclared variables are warned about", async () => {
  const variables = many(30_000, (n) => `v${n}: 1, `);
  using folder = workspace({
    "flow.yaml": graphql("{ a }", `      variables: { ${variables} }\n`),
  });
  const { code, stderr } = await bench(["validate", "flow.yaml"], {
    cwd: folder.path,
  });
  equal(code, 0, stderr.slice(0, 2_000));
  match(stderr, /= only the first 1000 warnings are listed$/m);
});

const service = (fields: string) =>
  `syntax = "proto3";\npackage p;\nmessage Q {\n${fields}}\nmessage R {}\nservice S { rpc M(Q) returns (R); }\n`;
const CALL =
  "flow: large\nsteps:\n  - id: a\n    grpc: { proto: p.proto, method: p.S/M }\n";

Deno.test("large inputs: a message of 15,000 fields is read, and keeps their numbers apart", async () => {
  const fields = many(15_000, (n) => `  string f${n} = ${n + 1};\n`);
  const validate = async (proto: string) => {
    using folder = workspace({ "flow.yaml": CALL, "p.proto": proto });
    return await bench(["validate", "flow.yaml"], { cwd: folder.path });
  };
  equal((await validate(service(fields))).code, 0);
  const twice = await validate(service(`${fields}  int32 g = 700;\n`));
  equal(twice.code, 2);
  match(twice.stderr, /p\.proto:\d+:\d+: error: .*700/);
});

Deno.test("large inputs: 15,000 fields of types that do not exist", async () => {
  const fields = many(15_000, (n) => `  Type${n} f${n} = ${n + 1};\n`);
  using folder = workspace({ "flow.yaml": CALL, "p.proto": service(fields) });
  const { code, stderr } = await bench(["validate", "flow.yaml"], {
    cwd: folder.path,
  });
  equal(code, 2);
  ok(stderr.startsWith(
    "p.proto:4:3: error: there is no message or enum `Type0`\n",
  ));
});

Deno.test("large inputs: a fixture nested 5,000 deep is carried as it is", async () => {
  const deep = "[".repeat(5_000) + "]".repeat(5_000);
  using folder = workspace({
    "flow.yaml":
      `flow: large\ndata: d.json\nsteps:\n  - { id: a, call: POST /x, body: { v: "{{ user.a }}" } }\n`,
    "d.json": `[{"a":${deep}}]`,
  });
  const { code, stderr } = await bench(["validate", "flow.yaml"], {
    cwd: folder.path,
  });
  equal(code, 0, stderr);
});
