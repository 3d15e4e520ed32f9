import { equal, match } from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";
import { wsServer } from "../support/ws_server.ts";

Deno.test("a step's timeout bounds each attempt, within the target's request_timeout", async () => {
  // It never responds.
  const silent = Promise.withResolvers<string>();
  await using server = recordingServer(() => silent.promise);
  const flow = (timeout: string) =>
    `version: 1
flow: f
steps:
  - id: a
    call: GET /a
    timeout: ${timeout}
`;
  const target = "request_timeout: 5s\n";
  using short = runFixture({ flow: flow("80ms"), url: server.url, target });
  const run = await short.run();
  equal(run.code, 1);
  match(run.stdout, /within 80ms|80 ?ms/);
  using long = runFixture({ flow: flow("6s"), url: server.url, target });
  const refused = await long.run();
  equal(refused.code, 2);
  match(
    refused.stderr,
    /flow\.yaml:6:14: error: step `a` allows an attempt 6s, but target `here` allows 5s/,
  );
  silent.resolve("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
});

Deno.test("a step's timeout bounds its handshake and the wait for a frame together, whatever `receive` says", async () => {
  await using server = await wsServer({ session: () => {} });
  const run = await runOnce({
    url: server.url,
    flow: `version: 1
flow: f
steps:
  - id: opens
    on_failure: record
    timeout: 600ms
    ws: { url: /, receive: { timeout: 4s } }
  - { id: opens_another, ws: { url: /, session: other } }
  - id: joins
    timeout: 600ms
    ws: { session: other, receive: { match: $.id == 1, timeout: 4s } }
`,
    target: "request_timeout: 5s\n",
  });
  equal(run.code, 1, run.stderr);
  const [opens, joins] = run.meta.failures.map((each) => each.message);
  equal(opens, "no frame came within 600ms");
  equal(joins, "no frame matched `$.id == 1` within 600ms: none came");
});
