import { deepEqual, equal, match, ok } from "node:assert/strict";
import { sum } from "../../lib/base/values/sum.ts";
import { readSeries } from "../../lib/results/store/reader.ts";
import { rawResponse } from "../support/raw_response.ts";
import { follow } from "../support/live_command.ts";
import { recordingServer } from "../support/recording_server.ts";
import { type FixtureRun, runFixture } from "../support/run_fixture.ts";

const ROWS = `flow: rows
data: rows.csv
steps:
  - { id: slow, call: "GET /{{ user.n }}" }
  - { id: after, call: GET /after }
`;
const FILES = { "rows.csv": "n\n1\n2\n3\n" };
const LOAD = `flow: load
profile: { mode: load, vus: 4, hold: 60s }
steps:
  - { id: one, call: GET /one }
`;
const SAYS = "stopping: letting iterations under way finish; again to stop now";

function isInterrupted(run: FixtureRun, code: number): void {
  equal(run.code, code, run.stdout + run.stderr);
  equal(run.meta.status, "interrupted");
  equal(run.meta.exit_code, code);
  ok(run.meta.ended_at);
  match(run.stdout, /INTERRUPTED/);
}

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.test(`${signal}: the iteration under way finishes, no row follows`, async () => {
    const latch = Promise.withResolvers<void>();
    await using server = recordingServer(async () => {
      await latch.promise;
      return rawResponse(200);
    });
    using fixture = runFixture({ flow: ROWS, url: server.url, files: FILES });
    const command = follow(fixture.start());
    await server.arrival(0);
    command.process.kill(signal);
    await command.said(SAYS);
    latch.resolve();
    const run = fixture.found(await command.ended());
    isInterrupted(run, code);
    equal(server.arrivals.map(({ line }) => line).join(), "GET /1,GET /after");
    equal(run.meta.iterations.passed, 1);
    const unmet = "1 of 3 iterations began: the run was stopped";
    deepEqual(run.meta.notes, [unmet]);
    equal(run.traces.length, 1);
  });
}

/** Interrupts a run whose requests hang, and then once more. */
async function cutOff(
  fixture: ReturnType<typeof runFixture>,
  command: ReturnType<typeof follow>,
) {
  command.process.kill("SIGINT");
  await command.said(SAYS);
  command.process.kill("SIGINT");
  const run = fixture.found(await command.ended());
  isInterrupted(run, 130);
  return run;
}

Deno.test("SIGINT twice: the request under way is cut off, results are saved", async () => {
  const never = Promise.withResolvers<undefined>();
  await using server = recordingServer(({ index }) =>
    index === 2 ? never.promise : rawResponse(200)
  );
  using fixture = runFixture({ flow: ROWS, url: server.url, files: FILES });
  const command = follow(fixture.start());
  // The first row is done; the second one hangs.
  await server.arrival(2);
  const run = await cutOff(fixture, command);
  never.resolve(undefined);
  equal(run.meta.iterations.passed, 1);
  equal(run.meta.iterations.completed, 1, "a cut iteration counts in no rate");
  match(run.meta.notes.join(), /1 iteration stopped before the end/);
});

Deno.test("SIGINT twice: what ended before counts in every file", async () => {
  const never = Promise.withResolvers<undefined>();
  await using server = recordingServer(({ line }) =>
    line === "GET /b" ? never.promise : rawResponse(200)
  );
  const flow = `flow: load
profile: { mode: load, vus: 3, hold: 60s }
steps:
  - { id: a, call: GET /a, assert: [status == 200] }
  - { id: b, call: GET /b }
`;
  using fixture = runFixture({ flow, url: server.url });
  const command = follow(fixture.start(["--workers", "1"]));
  await server.arrival(5);
  const { meta, dir } = await cutOff(fixture, command);
  never.resolve(undefined);
  equal(meta.iterations.completed, 0);
  const [a, b] = meta.steps;
  deepEqual(a!.attempts, { passed: 3, throttled: 0, failed: 0 });
  deepEqual(a!.checks, [{ check: "status == 200", passed: 3, failed: 0 }]);
  deepEqual([a!.executions, a!.passed], [3, 3]);
  equal(a!.latency_intervals!.samples, 3);
  deepEqual(b!.attempts, { passed: 0, throttled: 0, failed: 0 });
  deepEqual([b!.executions, b!.requests], [3, 3]);
  const { points } = (await readSeries(dir))!;
  equal(sum(points, ({ passed }) => passed), 3);
});

Deno.test("SIGINT twice: a long wait ends at once", async () => {
  await using server = recordingServer();
  const flow = `flow: waits
steps:
  - { id: one, call: GET /one }
  - { id: pause, wait: 10m }
`;
  using fixture = runFixture({ flow, url: server.url });
  const command = follow(fixture.start());
  await server.arrival(0);
  command.process.kill("SIGINT");
  await command.said(SAYS);
  command.process.kill("SIGINT");
  isInterrupted(fixture.found(await command.ended()), 130);
});

Deno.test("SIGINT twice: a token request that hangs is cut off", async () => {
  const never = Promise.withResolvers<undefined>();
  await using server = recordingServer(() => never.promise);
  for (const flow of [ROWS, LOAD]) {
    const auth = `auth:
  scheme: oauth2_client_credentials
  token_url: ${server.url}/token
  client_id: me
  client_secret: "{{ env.SECRET }}"
`;
    using fixture = runFixture({
      flow: flow.replace("steps:", `${auth}steps:`),
      url: server.url,
      files: FILES,
    });
    const env = { SECRET: "client-secret" };
    const before = server.arrivals.length;
    const command = follow(fixture.start(["--workers", "2"], { env }));
    await server.arrival(before);
    command.process.kill("SIGINT");
    await command.said(SAYS);
    command.process.kill("SIGINT");
    const run = fixture.found(await command.ended());
    isInterrupted(run, 130);
    ok(run.meta.duration_ms < 20_000, "well before request_timeout");
  }
  never.resolve(undefined);
});

for (const workers of ["1", "2"]) {
  Deno.test(`SIGINT: a load run of ${workers} workers ends complete and readable`, async () => {
    await using server = recordingServer();
    using fixture = runFixture({ flow: LOAD, url: server.url });
    const command = follow(fixture.start(["--workers", workers]));
    await server.arrival(50);
    command.process.kill("SIGINT");
    const run = fixture.found(await command.ended());
    isInterrupted(run, 130);
    const { iterations, requests } = run.meta;
    equal(iterations.completed, iterations.started);
    equal(iterations.completed, server.arrivals.length);
    equal(iterations.passed, iterations.completed);
    equal(requests, server.arrivals.length);
    ok(run.traces.length > 0);
  });
}

Deno.test("SIGINT twice: workers whose requests hang are cut off", async () => {
  const never = Promise.withResolvers<undefined>();
  await using server = recordingServer(({ index }) =>
    index < 8 ? rawResponse(200) : never.promise
  );
  using fixture = runFixture({ flow: LOAD, url: server.url });
  const command = follow(fixture.start(["--workers", "2"]));
  await server.arrival(11);
  const run = await cutOff(fixture, command);
  never.resolve(undefined);
  equal(run.meta.iterations.completed, 8);
  match(run.meta.notes.join(), /4 iterations stopped before the end/);
});
