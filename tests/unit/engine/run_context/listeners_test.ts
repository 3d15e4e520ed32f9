import { deepStrictEqual, equal, rejects } from "node:assert/strict";
import { type Listener, runFlow } from "../../../../lib/run.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { readMeta } from "../../../../lib/results/store/reader.ts";
import { StoreError } from "../../../../lib/results/store/layout.ts";
import { recordingServer } from "../../../support/recording_server.ts";
import {
  documentInput,
  preparedFor,
  unwatched,
} from "../../../support/run_in_process.ts";
import { runIds } from "../../../support/run_fixture.ts";
import { workspace } from "../../../support/bench.ts";

/** Keeps a record of what it hears. */
class Recorded implements Listener {
  readonly heard: string[] = [];

  constructor(readonly more: Partial<Listener> = {}) {}

  get option() {
    return this.more.option!;
  }

  async open() {
    this.heard.push("open");
    await this.more.open?.({} as never);
  }

  start() {
    this.heard.push("start");
  }

  async second() {
    this.heard.push("second");
    await this.more.second?.({} as never);
  }

  trace() {
    this.heard.push("trace");
  }

  notes() {
    this.heard.push("notes");
    return ["heard of the end"];
  }

  end() {
    this.heard.push("end");
  }
}

function withPause(profile: object) {
  return documentInput({
    ...{ flow: "f", profile },
    steps: [{ id: "a", call: "GET /" }, { id: "pause", wait: "50ms" }],
  });
}

/** Seconds take 10 ms here. */
function hurried() {
  const { clock, ...options } = unwatched();
  const sleep: typeof clock.sleep = (ms, signal) =>
    clock.sleep(ms > 500 ? 10 : ms, signal);
  return {
    ...options,
    clock: { now: clock.now, wall: clock.wall, sleep },
  };
}

Deno.test("listeners hear of a run in order, and what they say is stored with it", async () => {
  await using server = recordingServer();
  const flow = withPause({ mode: "integration" });
  const prepared = await preparedFor(flow, server.url);
  const listener = new Recorded({ option: { kept: true } });
  const { meta } = await runFlow(prepared, {
    ...hurried(),
    listeners: [listener],
  });
  const heard = listener.heard.filter((each, i, all) => each !== all[i - 1]);
  deepStrictEqual(heard.filter((each) => each !== "second"), [
    ...["open", "start", "trace", "notes", "end"],
  ]);
  equal(heard.includes("second"), true);
  equal(meta.notes.includes("heard of the end"), true);
  // Options of a load run only: the others are not driven by any.
  equal(meta.options, undefined);
});

Deno.test("listeners: one that cannot be opened refuses the run, and nothing is sent or stored", async () => {
  await using server = recordingServer();
  using folder = workspace({});
  const flow = withPause({ mode: "integration" });
  const prepared = await preparedFor(flow, server.url);
  const open = () => {
    throw new TypeError("no room");
  };
  const [before, after] = [new Recorded({ open }), new Recorded()];
  const running = runFlow(prepared, {
    ...hurried(),
    storeDir: folder.path,
    listeners: [before, after],
  });
  await rejects(running, /no room/);
  deepStrictEqual([before.heard, after.heard], [["open", "end"], ["end"]]);
  equal(server.arrivals.length, 0);
  deepStrictEqual([...Deno.readDirSync(folder.path)], []);
});

Deno.test("listeners: a file that cannot be written for readers of the unfinished run does not end it", async () => {
  await using server = recordingServer();
  const flow = withPause({ mode: "load", vus: 1, iterations: 3 });
  const second = () => {
    throw new StoreError("the disk is full");
  };
  const listener = new Recorded({ second, option: { kept: 1 } });
  const { meta } = await runFlow(await preparedFor(flow, server.url), {
    ...hurried(),
    listeners: [listener],
  });
  deepStrictEqual([meta.status, meta.iterations.completed], ["finished", 3]);
  equal(meta.options?.kept, 1);
});

Deno.test("a run that is stopped before it began sends nothing, setup and teardown included", async () => {
  await using server = recordingServer();
  const steps = (id: string) => [{ id, call: `GET /${id}` }];
  const flow = documentInput({
    version: 1,
    flow: "f",
    profile: { mode: "load", vus: 2, hold: "2s" },
    setup: steps("before"),
    steps: steps("a"),
    teardown: steps("after"),
  });
  const prepared = await preparedFor(flow, server.url);
  const options = { ...hurried(), signal: () => "SIGINT" as const };
  options.stop.soft("interrupted", "SIGINT");
  const { meta } = await runFlow(prepared, options);
  equal(server.arrivals.length, 0);
  equal(meta.status, "interrupted");
  deepStrictEqual([meta.setup, meta.teardown], [undefined, undefined]);
  equal(meta.notes[0], "stopped before it began: nothing was sent");
});

Deno.test("listeners: one that cannot start ends the run, which is torn down and stored as ended", async () => {
  await using server = recordingServer();
  using folder = workspace({});
  const steps = (id: string) => [{ id, call: `GET /${id}` }];
  const flow = documentInput({
    version: 1,
    flow: "f",
    profile: { mode: "load", vus: 1, hold: "2s" },
    setup: steps("before"),
    steps: steps("a"),
    teardown: steps("after"),
  });
  const running = runFlow(await preparedFor(flow, server.url), {
    ...hurried(),
    storeDir: folder.path,
    listeners: [{
      start: () => Promise.reject(new Error("the other is gone")),
    }],
  });
  await rejects(running, /the other is gone/);
  deepStrictEqual(server.arrivals.map(({ line }) => line), [
    "GET /before",
    "GET /after",
  ]);
  const [id] = runIds(folder.path);
  const meta = await readMeta(`${folder.path}/${id}`, systemClock.wall());
  deepStrictEqual([meta.status, meta.exit_code, meta.abort_reason], [
    "errored",
    3,
    "the other is gone",
  ]);
});
