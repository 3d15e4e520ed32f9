import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { bench, workspace } from "../support/bench.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../support/recording_server.ts";
import { runFixture, spansOf } from "../support/run_fixture.ts";

const TARGET = ["--target", "target.yaml", "--store", "runs"];

/** A load flow of one step in IR form, with what YAML cannot say. */
function ir(parts: Record<string, unknown>): string {
  return JSON.stringify({
    ir: 1,
    flow: "ir",
    profile: { mode: "load", vus: 1, iterations: 6 },
    ...parts,
  });
}

function step(id: string, url: string, more: Record<string, unknown> = {}) {
  const block = { method: "GET", url };
  return { id, kind: "call", block, on_failure: "abort_flow", ...more };
}

function pool(name: string, distribution: string, on_exhausted: string) {
  const path = `${name}.csv`;
  return { name, path, format: "csv", distribution, on_exhausted };
}

Deno.test("IR: what compile prints, run reads from standard input", async () => {
  await using server = recordingServer();
  const flow = `flow: piped
data: rows.csv
steps:
  - { id: one, call: "GET /{{ user.n }}", assert: [status == 200] }
`;
  const files = { "rows.csv": "n\na\nb\n" };
  using fixture = runFixture({ flow, url: server.url, files });
  const cwd = fixture.path;
  const compiled = await bench(["compile", "flow.yaml"], { cwd });
  const run = fixture.found(
    await bench(["run", "-", ...TARGET], { cwd, stdin: compiled.stdout }),
  );
  equal(run.code, 0, run.stdout + run.stderr);
  equal(run.meta.flow_file, "-");
  equal(server.arrivals.map(({ line }) => line).join(), "GET /a,GET /b");
  const again = await bench(["compile", "-"], { cwd, stdin: compiled.stdout });
  equal(again.stdout, compiled.stdout);
});

Deno.test("IR: names that JavaScript's objects have are names like any other", async () => {
  await using server = recordingServer(() => rawResponse(200, { id: 7 }));
  const flow = `flow: named
steps:
  - id: one
    call: GET /a
    headers: { constructor: x, prototype: y }
    query: { __proto__: z }
    extract: { constructor: $.id, prototype: $.id }
  - { id: two, call: "GET /{{ constructor }}/{{ prototype }}" }
`;
  using fixture = runFixture({ flow, url: server.url });
  const cwd = fixture.path;
  const { stdout: stdin } = await bench(["compile", "flow.yaml"], { cwd });
  equal((await bench(["compile", "-"], { cwd, stdin })).stdout, stdin);
  const run = await bench(["run", "-", ...TARGET], { cwd, stdin });
  equal(run.code, 0, run.stdout + run.stderr);
  const [one, two] = server.arrivals;
  deepStrictEqual(
    [one!.line, headerOf(one!, "constructor"), headerOf(one!, "prototype")],
    ["GET /a?__proto__=z", "x", "y"],
  );
  equal(two!.line, "GET /7/7");
  const wrong = stdin.replace('"constructor":"x"', '"constructor":{}');
  const refused = await bench(["compile", "-"], { cwd, stdin: wrong });
  match(refused.stderr, /`constructor` must be a string, but it is an object/);
});

Deno.test("IR: compile reports every error in the flow's own text, and reads no other file", async () => {
  const graphql = (document: string) =>
    `flow: f\nsteps:\n  - id: ask\n    graphql: { url: /graphql, query: "${document}" }\n`;
  using folder = workspace({
    "broken.yaml": graphql("query { user { id }"),
    "whole.yaml": graphql("query { user { id } }"),
    // Neither file is there; `validate` would say so.
    "elsewhere.yaml": `flow: f
data: rows.csv
steps:
  - id: ask
    grpc: { proto: gone.proto, method: desk.Desk/Ask }
`,
  });
  const { path: cwd } = folder;
  const compile = (file: string, stdin?: string) =>
    bench(["compile", file], { cwd, ...(stdin !== undefined && { stdin }) });
  const broken = await compile("broken.yaml");
  equal(broken.code, 2, broken.stdout);
  equal(broken.stdout, "");
  match(
    broken.stderr,
    /^broken\.yaml:4:\d+: error: the document is not GraphQL: Expected Name/,
  );
  const ir = (await compile("whole.yaml")).stdout;
  const inIr = await compile("-", ir.replace("{ id } }", "{ id }"));
  equal(inIr.code, 2, inIr.stdout);
  match(inIr.stderr, /^-#\/steps\/0\/block\/query: error: the document/);
  const elsewhere = await compile("elsewhere.yaml");
  equal(elsewhere.code, 0, elsewhere.stderr);
  ok(elsewhere.stdout.includes('"proto":"gone.proto"'));
  const validated = await bench(["validate", "elsewhere.yaml"], { cwd });
  equal(validated.code, 2);
  match(validated.stderr, /gone\.proto/);
});

Deno.test("IR: standard input that is no IR is refused with its location", async () => {
  using fixture = runFixture({ flow: "", url: "http://127.0.0.1:1" });
  const rows: [stdin: string, says: RegExp][] = [
    ["flow: x\nsteps: []\n", /^-:1:\d+: error: /],
    ["", /^-(:1:1)?: error: /],
    [ir({ ir: 3, steps: [] }), /newer/],
    [ir({ steps: [step("a", "/")], extra: 1 }), /extra/],
  ];
  for (const [stdin, says] of rows) {
    const run = await bench(["run", "-", ...TARGET], {
      cwd: fixture.path,
      stdin,
    });
    equal(run.code, 2);
    match(run.stderr, says);
  }
});

/** The URLs a pool's rows became, over six iterations, and the run itself. */
async function drawn(
  distribution: string,
  policy: string,
  args: readonly string[] = [],
) {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: "",
    url: server.url,
    files: {
      "p.csv": "n\n0\n1\n2\n3\n",
      "other.csv": "k\nx\n",
      "ir.json": ir({
        pools: [
          pool("p", distribution, policy),
          pool("other", "round-robin", "cycle"),
        ],
        steps: [step("one", "/{{ p.n }}/{{ other.k }}")],
      }),
    },
  });
  const run = fixture.found(
    await bench(["run", "ir.json", ...TARGET, "--workers", "1", ...args], {
      cwd: fixture.path,
    }),
  );
  const rows = server.arrivals.map(({ line }) =>
    /^GET \/(\d)\/x$/.exec(line)?.[1] ?? line
  );
  return { rows: rows.join(""), meta: run.meta, code: run.code };
}

Deno.test("IR: several named pools, under every distribution and policy", async (t) => {
  const rows: [string, string, string | RegExp, failed: number][] = [
    ["unique-per-vu", "fail", "0123", 2],
    ["unique-per-vu", "stop", "0123", 0],
    ["unique-per-vu", "cycle", "012301", 0],
    ["round-robin", "fail", "012301", 0],
    ["random", "fail", /^[0-3]{6}$/, 0],
  ];
  await Promise.all(
    rows.map(([distribution, policy, expected, failed]) =>
      t.step({
        name: `${distribution} that would ${policy}`,
        fn: async () => {
          const { rows, meta, code } = await drawn(distribution, policy);
          equal(code, 0);
          if (typeof expected === "string") equal(rows, expected);
          else match(rows, expected);
          equal(meta.iterations.failed, failed);
          equal(meta.iterations.completed, rows.length + failed);
          if (failed > 0) equal(meta.failures[0]?.code, "resolution");
        },
        sanitizeExit: false,
      })
    ),
  );
});

Deno.test("IR: random rows are the same for the same seed", async () => {
  const [first, second] = [
    await drawn("random", "fail"),
    await drawn("random", "fail"),
  ];
  equal(first.rows, second.rows);
});

Deno.test("IR: a random pool of an integration run hands out every row once, in an order that goes by the seed", async () => {
  const orders = new Set<string>();
  for (const seed of [1, 1, 2, 3, 4]) {
    const args = ["--mode", "integration", "--seed", String(seed)];
    const { rows, meta } = await drawn("random", "fail", args);
    equal([...rows].sort().join(""), "0123");
    equal(meta.iterations.failed, 0);
    orders.add(`${seed}: ${rows}`);
  }
  equal(orders.size, 4, "one order a seed");
});

Deno.test("IR: headers and status can be extracted", async () => {
  await using server = recordingServer(() =>
    rawResponse(201, { a: 1 }, { "X-Trace": "t-9" })
  );
  const extract = {
    code: { from: "status" },
    trace: { from: "header", name: "x-trace" },
  };
  const body = { code: "{{ code }}" };
  const headers = { "X-Back": "{{ trace }}" };
  const second = {
    ...step("two", ""),
    block: { method: "POST", url: "/two", headers, body },
  };
  using fixture = runFixture({
    flow: "",
    url: server.url,
    files: {
      "ir.json": ir({
        profile: { mode: "integration", vus: 1 },
        steps: [step("one", "/one", { extract }), second],
      }),
    },
  });
  const run = await bench(["run", "ir.json", ...TARGET], { cwd: fixture.path });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(headerOf(server.arrivals[1]!, "X-Back"), "t-9");
  equal(bodyOf(server.arrivals[1]!), '{"code":201}');
});

Deno.test("IR: the capture policy says what a trace keeps", async () => {
  await using server = recordingServer(() => rawResponse(200, { a: 1 }));
  const block = { method: "POST", url: "/", body: { b: 2 } };
  const steps = ["full", "headers", "none"].map((capture) => ({
    ...step(capture, ""),
    block,
    capture,
  }));
  using fixture = runFixture({
    flow: "",
    url: server.url,
    files: {
      "ir.json": ir({ profile: { mode: "integration", vus: 1 }, steps }),
    },
  });
  const run = fixture.found(
    await bench(["run", "ir.json", ...TARGET], { cwd: fixture.path }),
  );
  equal(run.code, 0, run.stdout + run.stderr);
  const [full, headers, none] = spansOf(run, "http_call");
  deepStrictEqual(
    [full?.request?.body, full?.response?.body],
    ['{"b":2}', '{"a":1}'],
  );
  ok(headers?.request?.headers && headers.response?.line);
  equal("body" in headers.request || "body" in headers.response, false);
  equal(none?.request ?? none?.response, undefined);
});
