import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";
import { freePort } from "../support/free_port.ts";
import { follow } from "../support/live_command.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { type RunFixture, runFixture } from "../support/run_fixture.ts";

const BROWSE = `version: 1
flow: browse
cookies: vu
values: { number: counter, id: uuid }
profile: { mode: stress, vus: 50, hold: 9m }
steps:
  - id: search
    call: GET /search?n={{ number }}&id={{ id }}
    assert: [status == 200]
`;
const BUY = `version: 1
flow: buy
cookies: vu
pools:
  user: { path: users.csv, on_exhausted: cycle }
values: { number: counter, id: uuid }
steps:
  - id: search
    call: GET /stock?n={{ number }}&id={{ id }}
  - id: order
    call: POST /orders?by={{ user.name }}
`;
const MIX = `version: 1
mix: evening
flows:
  - { flow: flows/browse.bench.yaml, weight: 70 }
  - { flow: flows/buy.bench.yaml, weight: 30 }
profile:
  mode: load
  vus: 8
  iterations: 200
  thresholds:
    - "browse: error_rate < 1%"
    - "buy: throttle_rate < 1%"
    - "buy: p95(latency) < 5s"
    - "browse/search: p95(latency) < 5s"
`;
const FILES = {
  "flows/browse.bench.yaml": BROWSE,
  "flows/buy.bench.yaml": BUY,
  "flows/users.csv": "name\nann\nbob\ncid\n",
};

/** A mix, and the server that it goes to; every response sets a cookie of its flow. */
function opened(flow = MIX) {
  const server = recordingServer(({ line }) => {
    const name = line.startsWith("GET /search") ? "browse" : "buy";
    return rawResponse(200, {}, { "Set-Cookie": `${name}=1; Path=/` });
  });
  const fixture = runFixture({ flow, url: server.url, files: FILES });
  return {
    server,
    fixture,
    lines: () => server.arrivals.map(({ line }) => line),
    async [Symbol.asyncDispose]() {
      fixture[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function count(lines: readonly string[], start: string): number {
  return lines.filter((each) => each.startsWith(start)).length;
}

Deno.test("mix: one user meets the shares in every hundred iterations, wherever they begin", async () => {
  await using run = opened();
  const { code, meta } = await run.fixture.run(["--vus", "1"]);
  equal(code, 0);
  // The first step of each iteration.
  const begun = run.lines().filter((each) => !each.startsWith("POST"));
  equal(begun.length, 200);
  for (let from = 0; from <= 100; from++) {
    equal(count(begun.slice(from, from + 100), "GET /search"), 70);
  }
  deepStrictEqual(
    meta.flows!.map(({ name, weight, iterations }) => [
      name,
      weight,
      iterations.completed,
      iterations.passed,
    ]),
    [["browse", 70, 140, 140], ["buy", 30, 60, 60]],
  );
  deepStrictEqual(meta.steps.map(({ id, passed }) => [id, passed]), [
    ["browse/search", 140],
    ["buy/search", 60],
    ["buy/order", 60],
  ]);
});

Deno.test("mix: threads share it; users keep their connections, each flow its values, rows and cookies", async () => {
  await using run = opened();
  const { code, stdout, stderr } = await run.fixture.run(["--workers", "3"]);
  equal(code, 0, stdout);
  match(stderr, /warning: the profile of `browse` has no effect here/);
  const lines = run.lines();
  equal(count(lines, "GET /search"), 140);
  equal(count(lines, "GET /stock"), 60);
  ok(run.server.accepted <= 8, "a connection a user");
  const numbers = (path: string) =>
    lines.flatMap((each) => each.match(`^GET ${path}\\?n=(\\d+)`)?.[1] ?? [])
      .map(Number).sort((a, b) => a - b);
  deepStrictEqual(numbers("/search"), upTo(140));
  deepStrictEqual(numbers("/stock"), upTo(60));
  const ids = lines.flatMap((each) => each.match(/&id=(.*)/)?.[1] ?? []);
  equal(new Set(ids).size, 200, "no flow draws what another drew");
  for (const name of ["ann", "bob", "cid"]) {
    equal(count(lines, `POST /orders?by=${name}`), 20);
  }
  for (const { line, text } of run.server.arrivals) {
    const sent = /^cookie: (.*)$/im.exec(text)?.[1] ?? "";
    const other = line.startsWith("GET /search") ? "buy" : "browse";
    ok(!sent.includes(other), `${line} sent ${sent}`);
  }
  match(stdout, /flows, by the time of an iteration/);
  match(stdout, /✓ held {6}buy: throttle_rate < 1% +0% \(0 of 60\)/);
});

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

const ENV = { BENCH_SHARD_TOKEN: "a-token-of-thirty-two-characters" };

for (const count of [3, 8]) {
  Deno.test(`mix: ${count} shards have its shares together`, async () => {
    await using run = opened(MIX.replace("vus: 8", "vus: 16"));
    const port = freePort();
    const shards = Array.from(
      { length: count },
      (_, index) => startShard(run.fixture, `${index}/${count}`, port),
    );
    const [lead, ...others] = await Promise.all(
      shards.map((each) => each.ended()),
    );
    for (const each of others) equal(each.code, 0, each.stderr);
    const { code, meta } = run.fixture.found(lead!);
    equal(code, 0);
    deepStrictEqual(
      meta.flows!.map(({ iterations }) => iterations.completed),
      [140, 60],
    );
    const lines = run.lines();
    const numbers = lines.flatMap((each) =>
      each.match(/^GET \/stock\?n=(\d+)/)?.[1] ?? []
    );
    deepStrictEqual(numbers.map(Number).sort((a, b) => a - b), upTo(60));
  });
}

function startShard(fixture: RunFixture, place: string, port: number) {
  const lead = ["--lead", `127.0.0.1:${port}`, "--quiet", "--workers", "1"];
  return follow(fixture.start(["--shard", place, ...lead], { env: ENV }));
}

Deno.test("mix: an open loop has the shares too", async () => {
  await using run = opened();
  const { code, meta } = await run.fixture.run(["--rate", "400/s"]);
  equal(code, 0);
  deepStrictEqual(
    meta.flows!.map(({ iterations }) => iterations.completed),
    [140, 60],
  );
});

Deno.test("mix: a functional run runs each flow once a row, and its report names the flow", async () => {
  await using run = opened();
  const args = ["--mode", "integration", "--junit", "r.xml"];
  const { code, stdout, meta } = await run.fixture.run(args);
  equal(code, 0, stdout);
  deepStrictEqual(
    meta.rows!.map(({ flow, row_name }) => [flow, row_name]),
    [
      ["browse", undefined],
      ["buy", "ann"],
      ["buy", "bob"],
      ["buy", "cid"],
    ],
  );
  match(stdout, /✓ passed +browse, iteration 1/);
  match(stdout, /✓ passed +buy, row 2 bob/);
  const xml = Deno.readTextFileSync(`${run.fixture.path}/r.xml`);
  match(xml, /testcase[^>]*name="buy, row 1 ann"/);
});

Deno.test("mix: a stored iteration is replayed as one of its flow", async () => {
  await using run = opened();
  const { dir } = await run.fixture.run(["--vus", "1"]);
  const index = JSON.parse(Deno.readTextFileSync(`${dir}/traces.json`));
  const before = run.lines();
  for (const { trace_id, steps, iteration } of index.traces.slice(0, 4)) {
    const from = run.lines().length;
    const { code, stdout } = await bench(
      ["replay", dir, trace_id, "--target", "target.yaml"],
      { cwd: run.fixture.path },
    );
    equal(code, 0, stdout);
    match(stdout, /every exchange is the same/);
    const [first] = run.lines().slice(from);
    ok(before.includes(first!), `${first} ${steps} ${iteration}`);
  }
});

Deno.test("mix: what fails points at the file of its flow", async () => {
  await using run = opened();
  Deno.writeTextFileSync(
    `${run.fixture.path}/flows/browse.bench.yaml`,
    BROWSE.replace("status == 200", "status == 204"),
  );
  const { code, stdout, meta } = await run.fixture.run();
  equal(code, 1);
  const [failure] = meta.failures;
  equal(failure!.step, "browse/search");
  equal(failure!.count, 140);
  equal(failure!.file, "flows/browse.bench.yaml");
  equal(failure!.line, 9);
  match(stdout, /✗ breached +browse: error_rate < 1% +100% \(140 of 140\)/);
});

/** Each flow makes a shop of its own, whose id the server gives. */
function withShop(flow: string): string {
  return `version: 1
flow: ${flow}
setup:
  - id: make
    call: POST /shops/${flow}
    extract: { shop: $.id }
steps:
  - id: look
    call: GET /look/${flow}/{{ shop }}
teardown:
  - id: drop
    call: DELETE /shops/${flow}/{{ shop }}
`;
}

Deno.test("mix: setup and teardown of each flow are carried out once, and their variables are its own", async () => {
  const server = recordingServer(({ line, index }) =>
    line.startsWith("POST")
      ? rawResponse(201, { id: `s${index}` })
      : rawResponse(200)
  );
  await using _ = server;
  const plain =
    "version: 1\nflow: plain\nsteps:\n  - { id: look, call: GET /plain }\n";
  using fixture = runFixture({
    flow: `version: 1
mix: shops
flows:
  - { flow: a.yaml, weight: 1 }
  - { flow: plain.yaml, weight: 1 }
  - { flow: b.yaml, weight: 2 }
profile: { mode: load, vus: 3, iterations: 40 }
`,
    url: server.url,
    files: {
      "a.yaml": withShop("a"),
      "b.yaml": withShop("b"),
      "plain.yaml": plain,
    },
  });
  const { code, meta, stdout } = await fixture.run(["--workers", "2"]);
  equal(code, 0, stdout);
  const lines = server.arrivals.map(({ line }) => line);
  deepStrictEqual(lines.slice(0, 2), ["POST /shops/a", "POST /shops/b"]);
  deepStrictEqual(lines.slice(-2), [
    "DELETE /shops/a/s0",
    "DELETE /shops/b/s1",
  ]);
  equal(count(lines, "GET /look/a/s0"), 10);
  equal(count(lines, "GET /look/b/s1"), 20);
  equal(lines.length, 44);
  deepStrictEqual(
    [meta.setup, meta.teardown].map((each) =>
      each!.steps.map(({ id, outcome }) => `${id} ${outcome}`)
    ),
    [
      ["a/make passed", "b/make passed"],
      ["a/drop passed", "b/drop passed"],
    ],
  );
});

Deno.test("mix: a setup that fails ends the run before its load, and the flows after it are not set up", async () => {
  const server = recordingServer(() => rawResponse(500));
  await using _ = server;
  using fixture = runFixture({
    flow: `version: 1
mix: shops
flows:
  - { flow: a.yaml, weight: 1 }
  - { flow: b.yaml, weight: 1 }
profile: { mode: load, vus: 3, iterations: 40 }
`,
    url: server.url,
    files: { "a.yaml": withShop("a"), "b.yaml": withShop("b") },
  });
  const { code, meta } = await fixture.run();
  equal(code, 1);
  deepStrictEqual(server.arrivals.map(({ line }) => line), ["POST /shops/a"]);
  deepStrictEqual(
    meta.setup!.steps.map(({ id, outcome }) => [id, outcome]),
    [["a/make", "failed"], ["b/make", null]],
  );
  equal(meta.setup!.failures[0]!.file, "a.yaml");
});

Deno.test("mix: more steps than a stored run may have are refused", async () => {
  const steps = Array.from(
    { length: 1_000 },
    (_, i) => `  - { id: s${i}, wait: 1ms }\n`,
  );
  const names = Array.from({ length: 6 }, (_, i) => `f${i}`);
  const mixOf = (some: readonly string[]) =>
    `version: 1\nmix: large\nflows:\n${
      some.map((name) => `  - { flow: ${name}.yaml, weight: 1 }\n`).join("")
    }profile: { mode: load, vus: 1, iterations: 1 }\n`;
  using folder = workspace({
    ...Object.fromEntries(
      names.map((name) => [
        `${name}.yaml`,
        `flow: ${name}\nsteps:\n${steps.join("")}`,
      ]),
    ),
    "large.yaml": mixOf(names),
    "small.yaml": mixOf(names.slice(1)),
  });
  const validate = (file: string) =>
    bench(["validate", file], { cwd: folder.path });
  const large = await validate("large.yaml");
  equal(large.code, 2, large.stdout);
  match(
    large.stderr,
    /^large\.yaml:4:3: error: the flows of a mix have at most 5000 steps together, but these have 6000$/m,
  );
  equal((await validate("small.yaml")).code, 0);
});
