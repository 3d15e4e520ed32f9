import { deepStrictEqual, equal } from "node:assert/strict";
import { rawResponse } from "../../../support/raw_response.ts";
import type { Trace } from "../../../../lib/model/result/trace.ts";
import { runFlow } from "../../../../lib/run.ts";
import {
  documentInput,
  preparedFor,
  unwatched,
} from "../../../support/run_in_process.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../../../support/recording_server.ts";

/** What the server got, and the ids of the run's traces. */
async function run(traceparent: boolean) {
  await using server = recordingServer(({ line }) =>
    rawResponse(line === "GET /again" ? 503 : 200)
  );
  const flow = documentInput({
    flow: "f",
    data: "rows.json",
    steps: [
      { id: "fixed", call: "GET /" },
      { id: "post", call: "POST /", body: { n: "{{ user.n }}" } },
      {
        id: "again",
        call: "GET /again",
        retry: {
          on_status: [503],
          backoff: "fixed",
          max_attempts: 2,
          base_delay: "0s",
        },
        on_failure: "record",
      },
      { id: "own", call: "GET /", headers: { Traceparent: "mine" } },
    ],
  });
  const prepared = await preparedFor(flow, server.url, {
    readBytes: () => new TextEncoder().encode('[{"n":1},{"n":2}]'),
  });
  const traces: Trace[] = [];
  await runFlow(
    prepared,
    {
      ...unwatched(),
      listeners: [{ trace: (trace) => void traces.push(trace) }],
      ...(traceparent && { traceparent }),
    },
  );
  const sent = server.arrivals.map((each) => headerOf(each, "traceparent"));
  return { sent, traces, body: bodyOf(server.arrivals[1]!) };
}

Deno.test("--traceparent: each attempt carries the trace of its iteration and a span of its own, unless the step says one", async () => {
  const { sent, traces, body } = await run(true);
  const value = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;
  equal(sent.length, 10);
  deepStrictEqual([sent[4], sent[9]], ["mine", "mine"]);
  const ids = sent.filter((each) => each !== "mine").map((each) =>
    value.exec(each!)!.slice(1)
  );
  const stored = traces.flatMap(({ trace_id, spans }) =>
    spans.filter(({ name }) => name === "http_call")
      .map(({ span_id }) => [trace_id, span_id])
  ).filter((_, index) => index % 5 < 4);
  deepStrictEqual(ids, stored, "the ids of the stored spans");
  equal(new Set(ids.map(([, span]) => span)).size, 8);
  equal(body, '{"n":"1"}');
});

Deno.test("without --traceparent nothing is said of traces", async () => {
  const { sent } = await run(false);
  deepStrictEqual(sent.slice(3, 5), [undefined, "mine"]);
});
