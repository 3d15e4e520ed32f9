import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { runFlow } from "../../../../lib/run.ts";
import {
  readMeta,
  readSeries,
  STALE_MS,
} from "../../../../lib/results/store/reader.ts";
import { workspace } from "../../../support/bench.ts";
import { rawResponse } from "../../../support/raw_response.ts";
import {
  type RecordingServer,
  recordingServer,
} from "../../../support/recording_server.ts";
import { runIds } from "../../../support/run_fixture.ts";
import {
  documentInput,
  preparedFor,
  unwatched,
} from "../../../support/run_in_process.ts";

/** Seconds take 10 ms here. */
function hurried(now = systemClock.now) {
  const sleep: typeof systemClock.sleep = (ms, signal) =>
    systemClock.sleep(ms > 500 ? 10 : ms, signal);
  return { ...unwatched(), clock: { now, wall: systemClock.wall, sleep } };
}

/** A server whose response to one path is held back. */
function holding(path: string) {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server: RecordingServer = recordingServer(async ({ line }) => {
    if (line === `GET /${path}`) {
      arrived.resolve();
      await held.promise;
    }
    return rawResponse(200);
  });
  return { server, arrived: arrived.promise, release: () => held.resolve() };
}

function setUpAndTornDown(profile: object) {
  const steps = (id: string) => [{ id, call: `GET /${id}` }];
  return documentInput({
    ...{ version: 1, flow: "f", profile },
    setup: steps("before"),
    steps: steps("a"),
    teardown: steps("after"),
  });
}

const PROFILES = [{ mode: "integration" }, {
  ...{ mode: "load", vus: 1, iterations: 5 },
}];

for (const path of ["before", "after"]) {
  for (const profile of PROFILES) {
    Deno.test(`a ${profile.mode} run whose step \`${path}\` takes long is shown as running`, async () => {
      const { server, arrived, release } = holding(path);
      await using _ = server;
      using folder = workspace({});
      const flow = setUpAndTornDown(profile);
      const running = runFlow(await preparedFor(flow, server.url), {
        ...hurried(),
        storeDir: folder.path,
      });
      await arrived;
      const dir = `${folder.path}/${runIds(folder.path)[0]}`;
      const long = systemClock.wall() / 1_000 - STALE_MS / 1_000 - 60;
      let status = "interrupted";
      // As it is after a minute, until the run says that it goes on.
      Deno.utimeSync(`${dir}/meta.json`, long, long);
      for (let turn = 0; status !== "running" && turn < 200; turn++) {
        await systemClock.sleep(10);
        status = (await readMeta(dir, systemClock.wall())).status;
      }
      release();
      equal((await running).meta.status, "finished");
      equal(status, "running");
    });
  }
}

Deno.test("the counts, seconds and latencies of a whole load are stored before its teardown", async () => {
  const { server, arrived, release } = holding("after");
  await using _ = server;
  using folder = workspace({});
  const flow = setUpAndTornDown({ mode: "load", vus: 2, iterations: 50 });
  const { clock: _hurried, ...options } = hurried();
  const running = runFlow(await preparedFor(flow, server.url), {
    ...options,
    clock: systemClock,
    storeDir: folder.path,
  });
  await arrived;
  const dir = `${folder.path}/${runIds(folder.path)[0]}`;
  const { status, iterations, latency } = await readMeta(
    dir,
    systemClock.wall(),
  );
  const points = (await readSeries(dir))?.points ?? [];
  release();
  const { meta } = await running;
  equal(status, "running");
  equal(iterations.completed, 50);
  deepStrictEqual(latency, meta.latency);
  equal(points.reduce((count, { passed }) => count + passed, 0), 50);
});

Deno.test("what the generator used is that of the load, however long its teardown takes", async () => {
  let later = 0;
  const { server, arrived, release } = holding("after");
  await using _ = server;
  void arrived.then(() => {
    later = 3_600_000;
    release();
  });
  const flow = setUpAndTornDown({ mode: "load", vus: 2, iterations: 500 });
  const { meta } = await runFlow(await preparedFor(flow, server.url), {
    ...hurried(() => systemClock.now() + later),
    rehearsal: false,
  });
  const { generator, target, others } = meta.generator!.cores!;
  ok(generator + (target ?? 0) + others > 0.02, JSON.stringify(meta.generator));
});
