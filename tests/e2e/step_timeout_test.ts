import { equal, match } from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

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
