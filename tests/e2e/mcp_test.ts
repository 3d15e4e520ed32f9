import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { METHODS } from "../../cli/rpc/methods.ts";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { Agent, type ToolResult } from "../support/mcp_client.ts";
import { resultOf, ROOT } from "../support/program.ts";
import { rawResponse } from "../support/raw_response.ts";
import {
  type RecordingServer,
  recordingServer,
} from "../support/recording_server.ts";

const CEILINGS = "max_vus: 4\nmax_rps: 500\n";

/** The target of a folder. */
function targetOf({ url }: Pick<RecordingServer, "url">, more = ""): string {
  return `name: here\nbase_urls: ["${url}"]\n${more}`;
}

/** A flow of one step. */
function flowOf(lines: string, head = ""): string {
  return `flow: shop\n${head}steps:\n  - id: item\n    call: GET /item\n${lines}`;
}

const LOAD = "profile: { mode: load, vus: 2, iterations: 20 }\n";

Deno.test("mcp: an agent writes a flow, validates, mends and runs it, and reads the failure", async () => {
  let price: unknown = "7";
  await using server = recordingServer(() => rawResponse(200, { price }));
  using folder = workspace({ "targets/here.yaml": targetOf(server) });
  await using agent = await Agent.start(folder.path);
  const path = "flows/shop.bench.yaml";
  const write = (text: string) => {
    Deno.mkdirSync(join(folder.path, "flows"), { recursive: true });
    Deno.writeTextFileSync(join(folder.path, path), text);
  };
  const asked = { flow: { path }, target: "here" };

  write(flowOf("    asert: [$.price == 7]\n"));
  const wrong = await agent.call("validate", asked);
  match(
    wrong.text,
    /^flows\/shop\.bench\.yaml:5:5: error: unknown key `asert`/,
  );
  match(wrong.text, /did you mean `assert`\?/);
  equal(wrong.data.diagnostics[0].line, 5);
  const refused = await agent.call("run", asked);
  ok(refused.failed);
  match(refused.text, /shop\.bench\.yaml:5:5/);
  equal(server.arrivals.length, 0);

  write(flowOf("    assert: [$.price == 7]\n"));
  deepEqual((await agent.call("validate", asked)).data.diagnostics, []);
  match((await agent.call("plan", asked)).text, /"mode": "integration"/);
  const run = await agent.call("run", asked);
  ok(!run.failed, "a verdict is no error");
  equal(run.data.verdict, "fail");
  match(run.text, /✗ FAIL/);
  const [failure] = run.data.failures;
  deepEqual([failure.line, failure.file], [5, path]);
  deepEqual(run.data.thresholds, [
    { expression: "error_rate <= 0", actual: 1, pass: false },
  ]);
  match(run.data.reason, /price is the string 7/);
  equal(run.data.samples, 1, "a percentile of one sample says nothing");
  const { text: trace } = await agent.call("trace", {
    run: run.data.run,
    trace: failure.trace_id,
  });
  match(trace, /GET \/item HTTP\/1\.1/);
  match(trace, /\{\\"price\\":\\"7\\"\}/);

  price = 7;
  equal((await agent.call("run", asked)).data.verdict, "pass");
  const { data: { runs } } = await agent.call("runs", {});
  deepEqual(runs.map((each: { verdict: string }) => each.verdict), [
    "pass",
    "fail",
  ]);
  const report = await agent.call("report", { run: run.data.run });
  equal((await agent.call("report", { run: "latest" })).data.verdict, "pass");
  equal(report.data.traces[0].trace_id, failure.trace_id);
  deepEqual((await agent.call("runs", { flow_name: "x" })).data.runs, []);
});

Deno.test("mcp: a first call whose arguments are wrong has an error, and the next its result", async () => {
  using folder = workspace({});
  await using agent = await Agent.start(folder.path);
  const wrong = await agent.call("validate", {});
  ok(wrong.failed);
  match(wrong.text, /`flow` is missing/);
  const right = await agent.call("validate", { flow: { text: flowOf("") } });
  deepEqual(right.data.diagnostics, []);
});

Deno.test("mcp: what is no message has an error with a null id, and the next request its result", async () => {
  using folder = workspace({});
  const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
  const rows = [
    ["{not json", -32700],
    [`[${ping}]`, -32600],
    ["[]", -32600],
    ["42", -32600],
    [ping.replace("7", "null"), -32600],
    [ping.replace('"2.0"', "2"), -32600],
  ] as const;
  const stdin = [...rows.map(([line]) => line), ping, ""].join("\n");
  const { code, stdout, stderr } = await bench(["mcp", folder.path], { stdin });
  const responses = stdout.trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  deepEqual(responses.pop(), { jsonrpc: "2.0", id: 7, result: {} });
  deepEqual(
    responses.map(({ jsonrpc, id, error }) => [jsonrpc, id, error.code]),
    rows.map(([, code]) => ["2.0", null, code]),
  );
  deepEqual([code, stderr], [0, ""]);
});

Deno.test("mcp: a flow is text as well; rows, warnings and a trace cut short", async () => {
  await using server = recordingServer(() => rawResponse(200, "x".repeat(99)));
  using folder = workspace({
    "targets/here.yaml": targetOf(server),
    "rows.csv": "n\n1\n2\n",
  });
  await using agent = await Agent.start(folder.path);
  const text = flowOf("    query: { n: '{{ user.n }}' }\n", "data: rows.csv\n");
  const wrong = await agent.call("run", {
    flow: { text: text.replace("user.n", "user.m") },
    target: "here",
  });
  match(wrong.text, /^flow\.yaml:6:\d+: error/);
  const { data } = await agent.call("run", {
    flow: { text },
    target: "here",
    row: 1,
  });
  equal(data.verdict, "pass", JSON.stringify(data));
  equal(server.arrivals.map(({ line }) => line).join(), "GET /item?n=2");
  const cut = await agent.call("trace", { run: data.run, body: 8 });
  match(cut.text, /"x{8}"/);
  match(cut.text, /"body_truncated": true/);
});

Deno.test("mcp: the tools are methods of bench rpc, without what the server decides", async () => {
  using folder = workspace({});
  await using agent = await Agent.start(folder.path);
  const { tools } = await agent.client.listTools();
  deepEqual(tools.map(({ name }) => name), [
    ...["validate", "plan", "run", "runs", "report", "trace"],
    ...["compare", "import"],
  ]);
  const kept =
    /^(?:env|cwd|store|stream|resolve|proxy|cacert|cert|key|insecure)$/;
  for (const { name, description, inputSchema } of tools) {
    equal(description, METHODS[name]!.about);
    const { properties = {} } = inputSchema;
    deepEqual(Object.keys(properties).filter((each) => kept.test(each)), []);
    equal(
      (inputSchema as Record<string, unknown>)["additionalProperties"],
      false,
    );
  }
  const run = tools.find(({ name }) => name === "run")!;
  deepEqual(run.inputSchema.required, ["flow", "target"]);
  await rejects(agent.call("duel", {}), /there is no tool `duel`/);
});

Deno.test("mcp: parameters that are refused are named, in words of no library", async () => {
  using folder = workspace({});
  const rows: readonly [params: object, message: string][] = [
    [{ name: "duel" }, "there is no tool `duel`"],
    [{}, "/name: Invalid input: expected string, received undefined"],
    [
      { name: "runs", arguments: null },
      "/arguments: Invalid input: expected record, received null",
    ],
  ];
  const calls = rows.map(([params], id) => ({
    id: id + 2,
    method: "tools/call",
    params,
  }));
  const { stdout } = await bench(["mcp", folder.path], {
    stdin: messages(INITIALIZE, ...calls),
  });
  const errors = stdout.trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ error }) => error).sort((a, b) => a.id - b.id);
  deepEqual(
    errors.map(({ error: { code, message } }) => [code, message]),
    rows.map(([, message]) => [-32602, message]),
  );
});

Deno.test("mcp: files of an import are data too, as a client may show nothing else", async () => {
  using folder = workspace({});
  await using agent = await Agent.start(folder.path);
  const { text, data: { files } } = await agent.call("import", {
    from: "curl",
    source: ["curl http://shop.example/items"],
  });
  deepEqual(files.map(({ path }: { path: string }) => path), [
    "shop.bench.yaml",
    "targets/shop.yaml",
  ]);
  for (const each of files) ok(text.includes(each.text));
});

Deno.test("mcp: resources are the reference, the schemas and the examples", async () => {
  using folder = workspace({});
  await using agent = await Agent.start(folder.path);
  const read = async (uri: string) => {
    const { contents: [found] } = await agent.client.readResource({ uri });
    return (found as { text: string }).text;
  };
  const { resources } = await agent.client.listResources();
  ok(resources.length > 15);
  for (const { uri } of resources) ok((await read(uri)).length > 20, uri);
  equal(
    await read("bench://docs/flow-file.md"),
    Deno.readTextFileSync(join(ROOT, "docs/flow-file.md")),
  );
  equal(
    await read("bench://examples/shop.bench.yaml"),
    Deno.readTextFileSync(join(ROOT, "examples/shop.bench.yaml")),
  );
  const { stdout } = await bench(["schema", "flow"]);
  deepEqual(
    JSON.parse(await read("bench://schema/flow.json")),
    JSON.parse(stdout),
  );
  await rejects(read("bench://examples/../deno.json"), /there is no resource/);
  await rejects(read("file:///etc/passwd"), /there is no resource/);
});

/** A folder beside one with files that are none of an agent's business. */
function escapes(server: RecordingServer) {
  const outside = "secret-things: yes\n";
  const space = workspace({
    "outside/flow.bench.yaml": flowOf(""),
    "outside/rows.csv": "n\n1\n",
    "outside/targets/there.yaml": targetOf(server),
    "outside/note.txt": outside,
    "outside/api.yaml": "openapi: 3.0.3\npaths: {}\n",
    "home/targets/here.yaml": targetOf(server),
    "home/flow.bench.yaml": flowOf(""),
    "home/api.json": JSON.stringify({
      info: {
        name: "x",
        schema:
          "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
      },
      item: [{
        name: "a",
        request: { method: "GET", url: "http://a.example/" },
      }],
    }),
    "home/program.py": "raise SystemExit(open('ran', 'w').write('x'))\n",
  });
  const at = (path: string) => join(space.path, path);
  Deno.symlinkSync(at("outside/flow.bench.yaml"), at("home/link.bench.yaml"));
  Deno.symlinkSync(at("outside"), at("home/away"));
  Deno.symlinkSync(at("outside/targets"), at("home/sub-targets"));
  return { space, at, home: at("home") };
}

Deno.test("mcp: nothing outside of the folder is read, by path or by link", async () => {
  await using server = recordingServer();
  const { space, at, home } = escapes(server);
  using _ = space;
  await using agent = await Agent.start(home);
  const target = "here";
  const path = "flow.bench.yaml";
  const withText = (lines: string, head = "") => ({
    flow: { text: flowOf(lines, head) },
    target,
  });
  const rows: [tool: string, given: Record<string, unknown>][] = [
    ...[
      "../outside/flow.bench.yaml",
      at("outside/flow.bench.yaml"),
      "link.bench.yaml",
      "away/flow.bench.yaml",
      "away/missing.bench.yaml",
      "../outside/missing.bench.yaml",
      "/etc/passwd.yaml",
      "/dev/fd/0.yaml",
    ].map((each): [string, Record<string, unknown>] => [
      "run",
      { flow: { path: each }, target },
    ]),
    ...[
      "../outside/targets/there.yaml",
      at("outside/targets/there.yaml"),
      "away/targets/there.yaml",
      "sub-targets/there.yaml",
      "../outside/targets/their.yaml",
    ].map((each): [string, Record<string, unknown>] => [
      "run",
      { flow: { path }, target: each },
    ]),
    ["run", withText("", "data: ../outside/rows.csv\n")],
    ["run", withText("", `data: ${at("outside/rows.csv")}\n`)],
    ["run", withText("", "data: away/rows.csv\n")],
    ["run", withText("    file: away/note.txt\n", "version: 1\n")],
    ["run", withText("    file: ../outside/note.txt\n", "version: 1\n")],
    ["import", { from: "openapi", source: ["../outside/api.yaml"] }],
    ["import", { from: "openapi", source: ["away/api.yaml"] }],
    ["import", { from: "har", source: ["away/note.txt"] }],
    ["import", {
      from: "curl",
      source: ["curl -d @away/note.txt http://a.example/"],
    }],
    ["import", {
      from: "postman",
      source: ["api.json"],
      environment: "../outside/note.txt",
    }],
  ];
  for (const [tool, given] of rows) {
    const { failed, text } = await agent.call(tool, given);
    const what = `${tool} ${JSON.stringify(given)}: ${text}`;
    ok(failed, what);
    match(text, /outside of the folder/, what);
    ok(!/did you mean|secret-things/.test(text), what);
  }
  equal(server.arrivals.length, 0, "nothing was sent");
});

Deno.test("mcp: other ways out are refused too", async () => {
  await using server = recordingServer();
  const { space, home, at } = escapes(server);
  using _ = space;
  await using agent = await Agent.start(home, {
    env: { XDG_CONFIG_HOME: at("outside/config") },
  });
  Deno.mkdirSync(at("outside/config/bench/targets"), { recursive: true });
  Deno.copyFileSync(
    at("outside/targets/there.yaml"),
    at("outside/config/bench/targets/there.yaml"),
  );
  const flow = { path: "flow.bench.yaml" };
  const rows: [tool: string, given: Record<string, unknown>, why: RegExp][] = [
    ["run", { flow, target: server.url }, /is a URL, and a target is a file/],
    ["run", { flow, target: { document: { value: {} } } }, /`target` must be/],
    ["run", { flow, target: "there" }, /there is no target `there`/],
    ["run", { flow: { path: "program.py" }, target: "here" }, /is a program/],
    ["run", { flow: { path: "-" }, target: "here" }, /standard input/],
    [
      "run",
      { flow: { ...flow, directory: "/" }, target: "here" },
      /`directory`/,
    ],
    [
      "run",
      { flow: { document: {} }, target: "here" },
      /unknown key `document`/,
    ],
    ["run", { flow, target: "here", env: { A: "b" } }, /unknown key `env`/],
    ["run", { flow, target: "here", cwd: "/" }, /unknown key `cwd`/],
    ["run", { flow, target: "here", store: "/tmp" }, /unknown key `store`/],
    ["run", { flow, target: "here", resolve: [] }, /unknown key `resolve`/],
    ["run", { flow, target: "here", proxy: "http://a" }, /unknown key `proxy`/],
    ["run", { flow, target: "here", insecure: true }, /unknown key `insecure`/],
    ["report", { run: "../outside" }, /named by its id/],
    ["trace", { run: at("outside") }, /named by its id/],
    ["compare", { run: "..", with: ["a/b"] }, /named by its id/],
    ["import", { from: "curl", source: ["-"] }, /standard input/],
    ["validate", {}, /`flow` is missing/],
  ];
  for (const [tool, given, why] of rows) {
    const { failed, text } = await agent.call(tool, given);
    ok(failed, `${tool} ${JSON.stringify(given)}`);
    match(text, why);
  }
  const elsewhere = flowOf("").replace("/item", "http://127.0.0.2:9/item");
  const { text } = await agent.call("run", {
    flow: { text: elsewhere },
    target: "here",
  });
  match(text, /^flow\.yaml:4:\d+: error: .*127\.0\.0\.2/);
  equal(server.arrivals.length, 0, "nothing was sent");
  ok(![...Deno.readDirSync(home)].some(({ name }) => name === "ran"));
  const id = "20261123T100000Z-shop-abcdef";
  Deno.mkdirSync(join(home, ".bench/runs"), { recursive: true });
  Deno.mkdirSync(at(`outside/${id}`));
  Deno.symlinkSync(at(`outside/${id}`), join(home, ".bench/runs", id));
  for (const tool of ["report", "trace"]) {
    match((await agent.call(tool, { run: id })).text, /is a symbolic link/);
  }
  Deno.removeSync(join(home, ".bench/runs"), { recursive: true });
  Deno.symlinkSync(at("outside"), join(home, ".bench/runs"));
  const linked = await agent.call("run", { flow, target: "here" });
  ok(linked.failed);
  match(linked.text, /symbolic link leads out/);
});

Deno.test("mcp: load takes --allow-load, and the ceilings of the target", async () => {
  await using server = recordingServer();
  using folder = workspace({
    "targets/here.yaml": targetOf(server, CEILINGS),
    "targets/open.yaml": targetOf(server),
    "load.bench.yaml": flowOf("", LOAD),
  });
  const asked = { flow: { path: "load.bench.yaml" }, target: "here" };
  await using careful = await Agent.start(folder.path);
  const refused = await careful.call("run", asked);
  ok(refused.failed);
  match(
    refused.text,
    /^load\.bench\.yaml:2:\d+: error: this server carries out no load run/,
  );
  match(refused.text, /--allow-load/);
  const forced = await careful.call("run", {
    flow: { text: flowOf("") },
    target: "here",
    mode: "stress",
    iterations: 9,
  });
  match(forced.text, /carries out no stress run/);
  equal(server.arrivals.length, 0, "nothing was sent");
  const once = await careful.call("run", { ...asked, mode: "integration" });
  equal(once.data.verdict, "pass");
  equal(server.arrivals.length, 1);

  await using trusted = await Agent.start(folder.path, {
    args: ["--allow-load"],
  });
  const unbounded = await trusted.call("run", { ...asked, target: "open" });
  match(unbounded.text, /`max_vus` and no `max_rps`/);
  const above = await trusted.call("run", { ...asked, vus: 5 });
  ok(above.failed);
  match(above.text, /allows 4|at most 4|max_vus/);
  equal(server.arrivals.length, 1, "nothing was sent");
  const ran = await trusted.call("run", asked);
  equal(ran.data.iterations.completed, 20);
  const again = await trusted.call("run", asked);
  const compared = await trusted.call("compare", {
    run: again.data.run,
    with: [ran.data.run],
  });
  ok(compared.text.length > 20, compared.text);
});

Deno.test("mcp: no value of a variable comes back, in whatever form", async () => {
  const [TOKEN, PASSWORD] = ["tok-7f3a91c2e8", "pässwörd&1234"];
  await using server = recordingServer(({ text }) => {
    const [, header] = /authorization: (.+)\r/i.exec(text) ?? [];
    return rawResponse(500, {
      echo: header,
      encoded: btoa(TOKEN),
      password: PASSWORD,
    });
  });
  using folder = workspace({
    "targets/here.yaml": targetOf(server),
    ".env": `PASSWORD=${PASSWORD}\n`,
    "rows.csv": `n\n${TOKEN}\n`,
  });
  const options = { args: ["--env-file", ".env"], env: { TOKEN } };
  const auth = 'auth: { scheme: bearer, token: "{{ env.TOKEN }}" }\n';
  const echoed = flowOf(
    '    assert: ["$.echo == 1", "$.password == 2"]\n',
    auth,
  );
  let id: string;
  {
    await using agent = await Agent.start(folder.path, options);
    const { data } = await agent.call("run", {
      flow: { text: echoed },
      target: "here",
    });
    id = data.run;
    await agent.call("trace", { run: id });
    await agent.call("report", { run: id });
    // Names no variable, so that its own run has no secret.
    const plain = await agent.call("run", {
      flow: { text: flowOf('    assert: ["$.encoded == 1"]\n') },
      target: "here",
    });
    await agent.call("trace", { run: plain.data.run });
    await agent.call("validate", {
      flow: { text: flowOf("    headers: { X: '{{ env.TOKEN }}\\n' }\n") },
      target: "here",
    });
    const unset = await agent.call("run", {
      flow: { text: flowOf("", auth.replace("TOKEN", "OTHER")) },
      target: "here",
    });
    match(unset.text, /OTHER/);
    hides(agent);
  }
  await using later = await Agent.start(folder.path, options);
  await later.call("trace", { run: id });
  ok(later.seen.join().includes("[redacted]"));
  hides(later, [PASSWORD]);

  function hides({ seen }: Agent, secrets = [TOKEN, PASSWORD, btoa(TOKEN)]) {
    const all = seen.join("\n");
    for (const each of secrets) ok(!all.includes(each), `${each} in ${all}`);
  }
});

Deno.test("mcp: calls at once, progress, and a run that is cancelled", async () => {
  await using server = recordingServer();
  using folder = workspace({
    "targets/here.yaml": targetOf(server, CEILINGS),
  });
  await using agent = await Agent.start(folder.path, {
    args: ["--allow-load"],
  });
  const load = {
    flow: {
      text: flowOf(
        "",
        "profile: { mode: load, vus: 1, hold: 10m, arrival_cap: 20/s }\n",
      ),
    },
    target: "here",
  };
  const once = { flow: { text: flowOf("") }, target: "here" };
  const stop = new AbortController();
  const under = Promise.withResolvers<number>();
  const long = rejects(
    agent.call("run", load, {
      signal: stop.signal,
      onprogress: ({ progress }) => under.resolve(progress),
    }),
  );
  ok(await under.promise >= 0);
  // It waits for the run, and others do not.
  const queued = agent.call("run", once);
  const others: ToolResult[] = await Promise.all([
    agent.call("validate", once),
    agent.call("runs", {}),
    agent.call("plan", load),
  ]);
  ok(others.every(({ failed }) => !failed));
  const [running] = others[1]!.data.runs;
  equal(running.status, "running");
  stop.abort();
  await long;
  equal((await queued).data.verdict, "pass");
  const { data } = await agent.call("report", { run: running.id });
  equal(data.status, "interrupted");
});

Deno.test("mcp: progress grows while one iteration is under way", async () => {
  const held = Promise.withResolvers<string>();
  await using server = recordingServer(() => held.promise);
  using folder = workspace({ "targets/here.yaml": targetOf(server) });
  await using agent = await Agent.start(folder.path);
  const seen: number[] = [];
  const once = { flow: { text: flowOf("") }, target: "here" };
  const { data } = await agent.call("run", once, {
    onprogress({ progress, total }) {
      seen.push(progress);
      equal(total, undefined);
      if (seen.length === 2) held.resolve(rawResponse(200, {}));
    },
  });
  equal(data.verdict, "pass");
  ok(seen[1]! > seen[0]!);
});

/** Messages as lines. */
function messages(...all: readonly object[]): string {
  return all.map((each) => `${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`)
    .join("");
}

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};

Deno.test("mcp: calls before the end of the input get their results, and the exit code is 0", async () => {
  using folder = workspace({});
  const text = flowOf("    asert: []\n");
  const stdin = "this is no message\n" + messages(INITIALIZE, {
    id: 2,
    method: "tools/call",
    params: { name: "validate", arguments: { flow: { text } } },
  });
  const { code, stdout } = await bench(["mcp", folder.path], { stdin });
  equal(code, 0);
  const [refused, first, second] = stdout.trim().split("\n").map((each) =>
    JSON.parse(each)
  );
  equal(refused.error.code, -32700);
  equal(first.result.serverInfo.name, "bench");
  match(second.result.content[0].text, /flow\.yaml:5:5: error/);
});

Deno.test("mcp: a last line that no newline ends has its response too", async () => {
  using folder = workspace({});
  const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
  for (
    const [last, id, code] of [[ping, 7, undefined], [
      "{",
      null,
      -32700,
    ]] as const
  ) {
    const stdin = messages(INITIALIZE) + last;
    const { code: exit, stdout } = await bench(["mcp", folder.path], { stdin });
    equal(exit, 0);
    const response = JSON.parse(stdout.trim().split("\n")[1] ?? "{}");
    deepEqual([response.id, response.error?.code], [id, code], last);
  }
});

Deno.test("mcp: a message that is too long is an error, and ends the server with exit code 2", async () => {
  using folder = workspace({});
  const stdin = messages(INITIALIZE) + "x".repeat((10 << 20) + 1);
  const { code, stdout } = await bench(["mcp", folder.path], { stdin });
  equal(code, 2);
  const [first, refused] = stdout.trim().split("\n").map((each) =>
    JSON.parse(each)
  );
  equal(first.id, 1);
  deepEqual([refused.id, refused.error.code], [null, -32700]);
  match(refused.error.message, /at most 10485760 bytes/);
});

for (
  const [how, expected] of [["the end of the input", 0], [
    "SIGTERM",
    143,
  ]] as const
) {
  Deno.test(`mcp: ${how} ends a run, and its results are stored`, async () => {
    await using server = recordingServer();
    using folder = workspace({
      "targets/here.yaml": targetOf(server, CEILINGS),
    });
    const head = "profile: { mode: load, vus: 1, hold: 10m }\n";
    const child = spawnBench(["mcp", folder.path, "--allow-load"], {
      stdin: "",
    });
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(messages(INITIALIZE, {
      id: 2,
      method: "tools/call",
      params: {
        name: "run",
        arguments: { flow: { text: flowOf("", head) }, target: "here" },
      },
    })));
    await server.arrival(3);
    if (expected === 0) await writer.close();
    else child.kill("SIGTERM");
    const { code, stdout } = await resultOf(child.output());
    await writer.close().catch(() => {});
    equal(code, expected);
    match(stdout, /"status":"interrupted"/);
    const store = join(folder.path, ".bench/runs");
    const [run] = [...Deno.readDirSync(store)];
    const meta = JSON.parse(
      Deno.readTextFileSync(join(store, run!.name, "meta.json")),
    );
    equal(meta.status, "interrupted");
  });
}

Deno.test("mcp: a folder that is none, and flags that are wrong, are refused at the start", async () => {
  using folder = workspace({ "a.txt": "" });
  const rows: [args: string[], why: RegExp][] = [
    [["nowhere"], /cannot use the folder nowhere: it does not exist/],
    [[join(folder.path, "a.txt")], /is a file, not a folder/],
    [[folder.path, "--cert", "x.pem"], /--cert: error: it needs --key/],
    [[folder.path, "--env-file", "none"], /cannot read the file of variables/],
  ];
  for (const [args, why] of rows) {
    const { code, stdout, stderr } = await bench(["mcp", ...args]);
    equal(code, 2, stderr);
    match(stderr, why);
    equal(stdout, "");
  }
});
