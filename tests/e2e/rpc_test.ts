import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath as fromFileUrl } from "node:url";
import * as v from "valibot";
import { run } from "../../cli/rpc/run.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import { VERSION } from "../../lib/base/values/build.ts";
import { rawResponse } from "../support/raw_response.ts";
import { bench, workspace } from "../support/bench.ts";
import { server as serverPair } from "../support/tls/certificates.ts";
import { recordingServer } from "../support/recording_server.ts";
import { RpcClient, type RpcMessage } from "../support/rpc_client.ts";
import { STRICT } from "../support/strict.ts";

/** A flow of one step, as a document. */
function flowOf(step: object, rest: object = {}): object {
  const steps = [{ id: "a", call: "GET /", ...step }];
  return { document: { value: { flow: "f", steps, ...rest } } };
}

/** A load run that goes on until it is stopped. */
function endless(url: string, store: string | null) {
  const profile = { mode: "load", vus: 1, hold: "10m" };
  return {
    flow: flowOf({}, { profile }),
    target: url,
    store,
    workers: 1,
  };
}

Deno.test("rpc: initialize says which engine it is", async () => {
  await using client = new RpcClient();
  const { result } = await client.ask(1, "initialize", { client: "test" });
  deepEqual(
    { ...result, build: null },
    { name: "bench", version: VERSION, build: null, protocol: 1, ir: 2 },
  );
});

Deno.test({
  name:
    "rpc: progress counts from the start of the load, and a verdict is stored with its runs",
  ...STRICT,
  async fn() {
    await using server = recordingServer(() => rawResponse(200));
    using folder = workspace({});
    await using client = new RpcClient({ cwd: folder.path });
    const profile = {
      ...{ mode: "load", vus: 1, arrival_cap: "40/s", hold: "2300ms" },
      warm_up: "1200ms",
    };
    const flow = flowOf({}, { version: 1, profile });
    const params = { target: server.url, store: "runs", workers: 1 };
    const seen: RpcMessage[] = [];
    const done = async (id: number, method: string, more: object) => {
      const { result, error } = await client.ask(id, method, more, seen);
      ok(result, JSON.stringify(error));
      return result;
    };
    await done(1, "run", { ...params, flow });
    const progress = seen.filter(({ method }) => method === "progress")
      .map(({ params }) => params);
    ok(progress.every(({ elapsed_ms }) => elapsed_ms > 0));
    deepEqual(
      progress.map(({ warm_up, elapsed_ms }) => warm_up === elapsed_ms < 1_200)
        .includes(false),
      false,
    );
    ok(progress.some(({ warm_up }) => warm_up));
    const duel = await done(2, "duel", {
      ...{ ...params, against: server.url, for_s: 11 },
      flow: flowOf({}, {
        profile: { mode: "load", vus: 1, arrival_cap: "40/s" },
      }),
    });
    const dirs = [duel.candidate, ...duel.bases]
      .map(({ id }) => join(folder.path, "runs", id));
    const [run, ...others] = dirs;
    await done(3, "compare", { run, with: others });
    for (const dir of dirs) {
      const text = Deno.readTextFileSync(join(dir, "meta.json"));
      const { judged } = JSON.parse(text);
      deepEqual(
        judged.map(({ kind }: { kind: string }) => kind),
        ["duel", "comparison"],
      );
    }
  },
});

Deno.test("rpc: bad input is an error with a reason, and the next request is served", async () => {
  await using client = new RpcClient();
  const rows: [bytes: string, code: number, why: RegExp][] = [
    ["Content-Length: 3\r\n\r\n{{{", -32700, /JSON/],
    ["Content-Length: 2\r\n\r\n42", -32600, /no JSON-RPC/],
    ["Content-Length: 4\r\n\r\nnull", -32600, /no JSON-RPC/],
    ["Content-Length: 2\r\n\r\n[]", -32600, /no JSON-RPC/],
    [
      'Content-Length: 26\r\n\r\n{"id":1,"method":"schema"}',
      -32600,
      /no JSON-RPC/,
    ],
  ];
  for (const [bytes, code, why] of rows) {
    await client.raw(bytes);
    const { id, error } = (await client.receive())!;
    equal(id, null);
    equal(error!.code, code, bytes);
    match(error!.message, why);
  }
  ok((await client.ask(1, "initialize")).result);
});

const HEADERS: readonly [bytes: string, why: RegExp][] = [
  ["Nonsense: 1\r\n\r\n", /no Content-Length/],
  ["Content-Length: x\r\n\r\n", /Content-Length must be a number .*"x"/],
  ["Content-Length: -5\r\n\r\n", /must be a number/],
  ["Content-Length: 2x\r\n\r\n{}", /must be a number/],
  ["Content-Length: 99999999999\r\n\r\n", /at most 268435456/],
  ["no colon\r\n\r\n", /no colon/],
  ["x".repeat(9_000), /more than 8192 bytes/],
];

Deno.test("rpc: after a header that is none nothing more is read: an error, and exit code 2", async () => {
  for (const [bytes, why] of HEADERS) {
    await using client = new RpcClient();
    await client.raw(bytes);
    const { id, error } = (await client.receive())!;
    deepEqual([id, error!.code], [null, -32700], bytes);
    match(error!.message, why);
    await client.send({ id: 1, method: "initialize" }).catch(() => {});
    equal(await client.receive(), undefined, "no other response comes");
    equal((await client.over()).code, 2);
  }
});

Deno.test("rpc: an end of input right after a bad header, or within a message, is an error and exit code 2 too", async () => {
  const rows: readonly [bytes: string, why: RegExp][] = [
    ...HEADERS,
    ["Content-Length: 20\r\n\r\n", /ends after 0 of the 20 bytes/],
    ['Content-Length: 20\r\n\r\n{"id"', /ends after 5 of the 20 bytes/],
    ["Content-Len", /ends within a header/],
    ["Content-Length: 20\r\n", /ends within a header/],
  ];
  for (const [stdin, why] of rows) {
    const { code, stdout } = await bench(["rpc"], { stdin });
    match(stdout, /"code":-32700/, stdin);
    match(stdout.replaceAll("\\", ""), why);
    equal(code, 2, stdin);
  }
  equal((await bench(["rpc"], { stdin: "" })).code, 0);
});

Deno.test("rpc, lsp: JSON that is no request has its whole response also where the input ends", async () => {
  const rows = ["42", '{"id":1,"method":"initialize"}', "{{{"];
  for (const body of rows) {
    for (const command of ["rpc", "lsp"]) {
      const stdin = `Content-Length: ${body.length}\r\n\r\n${body}`;
      const { stdout } = await bench([command], { stdin });
      const [header, response] = stdout.split("\r\n\r\n");
      equal(Number(header!.split(":")[1]), response?.length, command + body);
      equal(JSON.parse(response!).id, null);
    }
  }
});

Deno.test("rpc: an address is no target, and its base URL is named", async () => {
  await using client = new RpcClient();
  const params = { flow: flowOf({}), target: "127.0.0.1:7800" };
  const { result } = await client.ask(1, "validate", params);
  deepEqual(
    [result.diagnostics[0].message, result.diagnostics[0].hint],
    ["`127.0.0.1:7800` has no scheme", "did you mean http://127.0.0.1:7800?"],
  );
});

Deno.test("rpc: a notification that cancels nothing has no response", async () => {
  await using client = new RpcClient();
  for (const rest of [{}, { params: {} }, { params: null }]) {
    await client.send({ method: "$/cancelRequest", ...rest });
  }
  await client.send({ id: 1, method: "initialize" });
  equal((await client.receive())!.id, 1);
});

Deno.test("rpc: wrong parameters are named", async () => {
  await using client = new RpcClient();
  const document = { value: {} };
  const rows: [method: string, params: unknown, code: number, why: RegExp][] = [
    ["explode", {}, -32601, /there is no method `explode`/],
    ["compile", undefined, -32602, /`flow` is missing/],
    ["compile", [], -32602, /`flow` is missing/],
    ["compile", [1], -32602, /must be an object/],
    ["runs", [1, 2], -32602, /unknown key `0`/],
    ["runs", { most: "x" }, -32602, /`most` must be a number/],
    ["runs", { most: true }, -32602, /`most` must be a number, .*boolean/],
    ["runs", { most: 2n ** 60n }, -32602, /`most` must be at most 90071992547/],
    ["runs", { most: -(2n ** 60n) }, -32602, /must be at least -90071992547/],
    [
      "compare",
      { run: "a", with: ["b"], margin: 0 },
      -32602,
      /must be above 0,/,
    ],
    [
      "plan",
      { flow: { document }, target: 5 },
      -32602,
      /a string or an object/,
    ],
    [
      "compile",
      { flow: {} },
      -32602,
      /exactly one of path, text, document, ir/,
    ],
    ["compile", { flow: { document, path: "x" } }, -32602, /exactly one/],
    ["compile", { flow: { document, dir: "x" } }, -32602, /unknown key `dir`/],
    ["compile", { flow: { document: 1 } }, -32602, /`document` must be/],
    [
      "validate",
      { path: "a.bench.yaml" },
      -32602,
      /`flow` is missing\n\/path: unknown key `path`: it is a key of `flow`$/,
    ],
    [
      "run",
      { flow: { document }, target: "t", hold: 3 },
      -32602,
      /^\/hold: unknown key `hold`: did you mean `hold_s`\?$/,
    ],
    ["compile", { flow: { document }, mode: "fast" }, -32602, /`mode` must be/],
    ["compile", { flow: { document }, cwd: "/nowhere" }, -32602, /\/nowhere/],
    ["run", { flow: { document } }, -32602, /`target` is missing/],
    ["run", { flow: { document }, target: "t", row: -1 }, -32602, /`row`/],
    [
      "run",
      { flow: { document }, target: "t", rehearsal: "no" },
      -32602,
      /`rehearsal` must be a boolean/,
    ],
    ["cancel", {}, -32602, /`id` is missing/],
    ["replay", {}, -32602, /`run` is missing/],
    ["duel", { flow: { document }, target: "t" }, -32602, /`against` is miss/],
    ["duel", { flow: { document }, for_s: 5 }, -32602, /`for_s`/],
    ["capacity", { flow: { document } }, -32602, /`target` is missing/],
    ["capacity", { flow: flowOf({}), target: "http://a" }, 2, /no thresholds/],
    ["replay", { run: "none", store: "none" }, 2, /none/],
    ["compare", { run: "none", with: ["a"], store: "none" }, 2, /none/],
  ];
  for (const [index, [method, params, code, why]] of rows.entries()) {
    const { error } = await client.ask(index, method, params);
    equal(error?.code, code, `${method} ${JSON.stringify(params)}`);
    match(error.message, why);
  }
});

Deno.test("rpc: a load run rehearses unless `rehearsal` is false", () => {
  const of = (rehearsal?: boolean) => {
    const given = { flow: { text: "" }, target: "t" };
    const params = rehearsal === undefined ? given : { ...given, rehearsal };
    return (v.parse(run.params, params) as { rehearsal?: boolean }).rehearsal;
  };
  deepEqual([of(), of(true), of(false)], [true, true, false]);
});

Deno.test("rpc: compile gives canonical IR, or every diagnostic where it was written", async () => {
  await using client = new RpcClient();
  const good = await client.ask(1, "compile", { flow: flowOf({}) });
  match(good.result.ir, /^\{"flow":"f","ir":1,/);
  deepEqual([good.result.diagnostics, good.result.text], [[], ""]);
  const again = await client.ask(2, "compile", {
    flow: { ir: good.result.ir },
  });
  equal(again.result.ir, good.result.ir);
  const document = {
    value: { flow: "f", steps: [{ id: "a", call: "get /", body: { n: 0 } }] },
    files: [{ name: "f.py", text: "a = 1\ncall('get /')\n" }, { name: "g.py" }],
    locations: {
      "/steps/0/call": [2, 6, 7],
      "/steps/0/body": [9, 3, 2, 1],
    },
    numbers: { "/steps/0/body/n": "NaN" },
  };
  const { error } = await client.ask(3, "compile", { flow: { document } });
  equal(error!.code, 2);
  deepEqual(
    error!.data.diagnostics.map((each: Record<string, unknown>) =>
      `${each.file}:${each.line}:${each.column} ${each.code}`
    ),
    ["g.py:9:3 number-out-of-range", "f.py:2:6 bad-call"],
  );
  match(error!.data.text, /2 \| call\('get \/'\)\n {2}\| {6}\^{7}\n/);
});

Deno.test("rpc: a document without locations is reported by pointer", async () => {
  await using client = new RpcClient();
  const { error } = await client.ask(1, "compile", {
    flow: flowOf({ asert: [] }),
  });
  const [diagnostic] = error!.data.diagnostics;
  equal(diagnostic.line, null);
  equal(diagnostic.pointer, "/steps/0/asert");
});

Deno.test("rpc: pools without a name are reported once each, and references to them beside", async () => {
  await using client = new RpcClient();
  const pool = { path: "rows.csv" };
  const document = {
    value: {
      ...{ version: 1, flow: "f", pools: [pool, pool] },
      steps: [{ id: "a", call: "GET /{{ row.name }}" }],
    },
  };
  const { diagnostics } =
    (await client.ask(1, "validate", { flow: { document } })).result;
  deepEqual(
    diagnostics.map(({ code, pointer }: Record<string, string>) =>
      `${pointer} ${code}`
    ),
    [
      "/pools/0 missing-key",
      "/pools/1 missing-key",
      "/steps/0/call unresolved-template",
      "/pools/0/path unreadable-fixture",
      "/pools/1/path unreadable-fixture",
    ],
  );
});

Deno.test("rpc: validate returns diagnostics, warnings among them", async () => {
  await using client = new RpcClient();
  const flow = flowOf({ call: "GET /{{ env.T }}" });
  const missing = await client.ask(1, "validate", { flow, env: {} });
  deepEqual(
    missing.result.diagnostics.map((each: { code: string }) => each.code),
    ["missing-env"],
  );
  const short = await client.ask(2, "validate", { flow, env: { T: "ab" } });
  equal(short.result.diagnostics[0].severity, "warning");
  match(short.result.text, /warning: the value of/);
});

Deno.test("rpc: plan and rows read fixture and target below the request's folder", async () => {
  using folder = workspace({
    "flows/rows.csv": "name\nada\ngrace\n",
    "targets/here.yaml": 'name: here\nbase_urls: ["http://127.0.0.1:1"]\n',
    "flows/f.bench.yaml":
      'flow: y\ndata: rows.csv\nsteps: [{ id: a, call: "GET /{{ user.name }}" }]\n',
  });
  await using client = new RpcClient();
  const cwd = folder.path;
  const document = {
    flow: flowOf({}, { data: "rows.csv" }),
    cwd,
  };
  Object.assign(document.flow, { directory: "flows" });
  const { result } = await client.ask(1, "rows", document);
  deepEqual(result, {
    flow: "f",
    mode: "integration",
    tags: [],
    rows: [{ name: "ada" }, { name: "grace" }],
  });
  const path = { flow: { path: "flows/f.bench.yaml" }, cwd };
  equal((await client.ask(2, "rows", path)).result.rows.length, 2);
  const plan = await client.ask(3, "plan", { ...path, target: "here" });
  equal(plan.result.plan.iterations, 2);
  const gone = await client.ask(4, "plan", { ...path, target: "gone" });
  equal(gone.error!.data.diagnostics[0].code, "no-target");
});

Deno.test({
  name: "rpc: run gives iterations in its result, or one by one",
  ...STRICT,
  async fn() {
    await using server = recordingServer(() => rawResponse(404, { why: "no" }));
    await using client = new RpcClient();
    const flow = {
      document: {
        value: { flow: "f", steps: [{ id: "a", call: "GET /" }] },
        files: [{ name: "f.py" }],
        locations: { "/steps/0": [7] },
      },
    };
    const params = { flow, target: server.url, store: null };
    const seen: RpcMessage[] = [];
    const { result } = await client.ask(1, "run", params, seen);
    equal(result.meta.exit_code, 1);
    equal(result.directory, null);
    match(result.summary, /✗ FAIL/);
    const [trace] = result.iterations;
    equal(trace.outcome, "failed");
    deepEqual(trace.spans[0].failure.line, 7);
    equal(trace.spans[1].response.body, '{"why":"no"}');
    deepEqual(seen, []);
    const streamed = await client.ask(
      2,
      "run",
      { ...params, stream: true },
      seen,
    );
    equal(streamed.result.iterations, null);
    deepEqual(seen.map(({ method }) => method), ["iteration"]);
    const [first] = seen as RpcMessage[];
    equal(first!.params.spans[0].failure.file, "f.py");
  },
});

Deno.test({
  name: "rpc: certificates are the run's own, and `insecure` is warned about",
  ...STRICT,
  async fn() {
    await using server = recordingServer(undefined, { tls: serverPair });
    await using client = new RpcClient();
    const cacert = fromFileUrl(
      new URL("../support/tls/ca.pem", import.meta.url),
    );
    const params = { flow: flowOf({}), target: server.url, store: null };
    const verdict = async (id: number, more: object, seen: RpcMessage[] = []) =>
      (await client.ask(id, "run", { ...params, ...more }, seen)).result.meta
        .verdict;
    equal(await verdict(1, {}), "fail");
    equal(await verdict(2, { cacert }), "pass");
    const seen: RpcMessage[] = [];
    equal(await verdict(3, { insecure: true }, seen), "pass");
    const [warned] = seen;
    equal(warned!.method, "diagnostics");
    match(warned!.params.text, /warning: certificates were not verified/);
    const gone = await client.ask(4, "run", { ...params, cacert: "none.pem" });
    equal(gone.error!.data.diagnostics[0].code, "tls-files");
  },
});

Deno.test({
  name: "rpc: bodies of iterations are whole, and cut in the run directory",
  ...STRICT,
  async fn() {
    const long = "ä".repeat(150_000);
    await using server = recordingServer(() => rawResponse(200, { long }));
    await using client = new RpcClient();
    using folder = workspace({});
    const { result } = await client.ask(1, "run", {
      flow: flowOf({ call: "POST /", body: long }),
      target: server.url,
      store: folder.path,
    });
    const exchange = (spans: Span[]) =>
      spans.find(({ name }) => name === "http_call")!;
    const { request, response } = exchange(result.iterations[0].spans);
    equal(request!.body, JSON.stringify(long));
    equal(response!.body, JSON.stringify({ long }));
    equal(response!.body_truncated, undefined);
    const { traces } = JSON.parse(
      Deno.readTextFileSync(join(result.directory, "traces.json")),
    );
    const stored = exchange(traces[0].spans).response!;
    // Half an "ä" would be left.
    equal(new TextEncoder().encode(stored.body).length, 64 * 1024 - 1);
    equal(stored.body_truncated, true);
  },
});

Deno.test({
  name: "rpc: cancel lets iterations finish; once more, it ends them at once",
  ...STRICT,
  async fn() {
    const held = Promise.withResolvers<string>();
    await using server = recordingServer(() => held.promise);
    await using client = new RpcClient();
    const params = endless(server.url, null);
    await client.send({ id: 1, method: "run", params });
    await server.arrival(0);
    const seen: RpcMessage[] = [];
    const cancel = (id: number, of: number) =>
      client.ask(id, "cancel", { id: of }, seen);
    deepEqual((await cancel(2, 1)).result, { found: true });
    held.resolve(rawResponse(200, {}));
    const soft = (await client.response(1, seen)).result.meta;
    deepEqual([soft.status, soft.exit_code], ["interrupted", 130]);
    equal(soft.iterations.completed, 1);
    deepEqual((await cancel(3, 1)).result, { found: false });
  },
});

Deno.test({
  name: "rpc: progress is reported of a run that gets no response",
  ...STRICT,
  async fn() {
    const never = Promise.withResolvers<undefined>();
    await using server = recordingServer(() => never.promise);
    await using client = new RpcClient();
    const params = endless(server.url, null);
    await client.send({ id: 1, method: "run", params });
    const { method, params: progress } = (await client.receive())!;
    equal(method, "progress");
    deepEqual([progress.vus, progress.iterations.completed], [1, 0]);
    equal(progress.p95_ms, null, "nothing was measured yet");
    const seen: RpcMessage[] = [];
    await client.ask(2, "cancel", { id: 1 }, seen);
    await client.ask(3, "cancel", { id: 1 }, seen);
    const { meta } = (await client.response(1, seen)).result;
    deepEqual([meta.status, meta.iterations.completed], ["interrupted", 0]);
    never.resolve(undefined);
  },
});

Deno.test({
  name: "rpc: a replay is cancelled, and ends with a client that goes away",
  ...STRICT,
  async fn() {
    const never = Promise.withResolvers<undefined>();
    const first = rawResponse(200, {});
    let replays = false;
    await using server = recordingServer(() => replays ? never.promise : first);
    using folder = workspace({});
    const store = folder.path;
    await using client = new RpcClient();
    await client.ask(1, "run", {
      flow: { text: "flow: f\nsteps:\n  - { id: a, call: GET / }\n" },
      ...{ target: server.url, store },
    });
    replays = true;
    const params = { run: "latest", target: server.url, store };
    await client.send({ id: 2, method: "replay", params });
    await server.arrival(1);
    await client.send({ id: 3, method: "replay", params });
    await client.ask(4, "cancel", { id: 3 });
    const seen: RpcMessage[] = [];
    await client.ask(5, "cancel", { id: 2, now: true }, seen);
    equal((await client.response(2, seen)).error?.code, 5);
    equal((await client.response(3, seen)).error?.code, 5);
    await client.send({ id: 6, method: "replay", params });
    await server.arrival(2);
    await client.end();
    equal((await client.over()).code, 0);
    never.resolve(undefined);
  },
});

Deno.test({
  name: "rpc: an iteration under way is no share of a run that is done",
  ...STRICT,
  async fn() {
    const held = Promise.withResolvers<string>();
    await using server = recordingServer(() => held.promise);
    await using client = new RpcClient();
    const params = { flow: flowOf({}), target: server.url, store: null };
    await client.send({ id: 1, method: "run", params });
    const { method, params: progress } = (await client.receive())!;
    equal(method, "progress");
    deepEqual([progress.share, progress.iterations.started], [0, 1]);
    held.resolve(rawResponse(200, {}));
    equal((await client.response(1)).result.meta.verdict, "pass");
  },
});

Deno.test({
  name: "rpc: a target that never responds is cut off by cancel with `now`",
  ...STRICT,
  async fn() {
    const never = Promise.withResolvers<undefined>();
    await using server = recordingServer(() => never.promise);
    await using client = new RpcClient();
    const params = { flow: flowOf({}), target: server.url, store: null };
    await client.send({ id: 1, method: "run", params });
    await server.arrival(0);
    await client.send({ id: 2, method: "run", params });
    await client.send({ method: "$/cancelRequest", params: { id: 2 } });
    await client.send({
      id: 3,
      method: "cancel",
      params: { id: 1, now: true },
    });
    const seen: RpcMessage[] = [];
    equal((await client.response(1, seen)).result.meta.status, "interrupted");
    const waiting = seen.find(({ id }) => id === 2) ??
      await client.response(2, seen);
    ok(waiting.error, "it was cancelled before it began");
    never.resolve(undefined);
  },
});

Deno.test({
  name:
    "rpc: a client that goes away ends the run, and its directory is written",
  ...STRICT,
  async fn() {
    const ways = [
      (client: RpcClient) => client.end(),
      (client: RpcClient) => client.stopReading(),
    ];
    for (const leave of ways) {
      using folder = workspace({});
      await using server = recordingServer();
      await using client = new RpcClient();
      const store = join(folder.path, "runs");
      await client.send({
        id: 1,
        method: "run",
        params: endless(server.url, store),
      });
      // The first response was taken in when the second request comes.
      await server.arrival(1);
      await leave(client);
      const { code, stderr } = await client.over();
      equal(code, 0, stderr);
      const [run] = [...Deno.readDirSync(store)];
      const meta = JSON.parse(
        Deno.readTextFileSync(join(store, run!.name, "meta.json")),
      );
      equal(meta.status, "interrupted");
      ok(meta.requests > 0);
    }
  },
});

Deno.test({
  name: "rpc: a signal ends the run with its response",
  ignore: Deno.build.os === "windows",
  ...STRICT,
  async fn() {
    await using server = recordingServer();
    await using client = new RpcClient();
    await client.send({
      id: 1,
      method: "run",
      params: endless(server.url, null),
    });
    await server.arrival(0);
    Deno.kill(client.pid, "SIGTERM");
    const { result } = await client.response(1);
    equal(result.meta.exit_code, 143);
    equal((await client.over()).code, 143);
  },
});

Deno.test("rpc: requests before the end of input get responses, and shutdown ends the process", async () => {
  await using piped = new RpcClient();
  await piped.send({ id: 1, method: "compile", params: { flow: flowOf({}) } });
  await piped.end();
  ok((await piped.response(1)).result.ir);
  equal((await piped.over()).code, 0);
  await using client = new RpcClient();
  equal((await client.ask(1, "shutdown")).result, null);
  equal((await client.over()).code, 0);
});

Deno.test(
  "rpc: capacity measures a target, reports every trial, and stores its run",
  STRICT,
  async () => {
    await using server = recordingServer();
    using folder = workspace({});
    await using client = new RpcClient();
    const { result, error } = await client.ask(1, "capacity", {
      flow: flowOf({}),
      target: server.url,
      store: join(folder.path, "runs"),
      thresholds: ["error_rate <= 0"],
      from: 20,
      most: 20,
      trial_s: 0.2,
      cool_down_s: 0,
      workers: 1,
    });
    equal(error, undefined);
    const { lower, upper, trials } = result.capacity;
    deepEqual([lower ?? 20, upper], [20, null]);
    ok(trials.length >= 2);
    const meta = Deno.readTextFileSync(join(result.directory, "meta.json"));
    deepEqual(JSON.parse(meta).capacity, result.capacity);
  },
);

Deno.test("rpc: runs, report and trace read the store; a flow may be its text", async () => {
  await using server = recordingServer(() =>
    rawResponse(500, { long: "x".repeat(50) })
  );
  using folder = workspace({});
  await using client = new RpcClient({ cwd: folder.path });
  const text = "flow: f\nsteps:\n  - id: a\n    call: GET /\n";
  const wrong = await client.ask(1, "compile", {
    flow: { text: `${text}x: 1` },
  });
  equal(wrong.error!.data.diagnostics[0].line, 5);
  const target = server.url;
  const { result } = await client.ask(2, "run", { flow: { text }, target });
  const { meta: { id }, directory } = result;
  const { runs, others } = (await client.ask(3, "runs")).result;
  deepEqual([runs.length, runs[0].id, others], [1, id, 0]);
  deepEqual((await client.ask(4, "runs", { flow_name: "g" })).result.runs, []);
  const report = await client.ask(5, "report", { run: id });
  deepEqual(
    { ...report.result.meta, id: "" },
    { ...result.meta, id: "" },
  );
  equal(report.result.directory, directory);
  const [kept] = report.result.traces;
  equal(kept.outcome, "failed");
  const { trace } = (await client.ask(6, "trace", { run: id, body: 9 })).result;
  equal(trace.trace_id, kept.trace_id);
  const call = trace.spans.find(({ kind }: Span) => kind === "call");
  deepEqual(
    [call.response.body, call.response.body_truncated],
    ['{"long":"', true],
  );
  const none = await client.ask(7, "trace", { run: id, trace: "0000" });
  match(none.error!.message, /has no trace `0000`/);
});

Deno.test("rpc: import gives the files, and standard input stays that of the requests", async () => {
  await using client = new RpcClient();
  const { result } = await client.ask(1, "import", {
    from: "curl",
    source: ["curl -u ada:secret-word http://a.example/items"],
    name: "items",
  });
  deepEqual(
    result.files.map(({ path }: { path: string }) => path),
    ["items.bench.yaml", "targets/items.yaml", ".env.example"],
  );
  deepEqual(result.variables, ["API_USERNAME", "API_PASSWORD"]);
  ok(!JSON.stringify(result).includes("secret-word"));
  const rows: [method: string, params: object][] = [
    ["import", { from: "curl", source: ["-"] }],
    ["compile", { flow: { path: "-" } }],
  ];
  for (const [index, [method, params]] of rows.entries()) {
    const { error } = await client.ask(10 + index, method, params);
    match(error!.message, /standard input has the requests/);
  }
});
