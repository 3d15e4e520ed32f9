import { doesNotMatch, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";
import { asker } from "../support/viewer_fixture.ts";

const FLOW = `flow: causes
steps:
  - id: flaky
    call: GET /flaky
    retry: { on_status: [503], backoff: fixed, max_attempts: 3, base_delay: 1ms }
  - id: limited
    call: GET /limited
    throttle: { as_error: false }
    on_failure: record
  - id: missing
    call: GET /missing
    assert: [$.id == 1]
    on_failure: record
  - id: later
    call: GET /later
    assert: [status == 200, $.name == Ada]
    on_failure: record
`;

Deno.test("cause: summary, meta.json, the list of traces and a trace's page name the same one", async () => {
  let flaky = 0;
  await using server = recordingServer(({ line }) => {
    if (line === "GET /flaky") return rawResponse(flaky++ === 0 ? 503 : 200);
    if (line === "GET /limited") return rawResponse(429);
    if (line === "GET /missing") return rawResponse(404, { id: 1 });
    return rawResponse(200, { name: "Bob" });
  });
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const run = await fixture.run([], { env: { GITHUB_ACTIONS: "true" } });
  const [row] = run.meta.rows!;
  const cause = row!.failures[0]!;
  equal(cause.step, "missing");
  match(cause.message, /404/);
  match(run.stdout, /why: 1 × missing: /);
  equal(run.meta.reason!.step, "missing");
  match(run.stderr, /^::error .*1 × missing: /m);
  // A throttle that is no error is no error in a log either.
  doesNotMatch(run.stderr, /^::.*limited/m);
  match(run.stdout, /✗ failed +iteration 1 .* missing +flow.yaml:10/);
  ok(
    row!.failures.some(({ step }) => step === "later"),
    "the others are listed too",
  );
  const ask = asker(`${fixture.path}/runs`);
  const list = await (await ask(`/runs/${run.meta.id}/traces`)).text();
  match(list, /missing, limited, later <span class="more">[^<]*404/);
  const page = await (await ask(
    `/runs/${run.meta.id}/traces/${row!.trace_id}`,
  )).text();
  match(
    page,
    /<strong>missing<\/strong> <code>status<\/code> (?:<code>[^<]*<\/code> )?<span class="message">[^<]*404/,
  );
});
