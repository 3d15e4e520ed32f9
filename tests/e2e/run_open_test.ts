import { equal, match } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

Deno.test("bench run --open: the viewer has the run's page while it goes on, and until it is stopped", async () => {
  const later = Promise.withResolvers<string>();
  await using server = recordingServer(() => later.promise);
  const flow = "flow: slow\nsteps:\n  - { id: one, call: GET /one }\n";
  using fixture = runFixture({ flow, url: server.url });
  // A browser that opens nothing.
  const child = fixture.start(["--open"], { env: { BROWSER: "true" } });
  void child.stdout.pipeTo(new WritableStream());
  const errors = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  const heard = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(said);
      if (found) return found;
      const { value, done } = await errors.read();
      if (done) throw new Error(`it ended with ${said}`);
      said += value;
    }
  };
  const [, url] = await heard(/view (http:\S+)/);
  const page = async () => await (await fetch(url!)).text();
  await server.arrival(0);
  match(await page(), /RUNNING/);
  later.resolve(rawResponse(200));
  await heard(/Ctrl-C to stop/);
  match(await page(), /PASS/);
  child.kill("SIGTERM");
  equal((await child.status).code, 0);
  await errors.cancel();
});
