import { deepStrictEqual, equal, match, notEqual } from "node:assert/strict";
import { prepareRun } from "../../../../lib/compile.ts";
import { runFlow } from "../../../../lib/run.ts";
import { documentInput, unwatched } from "../../../support/run_in_process.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../../../support/recording_server.ts";

/** What the server got, and the ids of the run's traces. */
async function run(traceparent: boolean) {
  await using server = recordingServer();
  const flow = documentInput({
    flow: "f",
    data: "rows.json",
    steps: [
      { id: "fixed", call: "GET /" },
      { id: "post", call: "POST /", body: { n: "{{ user.n }}" } },
      { id: "own", call: "GET /", headers: { Traceparent: "mine" } },
    ],
  });
  const target = documentInput({ name: "here", base_urls: [server.url] });
  const prepared = await prepareRun(flow, target, {
    env: () => undefined,
    readBytes: () => new TextEncoder().encode('[{"n":1},{"n":2}]'),
  });
  const traces: string[] = [];
  await runFlow(
    prepared,
    {
      ...unwatched(),
      onIteration: ({ trace_id }) => traces.push(trace_id),
      ...(traceparent && { traceparent }),
    },
  );
  const sent = server.arrivals.map((each) => headerOf(each, "traceparent"));
  return { sent, traces, body: bodyOf(server.arrivals[1]!) };
}

Deno.test("--traceparent: requests carry the trace of their iteration, unless the step says one", async () => {
  const { sent, traces, body } = await run(true);
  const value = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;
  const [first, post, own, second] = sent;
  match(first!, value);
  equal(post, first, "one trace an iteration");
  equal(own, "mine");
  notEqual(second, first);
  deepStrictEqual(
    [first, second].map((each) => value.exec(each!)![1]),
    traces,
    "the ids of the stored traces",
  );
  equal(body, '{"n":"1"}');
});

Deno.test("without --traceparent nothing is said of traces", async () => {
  const { sent } = await run(false);
  deepStrictEqual(sent.slice(0, 3), [undefined, undefined, "mine"]);
});
