import { deepStrictEqual, equal, match } from "node:assert/strict";
import type { Clock } from "../../../lib/base/time/clock.ts";
import { events } from "../../../viewer/api/responses.ts";
import { RunDirectory } from "../../../viewer/store/run_directory.ts";
import { StoreIndex } from "../../../viewer/store/store_index.ts";
import { workspace } from "../../support/bench.ts";
import { metaOf, putRun } from "../../support/viewer_fixture.ts";

/** Names and data of the events of a stream, in order. */
function parse(text: string): [string, Record<string, unknown>][] {
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map((
    [, name, data],
  ) => [name!, JSON.parse(data!)]);
}

Deno.test("events: the figures of a run that goes on, then how it ended", async () => {
  using folder = workspace({});
  const running = metaOf({
    status: "running",
    verdict: null,
    requests: 40,
    iterations: {
      started: 9,
      completed: 8,
      passed: 8,
      failed: 0,
      throttled: 0,
    },
  });
  const dir = putRun(folder.path, running);
  let slept = 0;
  const clock: Clock = {
    now: () => 0,
    // The run's files were touched just now.
    wall: () => Deno.statSync(`${dir}/meta.json`).mtime!.getTime(),
    sleep: () => {
      if (++slept === 2) putRun(folder.path, metaOf());
      return Promise.resolve();
    },
  };
  const response = events(
    {
      url: new URL("http://127.0.0.1/"),
      params: {},
      index: new StoreIndex(folder.path, clock),
      clock,
      meta: running,
      run: new RunDirectory(dir),
    },
  );
  equal(response.headers.get("content-type"), "text/event-stream");
  match(response.headers.get("cache-control")!, /no-transform/);
  const found = parse(await response.text());
  deepStrictEqual(found.map(([name]) => name), ["progress", "progress", "end"]);
  deepStrictEqual(
    [found[0]![1].requests, found[0]![1].iterations],
    [40, running.iterations],
  );
  deepStrictEqual(found[2]![1], { status: "finished", verdict: "pass" });
});
