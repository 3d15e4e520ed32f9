import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  listRuns,
  readMeta,
  readSeries,
  readStoredFlow,
  STALE_MS,
} from "../../lib/results/store/reader.ts";
import {
  readTrace,
  readTraceIndex,
} from "../../lib/results/store/trace_reader.ts";
import { rawResponse } from "../support/raw_response.ts";
import { follow } from "../support/live_command.ts";
import { recordingServer } from "../support/recording_server.ts";
import { type RunFixture, runFixture, runIds } from "../support/run_fixture.ts";

/** What every reader makes of the one run in the store. */
async function readAll(
  fixture: RunFixture,
  flow: string,
): Promise<{ readonly traces: number; readonly dir: string }> {
  const later = Date.now() + STALE_MS + 1_000;
  const store = join(fixture.path, "runs");
  const [listing, ...others] = await listRuns(store, later);
  equal(others.length, 0);
  ok(listing && "meta" in listing, JSON.stringify(listing));
  equal(listing.meta.status, "interrupted");
  match(listing.meta.abort_reason!, /process ended without finishing/);
  const { dir } = listing;
  equal((await readMeta(dir, Date.now())).status, "running", "not yet stale");
  equal(JSON.parse(await readStoredFlow(dir)).flow, flow);
  const entries = await readTraceIndex(dir);
  for (const { trace_id } of entries) {
    equal((await readTrace(dir, trace_id, entries))?.trace_id, trace_id);
  }
  return { traces: entries.length, dir };
}

Deno.test("SIGKILL in the middle of an integration run leaves what was written", async () => {
  const never = Promise.withResolvers<undefined>();
  const filler = "x".repeat(30_000);
  await using server = recordingServer(({ index }) =>
    index < 5 ? rawResponse(200, { filler }) : never.promise
  );
  const flow = `flow: rows
data: rows.csv
steps:
  - { id: one, call: "GET /{{ user.n }}" }
`;
  const files = { "rows.csv": "n\n1\n2\n3\n4\n5\n6\n7\n" };
  using fixture = runFixture({ flow, url: server.url, files });
  const command = follow(fixture.start());
  await server.arrival(5);
  command.process.kill("SIGKILL");
  equal((await command.ended()).code, 137);
  never.resolve(undefined);
  // Traces of that size go to the disk one by one.
  equal((await readAll(fixture, "rows")).traces, 5);
});

const LOADS: [title: string, workers: string, vus: number, before?: string][] =
  [
    ["of 1 worker", "1", 2],
    ["of 2 workers", "2", 2],
    ["out of descriptors", "1", 200, "ulimit -n 150"],
  ];
for (const [title, workers, vus, before] of LOADS) {
  Deno.test(`SIGKILL in the middle of a load run ${title} leaves what was recorded`, async () => {
    await using server = recordingServer();
    const flow = `flow: load
profile: { mode: load, vus: ${vus}, hold: 60s }
steps:
  - { id: one, call: GET /one, assert: ["$.id == 1"] }
`;
    using fixture = runFixture({ flow, url: server.url });
    const args = ["--workers", workers];
    const command = follow(
      fixture.start(args, before === undefined ? {} : { before }),
    );
    // Requests go on until the first second is in the store.
    let arrived = 0;
    do await server.arrival(arrived += 100); while (
      !await isRecorded(fixture)
    );
    command.process.kill("SIGKILL");
    equal((await command.ended()).code, 137);
    const { dir, traces } = await readAll(fixture, "load");
    ok(traces > 0);
    const points = (await readSeries(dir))!.points;
    ok(points[0]!.t === 0 && points[0]!.failed > 0);
    const { failures, steps } = await readMeta(dir, Date.now());
    // Of connections that could not be opened there may be more.
    const broken = failures.find(({ code }) => code === "assertion");
    ok(steps[0]!.failed > 0 && broken!.count > 0);
  });
}

Deno.test("SIGKILL in the middle of a load leaves what its setup came to", async () => {
  await using server = recordingServer();
  const flow = `version: 1
flow: load
profile: { mode: load, vus: 2, hold: 60s }
setup:
  - { id: before, call: POST /before }
steps:
  - { id: one, call: GET /one, assert: ["$.id == 1"] }
`;
  using fixture = runFixture({ flow, url: server.url });
  const command = follow(fixture.start());
  let arrived = 0;
  do await server.arrival(arrived += 100); while (!await isRecorded(fixture));
  command.process.kill("SIGKILL");
  await command.ended();
  const { dir } = await readAll(fixture, "load");
  const { setup } = await readMeta(dir, Date.now());
  deepEqual([setup?.outcome, setup?.requests], ["passed", 1]);
  equal(setup?.trace_id, undefined, "its trace is not stored yet");
});

Deno.test("SIGKILL while the last files are written leaves the counts of the whole run", async () => {
  const blocked = Promise.withResolvers<string>();
  await using server = recordingServer(() => blocked.promise);
  const flow = "flow: end\nsteps:\n  - { id: one, call: GET / }\n";
  using fixture = runFixture({ flow, url: server.url });
  const command = follow(fixture.start());
  await server.arrival(0);
  const store = join(fixture.path, "runs");
  const dir = join(store, runIds(store)[0]!);
  // Without a reader it is never opened for writing: there the run stays.
  const args = [join(dir, "series.json.tmp")];
  await new Deno.Command("mkfifo", { args }).output();
  blocked.resolve(rawResponse(200));
  const isCounted = async () => (await readMeta(dir, Date.now())).requests > 0;
  while (!await isCounted()) await new Promise((done) => setTimeout(done, 20));
  command.process.kill("SIGKILL");
  equal((await command.ended()).code, 137);
  const { traces } = await readAll(fixture, "end");
  equal(traces, 1);
  const { iterations, rows } = await readMeta(dir, Date.now());
  equal(iterations.passed, 1);
  equal(rows?.length, 1);
});

/** Whether a second of the run, and what it counted, is in its directory. */
async function isRecorded({ path }: RunFixture): Promise<boolean> {
  try {
    const [run] = runIds(join(path, "runs"));
    const dir = join(path, "runs", run!);
    const series = await readSeries(dir);
    const meta = await readMeta(dir, Date.now());
    // The series comes before the counts of the same second.
    return series!.points.length > 0 && meta.failures.length > 0;
  } catch {
    return false;
  }
}
