import { equal, match, ok } from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/scene.ts";

const WORKERS = ["--workers", "2"];

/** A load flow of one step. */
function flow(profile: string, step = "call: GET /one"): string {
  return `flow: ends\nprofile: { mode: load, ${profile} }\n` +
    `steps:\n  - id: one\n    ${step}\n`;
}

Deno.test("run end: a ramp to 0 VUs ends the run, and says which iterations are unmet", async (t) => {
  await using server = recordingServer();
  const profiles = {
    closed: 'vus: { ramp: "2 -> 0 over 300ms" }, iterations: 1000000',
    open:
      'vus: { ramp: "2 -> 0 over 300ms" }, iterations: 1000000, arrival_cap: 100/s',
  };
  for (const [executor, profile] of Object.entries(profiles)) {
    await t.step(executor, async () => {
      const url = server.url;
      const run = await runOnce({ flow: flow(profile), url }, WORKERS);
      equal(run.code, 0, run.stdout + run.stderr);
      ok(run.meta.iterations.completed > 0);
      const [note] = run.meta.notes;
      match(
        note ?? "",
        /^[\d,]+ of 1,000,000 iterations began: the ramp ended at 0 VUs$/,
      );
      match(run.stdout, /note: .* iterations began: the ramp ended at 0 VUs/);
    });
  }
});

Deno.test("run end: a hold that is over before the iterations are says so", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: flow("vus: 1, hold: 300ms, iterations: 1000", "wait: 100ms"),
    url: server.url,
  });
  match(run.stdout, /note: \d of 1,000 iterations began: `hold` ended first/);
});
