import { equal } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { runFlow } from "../../../../lib/run.ts";
import { readMeta, STALE_MS } from "../../../../lib/results/store/reader.ts";
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
function hurried() {
  const sleep: typeof systemClock.sleep = (ms, signal) =>
    systemClock.sleep(ms > 500 ? 10 : ms, signal);
  return { ...unwatched(), clock: { ...systemClock, sleep } };
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
