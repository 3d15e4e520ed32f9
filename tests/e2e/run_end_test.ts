import { bench } from "../support/bench.ts";
import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
  ok,
} from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";

const WORKERS = ["--workers", "2"];

/** A load flow of one step. */
function flow(profile: string, step = "call: GET /one"): string {
  return `flow: ends\nprofile: { mode: load, ${profile} }\n` +
    `steps:\n  - id: one\n    ${step}\n`;
}

Deno.test("run end: a ramp to 0 VUs ends the run, and says which iterations are unmet", async (t) => {
  await using server = recordingServer();
  const profiles = {
    closed: 'vus: { ramp: "2 -> 0 over 300ms" }, iterations: 1000000',
    open:
      'vus: { ramp: "2 -> 0 over 300ms" }, iterations: 1000000, arrival_cap: 100/s',
  };
  for (const [executor, profile] of Object.entries(profiles)) {
    await t.step(executor, async () => {
      const url = server.url;
      const run = await runOnce({ flow: flow(profile), url }, WORKERS);
      equal(run.code, 0, run.stdout + run.stderr);
      ok(run.meta.iterations.completed > 0);
      const [note] = run.meta.notes;
      match(
        note ?? "",
        /^[\d,]+ of 1,000,000 iterations began: the ramp ended at 0 VUs$/,
      );
      match(run.stdout, /note: .* iterations began: the ramp ended at 0 VUs/);
    });
  }
});

Deno.test("run end: iterations that did not begin are unmet by a hold that ended or by a pool that ran dry", async () => {
  await using server = recordingServer();
  const BY_TIME = new Set([0, 6]);
  const causes = (
    await Promise.all(
      [
        "vus: 1, hold: 300ms, iterations: 1000",
        "vus: 1, hold: 60s, iterations: 1000",
        "vus: 1, iterations: 4",
        "vus: 1, iterations: 3",
        "vus: 2, hold: 60s",
        "vus: 2, hold: 60s, arrival_cap: 1000/s",
        "vus: 1, hold: 50ms",
      ].map((profile, nth) =>
        runOnce({
          flow:
            `version: 1\npools: { user: { path: rows.csv, on_exhausted: stop } }\n` +
            flow(profile, `wait: ${BY_TIME.has(nth) ? 100 : 1}ms`),
          url: server.url,
          files: {
            "rows.csv": `n\n${"1\n".repeat(BY_TIME.has(nth) ? 1_000 : 3)}`,
          },
        })
      ),
    )
  ).map(({ meta, stderr }) =>
    meta.notes.find((note) => /began|the run ended/.test(note)) ?? stderr
  );
  match(causes[0]!, /^\d of 1,000 iterations began: `hold` ended first$/);
  equal(causes[1], "3 of 1,000 iterations began: a pool has no rows left");
  equal(causes[2], "3 of 4 iterations began: a pool has no rows left");
  doesNotMatch(causes[3]!, /iterations began/);
  for (const cause of causes.slice(4, 6)) {
    match(cause, /^the run ended after \S+ms of 1m: a pool has no rows left$/);
  }
  doesNotMatch(causes[6]!, /no rows left/);
});

Deno.test("run end: an iteration under way has the time its flow's own waits take", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: flow(
      "vus: 2, hold: 500ms",
      "wait: 600ms\n  - { id: two, call: GET /two }",
    ),
    url: server.url,
    target: "request_timeout: 100ms\n",
  });
  equal(run.code, 0, run.stdout + run.stderr);
  const { started, completed } = run.meta.iterations;
  deepStrictEqual([started, completed], [2, 2]);
  deepStrictEqual(run.meta.notes, []);
});

Deno.test("run end: a load run without a completed iteration fails, and every report says why", async () => {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: flow('vus: { ramp: "0 -> 1 over 1us" }'),
    url: server.url,
  });
  const { code, stdout } = await fixture.run(["--junit", "junit.xml"]);
  equal(code, 1);
  match(stdout, /^ends {2}✗ FAIL .* 0 iterations/);
  match(stdout, /note: no iteration was completed: a load run without one/);
  const junit = Deno.readTextFileSync(`${fixture.path}/junit.xml`);
  match(junit, /<failure message="failed: no iteration was completed"/);
});

Deno.test("run end: what a profile asks for in vain is said by validate, plan and run", async () => {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: flow("vus: 2, hold: 1h, arrival_cap: 5/s").replace("load", "system"),
    url: server.url,
  });
  const says =
    /`hold` and `arrival_cap` have no effect in system mode, which runs the flow once per fixture row/;
  const args = ["flow.yaml", "--target", "target.yaml"];
  for (const command of ["validate", "plan"]) {
    const { code, stderr } = await bench([command, ...args], {
      cwd: fixture.path,
    });
    equal(code, 0, stderr);
    match(stderr, /^flow\.yaml:2:\d+: warning: /);
    match(stderr, says);
  }
  const run = await fixture.run();
  equal(run.code, 0, run.stderr);
  match(run.stderr, says);
  match(run.meta.notes.join("\n"), says);
  const load = await bench(["validate", "flow.yaml", "--mode", "load"], {
    cwd: fixture.path,
  });
  equal(load.stderr, "");
});

Deno.test("run end: a load run that was not rehearsed says so, where it would have been", async () => {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: flow("arrival_cap: 5/s, vus: 1, hold: 2s"),
    url: server.url,
  });
  const run = await fixture.run(["--no-rehearsal"]);
  equal(run.code, 0, run.stderr);
  deepStrictEqual(run.meta.options, { no_rehearsal: true });
  match(run.stdout, /^ {2}driven by {2}--no-rehearsal$/m);
  const short = await fixture.run(["--no-rehearsal", "--iterations", "2"]);
  deepStrictEqual(short.meta.options, { iterations: "2" });
});

Deno.test("run end: a load test that is run as a check says nothing of its load", async () => {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: flow('vus: { ramp: "1 -> 3 over 1s", hold: 1h }, arrival_cap: 5/s'),
    url: server.url,
  });
  const run = await fixture.run(["--mode", "integration"]);
  equal(run.code, 0, run.stderr);
  equal(run.stderr, "");
  deepStrictEqual([run.meta.notes, run.meta.vus], [[], 1]);
  const flags = ["--mode", "integration", "--hold", "1m", "--vus", "2"];
  const asked = await fixture.run(flags);
  match(asked.stderr, /`hold` has no effect in integration mode/);
  deepStrictEqual(asked.meta.options, { vus: "2" });
  match(asked.stdout, /^ {2}driven by {2}--vus 2$/m);
});
