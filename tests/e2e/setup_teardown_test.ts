import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
  ok,
} from "node:assert/strict";
import { join } from "node:path";
import { bench } from "../support/bench.ts";
import { freePort } from "../support/free_port.ts";
import { follow } from "../support/live_command.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import {
  type FixtureRun,
  type RunFixture,
  runFixture,
  runIds,
} from "../support/run_fixture.ts";

const TOKEN = "tok-0a1b2c3d4e5f";
const LOGIN = { token: TOKEN, tenant: "acme" };

/** A server that gives one token, and logs every request with its credential. */
function shop(status: (line: string) => number = () => 200) {
  return recordingServer(({ line }) =>
    rawResponse(
      status(line),
      line.startsWith("POST /login") ? LOGIN : { seen: TOKEN },
    )
  );
}

const HEAD = `version: 1
flow: shop
`;
const SETUP = `setup:
  - id: login
    call: POST /login
    extract: { token: $.token, tenant: $.tenant }
`;
const STEPS = `steps:
  - id: list
    call: GET /{{ tenant }}/items
    auth: { scheme: bearer, token: "{{ token }}" }
`;
const TEARDOWN = `teardown:
  - id: remove
    call: DELETE /{{ tenant }}
  - id: logout
    call: POST /logout
    auth: { scheme: bearer, token: "{{ token }}" }
`;

/** Requests in order, each with its credential. */
function requests(
  { arrivals }: { readonly arrivals: readonly { readonly text: string }[] },
): string[] {
  return arrivals.map(({ text }) => {
    const [, line] = /^(\S+ \S+)/.exec(text)!;
    const [, token = ""] = /^authorization: (.*)\r$/im.exec(text) ?? [];
    return `${line} ${token}`.trim();
  });
}

function counted(lines: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Map.groupBy(lines, (line) => line).entries()
      .map(([line, all]) => [line, all.length]),
  );
}

/** What is carried out once, in order, and everything between by how often. */
function isOnce(lines: readonly string[], iterations: number): void {
  equal(lines[0], "POST /login");
  deepStrictEqual(lines.slice(-2), [
    "DELETE /acme",
    `POST /logout Bearer ${TOKEN}`,
  ]);
  deepStrictEqual(counted(lines.slice(1, -2)), {
    [`GET /acme/items Bearer ${TOKEN}`]: iterations,
  });
}

function hasNoToken(run: FixtureRun, fixture: RunFixture): void {
  ok(!(run.stdout + run.stderr).includes(TOKEN));
  for (const id of runIds(join(fixture.path, "runs"))) {
    const dir = join(fixture.path, "runs", id);
    for (const { name } of Deno.readDirSync(dir)) {
      const text = Deno.readTextFileSync(join(dir, name));
      ok(!text.includes(TOKEN), `${name} holds the token`);
    }
  }
}

Deno.test("setup is carried out once before, teardown once after, in every mode and on every thread", async () => {
  const modes = [
    ["", [], 1],
    ["data: rows.csv\n", [], 3],
    ["profile: { mode: load, vus: 4, iterations: 40 }\n", [
      "--workers",
      "2",
    ], 40],
    [
      "profile: { mode: load, vus: 2, arrival_cap: 40/s, iterations: 20 }\n",
      [],
      20,
    ],
  ] as const;
  for (const [profile, args, iterations] of modes) {
    await using server = shop();
    using fixture = runFixture({
      flow: HEAD + profile + SETUP + STEPS + TEARDOWN,
      url: server.url,
      files: { "rows.csv": "n\n1\n2\n3\n" },
    });
    const run = await fixture.run(args);
    equal(run.code, 0, run.stdout + run.stderr);
    isOnce(requests(server), iterations);
    const { setup, teardown, steps } = run.meta;
    equal(run.meta.iterations.completed, iterations);
    deepStrictEqual(steps.map(({ id }) => id), ["list"], "no figure of them");
    equal(run.meta.requests, iterations);
    equal(setup?.outcome, "passed");
    deepStrictEqual(
      teardown?.steps.map(({ id, outcome }) => [id, outcome]),
      [["remove", "passed"], ["logout", "passed"]],
    );
    equal(teardown?.requests, 2);
    hasNoToken(run, fixture);
    const [before, after] = [setup, teardown].map((once) =>
      run.traces.find(({ trace_id }) => trace_id === once?.trace_id)
    );
    ok(before && before.start_us < 0, "before the times of the run");
    ok(after && after.start_us > 0);
    deepStrictEqual([before.once, after.once], ["setup", "teardown"]);
    const shown = JSON.stringify(run.traces);
    ok(shown.includes("[redacted]") && shown.includes("acme"));
  }
});

Deno.test("a setup that does not pass ends the run before its load, and teardown still cleans up", async () => {
  for (
    const profile of [
      "",
      "profile: { mode: load, vus: 4, hold: 60s }\n",
      "profile: { mode: load, vus: 4, hold: 60s, warm_up: 9s }\n",
    ]
  ) {
    await using server = shop((line) => line.includes("/tenants") ? 503 : 200);
    const setup = `${SETUP}  - id: tenant
    call: POST /tenants
    extract: { id: $.id }
  - id: never
    call: POST /never
`;
    const more = `  - id: drop
    call: DELETE /tenants/{{ id }}
`;
    using fixture = runFixture({
      flow: HEAD + profile + setup + STEPS + TEARDOWN + more,
      url: server.url,
    });
    const junit = join(fixture.path, "junit.xml");
    const run = await fixture.run(["--junit", junit]);
    equal(run.code, 1, run.stdout + run.stderr);
    deepStrictEqual(requests(server), [
      "POST /login",
      "POST /tenants",
      "DELETE /acme",
      `POST /logout Bearer ${TOKEN}`,
    ]);
    equal(run.meta.status, "aborted");
    match(
      run.meta.abort_reason!,
      /^`setup` did not pass: step `tenant`: response status was 503/,
    );
    deepStrictEqual(
      run.meta.setup?.steps.map(({ outcome }) => outcome),
      ["passed", "failed", null],
    );
    equal(run.meta.setup?.failures[0]?.line, 7 + Number(profile !== ""));
    equal(run.meta.teardown?.outcome, "passed", "its last step has no `id`");
    deepStrictEqual(run.meta.thresholds, []);
    match(run.stdout, /setup {5}✗ failed {2}3 steps/);
    equal(run.meta.warm_up, undefined);
    doesNotMatch(run.stdout, /warm-up/, "it never began");
    const xml = Deno.readTextFileSync(junit);
    match(xml, /<testcase [^>]*name="setup: login" time="[\d.]+"\/>/);
    match(xml, /name="setup: tenant"[^>]*>\s*<failure message="response sta/);
    match(xml, /name="setup: never"[^>]*>\s*<skipped message="not begun"/);
    match(xml, /name="teardown: logout" time="[\d.]+"\/>/);
  }
});

Deno.test("a teardown carries out each of its steps, and fails the run when one does not pass", async () => {
  await using server = shop((line) => line.startsWith("DELETE") ? 500 : 200);
  using fixture = runFixture({
    flow: HEAD + SETUP + STEPS + TEARDOWN,
    url: server.url,
  });
  const markdown = join(fixture.path, "run.md");
  const run = await fixture.run(["--report-md", markdown]);
  equal(run.code, 1);
  equal(requests(server).length, 4);
  equal(run.meta.status, "finished");
  equal(run.meta.verdict, "fail");
  equal(run.meta.thresholds.every(({ pass }) => pass), true);
  match(
    run.meta.notes.join("\n"),
    /^`teardown` did not pass: step `remove`: response status was 500/m,
  );
  const shared = Deno.readTextFileSync(markdown);
  match(shared, /`teardown` failed: 2 steps, /);
  for (const text of [run.stdout, shared]) {
    equal(text.split("did not pass: step").length, 2, text);
  }
});

const LOAD = "profile: { mode: load, vus: 2, hold: 60s }\n";

Deno.test("SIGINT: teardown follows the iterations under way, a second one leaves it out", async () => {
  for (const twice of [false, true]) {
    const never = Promise.withResolvers<undefined>();
    await using server = recordingServer(({ line }) =>
      twice && line.startsWith("DELETE")
        ? never.promise
        : rawResponse(200, LOGIN)
    );
    using fixture = runFixture({
      flow: HEAD + LOAD + SETUP + STEPS + TEARDOWN,
      url: server.url,
    });
    const command = follow(fixture.start());
    await server.arrival(10);
    command.process.kill("SIGINT");
    await command.said(
      "stopping: letting iterations under way finish, then `teardown`; again to stop now, without it",
    );
    if (twice) {
      while (!server.arrivals.some(({ line }) => line.startsWith("DELETE"))) {
        await server.arrival(server.arrivals.length);
      }
      command.process.kill("SIGINT");
    }
    const run = fixture.found(await command.ended());
    never.resolve(undefined);
    equal(run.code, 130);
    equal(run.meta.status, "interrupted");
    equal(run.meta.teardown?.outcome, twice ? "interrupted" : "passed");
    equal(requests(server).at(-1)?.startsWith("POST /logout"), !twice);
    const note = "`teardown` was broken off by a second signal: " +
      "1 request sent, the last of step `remove`, left out: `logout`";
    equal(run.meta.notes.includes(note), twice, run.meta.notes.join());
    if (twice) equal(run.meta.teardown?.requests, 1);
  }
});

Deno.test("SIGINT during teardown: it goes on, and the signal is said to end nothing else", async () => {
  const latch = Promise.withResolvers<void>();
  await using server = recordingServer(async ({ line }) => {
    if (line.startsWith("DELETE")) await latch.promise;
    return rawResponse(200, LOGIN);
  });
  using fixture = runFixture({
    flow: HEAD + SETUP + STEPS + TEARDOWN,
    url: server.url,
  });
  const command = follow(fixture.start());
  while (!server.arrivals.some(({ line }) => line.startsWith("DELETE"))) {
    await server.arrival(server.arrivals.length);
  }
  command.process.kill("SIGINT");
  await command.said(
    "stopping: `teardown` goes on; again to stop now, without the rest of it",
  );
  latch.resolve();
  const run = fixture.found(await command.ended());
  equal(run.code, 130);
  equal(run.meta.teardown?.outcome, "passed");
  equal(requests(server).at(-1)?.startsWith("POST /logout"), true);
});

Deno.test("SIGINT during setup: no iteration begins, teardown is carried out", async () => {
  const latch = Promise.withResolvers<void>();
  await using server = recordingServer(async () => {
    await latch.promise;
    return rawResponse(200, LOGIN);
  });
  using fixture = runFixture({
    flow: HEAD + LOAD + SETUP + STEPS + TEARDOWN,
    url: server.url,
  });
  const command = follow(fixture.start());
  await server.arrival(0);
  command.process.kill("SIGINT");
  await command.said("stopping: no iteration begins; again to stop now");
  latch.resolve();
  const run = fixture.found(await command.ended());
  equal(run.code, 130);
  deepStrictEqual(
    requests(server).map((line) => line.split(" ", 2).join(" ")),
    [
      "POST /login",
      "DELETE /acme",
      "POST /logout",
    ],
  );
  equal(run.meta.iterations.started, 0);
});

Deno.test("SIGINT twice during setup: its request is said to be cut off by the end of the run", async () => {
  const never = Promise.withResolvers<undefined>();
  await using server = recordingServer(() => never.promise);
  using fixture = runFixture({
    flow: HEAD + LOAD + SETUP + STEPS,
    url: server.url,
  });
  const command = follow(fixture.start());
  await server.arrival(0);
  command.process.kill("SIGINT");
  await command.said("stopping: no iteration begins; again to stop now");
  command.process.kill("SIGINT");
  const run = fixture.found(await command.ended());
  never.resolve(undefined);
  equal(run.code, 130);
  equal(run.meta.setup?.outcome, "interrupted");
  equal(
    run.meta.setup?.failures[0]?.message,
    "The run was stopped before the response was complete",
  );
});

Deno.test("--stop-on-breach: teardown follows; replay: setup and teardown are carried out again", async () => {
  await using server = shop((line) => line.includes("items") ? 500 : 200);
  using fixture = runFixture({
    flow: HEAD +
      "profile: { mode: load, vus: 2, iterations: 100000, hold: 60s, arrival_cap: 200/s, thresholds: [error_rate < 0.01%] }\n" +
      SETUP + STEPS + TEARDOWN,
    url: server.url,
  });
  const run = await fixture.run(["--stop-on-breach"]);
  equal(run.code, 1);
  equal(run.meta.status, "aborted");
  equal(run.meta.teardown?.outcome, "passed");
  const before = server.arrivals.length;
  const replayed = await bench(
    ["replay", run.meta.id, "--store", "runs", "--target", "target.yaml"],
    { cwd: fixture.path },
  );
  equal(replayed.code, 1, replayed.stdout + replayed.stderr);
  match(replayed.stdout, /every exchange is the same/);
  isOnce(requests(server).slice(before), 1);
});

Deno.test("--shard: the lead alone carries them out, every shard has the variables and hides the secret", async () => {
  await using server = shop();
  using fixture = runFixture({
    flow: HEAD + "profile: { mode: load, vus: 4, iterations: 60 }\n" + SETUP +
      STEPS + TEARDOWN,
    url: server.url,
  });
  const env = { BENCH_SHARD_TOKEN: "a-token-of-thirty-two-characters" };
  const lead = `127.0.0.1:${freePort()}`;
  const shards = [0, 1].map((index) =>
    follow(fixture.start(
      ["--shard", `${index}/2`, "--lead", lead, "--quiet", "--workers", "1"],
      { env },
    ))
  );
  const [first, second] = await Promise.all(shards.map((each) => each.ended()));
  equal(second!.code, 0, second!.stderr);
  const run = fixture.found(first!);
  equal(run.code, 0, run.stdout + run.stderr);
  isOnce(requests(server), 60);
  equal(run.meta.setup?.outcome, "passed");
  equal(run.meta.shards?.length, 2);
  hasNoToken(run, fixture);
});

Deno.test("setup and teardown: what a failed check quotes of a secret is in no file, in none of its forms", async () => {
  await using server = shop();
  using fixture = runFixture({
    flow: `${HEAD}${SETUP}  - id: see
    call: GET /seen/{{ env.KEY }}
    assert: ["$.seen == {{ env.KEY }}", token == x]
    on_failure: record
${STEPS}${TEARDOWN}    assert: [token == x, "$.seen == {{ env.KEY }}"]
`,
    url: server.url,
  });
  const env = { KEY: "key-4711-of-the-environment" };
  const run = await fixture.run([], { env });
  equal(run.code, 1);
  equal(run.meta.setup?.failures.length, 2);
  const { meta, traces } = run;
  const whole = [run.stdout, run.stderr, JSON.stringify({ meta, traces })];
  for (const text of whole) {
    // Digits are left open in the key of a failure.
    ok(!/key-(?:4711|<n>)-of|tok-(?:0a1b|<)/.test(text), text);
  }
  hasNoToken(run, fixture);
});
