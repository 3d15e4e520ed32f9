import { equal, match } from "node:assert/strict";
import { follow } from "../support/live_command.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

Deno.test("bench run --open: the viewer has the run's page while it goes on, and until it is stopped", async () => {
  const later = Promise.withResolvers<string>();
  await using server = recordingServer(() => later.promise);
  const flow = "flow: slow\nsteps:\n  - { id: one, call: GET /one }\n";
  using fixture = runFixture({ flow, url: server.url });
  // A browser that opens nothing.
  const run = follow(fixture.start(["--open"], { env: { BROWSER: "true" } }));
  const [, url] = await run.said(/view (http:\S+)/);
  const page = async () => await (await fetch(url!)).text();
  await server.arrival(0);
  match(await page(), /RUNNING/);
  later.resolve(rawResponse(200));
  await run.said("Ctrl-C to stop");
  match(await page(), /PASS/);
  run.process.kill("SIGTERM");
  equal((await run.ended()).code, 0);
});
