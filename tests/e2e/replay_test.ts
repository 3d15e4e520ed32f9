import assert from "node:assert/strict";
import { join } from "node:path";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";
import { freePort } from "../support/free_port.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { runFixture } from "../support/run_fixture.ts";
import { wsServer } from "../support/ws_server.ts";

Deno.test("bench replay carries the failed row out once more, and shows the exchange that differs", async () => {
  await using target = await demoTarget();
  using folder = workspace({
    "targets/demo.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
    "elsewhere/staging.yaml": `name: other\nbase_urls: [${target.url}]\n`,
    "rows.csv": "key,fail\nfine,0\nonce,1\n",
    "a.bench.yaml": `flow: a
data: rows.csv
steps:
  - { id: item, call: "GET /items/42" }
  - { id: flaky, call: "GET /flaky?key={{ user.key }}&fail={{ user.fail }}" }
`,
  });
  const at = { cwd: folder.path };
  const run = await bench(
    ["run", "a.bench.yaml", "--target", "demo", "--store", "runs", "--json"],
    at,
  );
  assert.equal(run.code, 1, run.stderr);
  const { id } = JSON.parse(run.stdout);
  const again = await bench(["replay", id, "--store", "runs"], at);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /^iteration 2 {2}failed before, passed now\n/);
  assert.match(
    again.stdout,
    /first difference: status of exchange 2, step flaky\n/,
  );
  assert.match(again.stdout, /\n! {3}HTTP\/1.1 503 .* \| HTTP\/1.1 200 OK\n/);
  const line = ["run", "a.bench.yaml", "--target", "elsewhere/staging.yaml"];
  const driven = ["--http", "1.1", "--traceparent"];
  const byFile = await bench([...line, "--store", "runs", ...driven], at);
  assert.match(
    byFile.stdout,
    /^ {2}driven by {2}--http 1\.1 {2}--traceparent$/m,
  );
  const [, dir] = /^ {2}run {2}(.*)$/m.exec(byFile.stdout)!;
  const meta = JSON.parse(
    Deno.readTextFileSync(join(folder.path, dir!, "meta.json")),
  );
  assert.equal(meta.target_file, "elsewhere/staging.yaml");
  assert.deepEqual(meta.options, { http: "1.1", traceparent: true });
  const found = await bench(["replay", dir!], at);
  assert.equal(found.code, 0, found.stderr);
  using other = workspace({});
  const far = await bench(["replay", join(folder.path, dir!)], {
    cwd: other.path,
  });
  assert.equal(far.code, 2);
  assert.match(
    far.stderr,
    /the target `other` of run `.*` was read from elsewhere\/staging\.yaml, which is not there from this folder\n {2}= give a target: --target <name\|file>/,
  );
  const none = await bench(["replay", id, "ffff", "--store", "runs"], at);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /has no trace `ffff`/);
});

Deno.test("a flow in which values of the environment are written too is replayed and compared as it is", async () => {
  await using target = await demoTarget();
  using folder = workspace({
    "targets/demo.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
    "acme.bench.yaml": `flow: acme
steps:
  - id: s1
    call: "GET /items/1?tenant=acme&n={{ env.N }}&also={{ env.TENANT }}"
  - id: acme_2
    call: GET /items/2
    assert: [status == 200, $.id == 2, $.id != 1, $.id == acme]
`,
  });
  const env = { N: "1", TENANT: "acme" };
  const at = { cwd: folder.path, env };
  const store = ["--store", "runs"];
  const flow = ["acme.bench.yaml", "--target", "demo"];
  const run = await bench(["run", ...flow, ...store, "--json"], at);
  assert.equal(run.code, 1, run.stderr);
  const meta = JSON.parse(run.stdout);
  const [failure] = meta.failures;
  assert.equal(failure.step, "acme_2");
  assert.match(failure.message, /^\$\.id == "acme" does not hold: \$\.id is/);
  assert.match(failure.key, /^acme_2\|assertion\|\$\.id == "acme"/);
  assert.deepEqual(
    meta.steps.map(({ id }: { id: string }) => id),
    ["s1", "acme_2"],
  );
  const dir = `${folder.path}/runs/${meta.id}`;
  const stored = await Deno.readTextFile(`${dir}/flow.json`);
  const compiled = await bench(["compile", "acme.bench.yaml"], at);
  assert.equal(stored, compiled.stdout.trimEnd());
  const { traces } = JSON.parse(await Deno.readTextFile(`${dir}/traces.json`));
  const spans: { name: string; request?: { line: string } }[] = traces[0].spans;
  assert.ok(spans.some(({ name }) => name === "acme_2.assert@3"));
  assert.equal(
    spans.find(({ request }) => request)!.request!.line,
    "GET /items/[redacted]?tenant=[redacted]&n=[redacted]&also=[redacted] HTTP/1.1",
  );
  const again = await bench(["replay", meta.id, ...store], at);
  assert.equal(again.code, 1, again.stderr);
  assert.match(
    again.stdout,
    /failed before, failed now\n.*\n +every exchange is the same/,
  );
});

Deno.test("bench replay ends as the iteration does, and names a teardown that did not pass", async () => {
  let status = 500;
  await using server = recordingServer(({ line }) =>
    rawResponse(line === "DELETE /tenant" ? 500 : status)
  );
  using fixture = runFixture({
    flow: `version: 1
flow: cleaned
profile: { thresholds: ["p95(latency) < 1us"] }
steps: [{ id: work, call: GET /work }]
teardown: [{ id: remove, call: DELETE /tenant }]
`,
    url: server.url,
  });
  await fixture.run();
  const replay = () =>
    bench(["replay", "latest", "--store", "runs"], { cwd: fixture.path });
  const failed = await replay();
  assert.equal(failed.code, 1, failed.stderr);
  status = 200;
  const { code, stdout, stderr } = await replay();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^iteration 1 {2}failed before, passed now\n/);
  const prose = stdout.replaceAll(/\s+/g, " ");
  const note = "note: `teardown` did not pass: step `remove`: response status";
  assert.ok(prose.includes(note), prose);
});

Deno.test("bench replay of a WebSocket session does not part at the key of its handshake", async () => {
  await using server = await wsServer({
    session: ({ socket }) =>
      socket.on("message", (data) => socket.send(`${data}`)),
  });
  using fixture = runFixture({
    flow: `flow: chat
steps:
  - { id: open, ws: { url: / } }
  - { id: ask, ws: { send: { n: 1 }, receive: } }
`,
    url: server.url,
  });
  await fixture.run();
  const words = ["replay", "latest", "--store", "runs"];
  const { stdout, stderr } = await bench(words, { cwd: fixture.path });
  assert.match(stdout, /every exchange is the same/, stderr);
});

Deno.test("bench replay compares the part of a long body that is stored, and its length", async () => {
  let text = "long ".repeat(20_000);
  await using server = recordingServer(() => rawResponse(200, text));
  using fixture = runFixture({
    flow: `version: 1
flow: long
steps: [{ id: send, call: POST /send, file: sent.txt }]
`,
    url: server.url,
    files: { "sent.txt": text },
  });
  await fixture.run();
  const replay = async () => {
    const words = ["replay", "latest", "--store", "runs"];
    return (await bench(words, { cwd: fixture.path })).stdout;
  };
  assert.match(await replay(), /every exchange is the same/);
  text += "er";
  assert.match(await replay(), /first difference: body of exchange 1/);
});

Deno.test("bench replay shows a long body and a long line where they differ, and no date as a difference", async () => {
  let count = 0;
  await using server = recordingServer(() => {
    count++;
    const members = Array.from({ length: 40 }, (_, at) => [`k${at}`, at]);
    const long = `${"x".repeat(200)} ${count} end`;
    return rawResponse(
      200,
      JSON.stringify({ ...Object.fromEntries(members), count, long, z: 1 }),
      { date: new Date(count * 1e10).toUTCString() },
    );
  });
  using fixture = runFixture({
    flow: `flow: long
steps: [{ id: list, call: GET /list }]
`,
    url: server.url,
  });
  await fixture.run();
  const { stdout } = await bench(["replay", "latest", "--store", "runs"], {
    cwd: fixture.path,
  });
  assert.match(stdout, /\n {4}date: .* \| date: /);
  assert.match(stdout, /\n {4}\.\.\. 38 more lines +\| \.\.\. 38 more lines\n/);
  assert.match(stdout, /\n! {5}"count": 1, +\| {3}"count": 2,\n/);
  assert.match(stdout, /\n! {3}…x+ 1 end", +\| …x+ 2 end",\n/);
  assert.match(stdout, /\n {4}\} +\| \}\n$/);
});

Deno.test("bench replay asks for a target where that of the run was made by a program", async () => {
  await using server = recordingServer(() => rawResponse(200));
  using folder = workspace({});
  await using client = new RpcClient();
  const ran = await client.ask(1, "run", {
    flow: {
      document: {
        value: { flow: "f", steps: [{ id: "a", call: "GET /" }] },
      },
    },
    target: server.url,
    store: `${folder.path}/runs`,
  });
  assert.equal(ran.error, undefined);
  const words = ["replay", "latest", "--store", "runs"];
  const { code, stderr } = await bench(words, { cwd: folder.path });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /the target `inline` of run `.*` was made by a program, and its hosts are not stored\n {2}= give a target: --target/,
  );
});

Deno.test("bench replay says which step of setup did not pass, and ends with 1", async () => {
  let status = 200;
  await using server = recordingServer(() => rawResponse(status));
  using fixture = runFixture({
    flow: `version: 1
flow: begun
setup: [{ id: login, call: POST /login }]
steps: [{ id: work, call: GET /work }]
`,
    url: server.url,
    files: {
      "gone.yaml":
        `name: gone\nbase_urls: ["http://127.0.0.1:${freePort()}"]\n`,
    },
  });
  await fixture.run();
  const replay = async (...flags: readonly string[]) => {
    const words = ["replay", "latest", "--store", "runs", ...flags];
    const { code, stderr } = await bench(words, { cwd: fixture.path });
    assert.equal(code, 1, stderr);
    return stderr.replaceAll(/\s+/g, " ");
  };
  const begins = "the iteration was not replayed: `setup` did not pass: " +
    "step `login`: ";
  status = 503;
  const failed = await replay();
  assert.ok(failed.includes(`${begins}response status was 503`), failed);
  const refused = await replay("--target", "gone.yaml");
  assert.ok(refused.includes(begins), refused);
  assert.match(refused, /refused/);
});
