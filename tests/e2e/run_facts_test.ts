import { deepStrictEqual, equal, match } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";

const FLOW = `flow: facts
data: users.csv
auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
steps:
  - id: get
    call: "GET /users/{{ user.email }}"
    extract: { name: $.name }
    assert: [status == 200, $.name != Bob]
`;
const FILES = {
  "users.csv":
    "password,email,note\npw-one,ada@example.com,vip\npw-two,bob@example.com,s3cret-token\n",
};

Deno.test("meta.json: how often each check held, rows by their fixture's values without secrets, and what was not declared", async () => {
  await using server = recordingServer(({ line }) =>
    rawResponse(200, { name: line.includes("bob") ? "Bob" : "Ada" })
  );
  const run = await runOnce({ flow: FLOW, url: server.url, files: FILES }, [], {
    env: { TOKEN: "s3cret-token" },
  });
  const { rows, steps, thresholds, failures } = run.meta;
  deepStrictEqual(steps[0]!.checks, [
    { check: "$.name", passed: 2, failed: 0 },
    { check: "status == 200", passed: 2, failed: 0 },
    { check: '$.name != "Bob"', passed: 1, failed: 1 },
  ]);
  deepStrictEqual(
    rows!.map((row) => row.row_name),
    ["ada@example.com vip", "bob@example.com [redacted]"],
  );
  deepStrictEqual(
    run.traces.map((trace) => trace.row_name),
    rows!.map((row) => row.row_name),
  );
  equal(failures[0]!.row_name, "bob@example.com [redacted]");
  match(run.stdout, /row 2 bob@example\.com \[redacted\]/);
  equal(thresholds[0]!.expression, "error_rate <= 0");
  equal(thresholds[0]!.implied, true);
  equal(run.stdout.includes("pw-two"), false);
});

Deno.test("meta.json: a declared threshold is not an implied one, and load counts checks in every thread", async () => {
  await using server = recordingServer(() => rawResponse(200, { name: "Ada" }));
  const flow = FLOW.replace(
    "steps:",
    `profile: { mode: load, vus: 2, iterations: 40, thresholds: ["error_rate <= 1%"] }\nsteps:`,
  ).replace("data: users.csv\n", "").replace("{{ user.email }}", "x");
  const run = await runOnce({ flow, url: server.url }, ["--workers", "2"], {
    env: { TOKEN: "s3cret-token" },
  });
  equal(run.meta.thresholds[0]!.implied, undefined);
  deepStrictEqual(
    run.meta.steps[0]!.checks.map(({ passed, failed }) => [passed, failed]),
    [[40, 0], [40, 0], [40, 0]],
  );
  equal(run.traces.every(({ rank }) => rank! >= 0 && rank! < 1), true);
});
