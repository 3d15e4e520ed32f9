import { deepStrictEqual, equal, match } from "node:assert/strict";
import { answer } from "../support/answers.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/scene.ts";

const FILES = { "rows.csv": "n\n1\n2\n3\n" };
const FLOW = `flow: rows
data: rows.csv
steps:
  - id: one
    call: "GET /{{ user.n }}"
    assert:
      - $.ok == true
`;

Deno.test("rows: each is run once and reported by itself; one failing row fails the run", async () => {
  await using server = recordingServer(({ line }) =>
    answer(200, { ok: line !== "GET /2" })
  );
  const run = await runOnce({ flow: FLOW, url: server.url, files: FILES });
  equal(run.code, 1);
  equal(
    server.arrivals.map(({ line }) => line).join(),
    "GET /1,GET /2,GET /3",
  );
  deepStrictEqual(
    run.meta.rows?.map(({ row, outcome }) => [row, outcome]),
    [[0, "passed"], [1, "failed"], [2, "passed"]],
  );
  const failure = run.meta.rows![1]!.failure!;
  deepStrictEqual(
    [failure.file, failure.line, failure.expected, failure.actual],
    [
      "flow.yaml",
      7,
      { type: "boolean", text: "true" },
      { type: "boolean", text: "false" },
    ],
  );
  match(run.stdout, /✗ failed +row 2 .* flow\.yaml:7:9/);
  match(run.stdout, /✓ passed +row 1 /);
  match(run.stdout, /✓ passed +row 3 /);
  match(run.stdout, /error_rate 33\.3\d*% \(1 of 3\)/);
});

Deno.test("rows: vus rows run at a time", async () => {
  // No row is answered until all three are there.
  const gate = Promise.withResolvers<void>();
  await using server = recordingServer(async ({ index }) => {
    if (index === 2) gate.resolve();
    await gate.promise;
    return answer(200, { ok: true });
  });
  const flow = FLOW.replace(
    "steps:",
    "profile: { mode: system, vus: 3 }\nsteps:",
  );
  const run = await runOnce({ flow, url: server.url, files: FILES });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.accepted, 3);
  deepStrictEqual(run.traces.map(({ vu }) => vu).sort(), [0, 1, 2]);
});

Deno.test("rows: variables live for one iteration", async () => {
  // The first row has the variable, the second no answer, the third no value.
  await using server = recordingServer(({ line }) =>
    line === "GET /2"
      ? undefined
      : answer(200, line === "GET /1" ? { v: "first" } : {})
  );
  const flow = `flow: variables
data: rows.csv
steps:
  - id: one
    call: "GET /{{ user.n }}"
    extract: { v: $.v }
    on_failure: record
  - { id: two, call: "GET /use/{{ v }}", on_failure: record }
`;
  const run = await runOnce({ flow, url: server.url, files: FILES });
  equal(run.code, 1);
  deepStrictEqual(server.arrivals.map(({ line }) => line), [
    "GET /1",
    "GET /use/first",
    "GET /2",
    "GET /3",
  ]);
  const codes = run.meta.failures.map(({ code, count }) => `${count} ${code}`);
  deepStrictEqual(codes.sort(), ["1 extraction", "1 reset", "2 resolution"]);
  const failed = run.traces[1]!.spans.find(({ name }) => name === "two");
  equal(failed?.failure?.code, "resolution");
  match(failed.failure.message, /\{\{ v \}\}/);
});

Deno.test("rows: on_failure decides what follows a failed step", async (t) => {
  const rows: [policy: string, lines: string, status: string][] = [
    ["abort_flow", "GET /1,GET /2,GET /3", "finished"],
    [
      "record",
      "GET /1,GET /after,GET /2,GET /after,GET /3,GET /after",
      "finished",
    ],
    ["abort_run", "GET /1", "aborted"],
  ];
  await Promise.all(rows.map(([policy, lines, status]) =>
    t.step({
      name: policy,
      fn: async () => {
        await using server = recordingServer(({ line }) =>
          answer(line === "GET /after" ? 200 : 500)
        );
        const flow = `flow: policies
data: rows.csv
steps:
  - { id: one, call: "GET /{{ user.n }}", on_failure: ${policy} }
  - { id: after, call: GET /after }
`;
        const run = await runOnce({ flow, url: server.url, files: FILES });
        equal(run.code, 1);
        equal(server.arrivals.map(({ line }) => line).join(), lines);
        equal(run.meta.status, status);
      },
      sanitizeOps: false,
      sanitizeResources: false,
      sanitizeExit: false,
    })
  ));
});

Deno.test("rows: an error status fails the step unless an assertion looks at the status", async () => {
  await using server = recordingServer(() => answer(404, { a: 1 }));
  const flow = `flow: statuses
steps:
  - { id: judged, call: GET /a, assert: [status == 404] }
  - { id: bare, call: GET /b, assert: [$.a == 1] }
`;
  const run = await runOnce({ flow, url: server.url });
  equal(run.code, 1);
  const [judged, bare] = run.meta.steps;
  deepStrictEqual([judged!.passed, bare!.failed], [1, 1]);
  equal(run.meta.failures[0]?.code, "status");
  match(run.stdout, /the answer was 404 Not Found/);
});
