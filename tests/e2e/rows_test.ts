import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { readStoredRows } from "../../lib/results/store/reader.ts";
import { rawResponse } from "../support/raw_response.ts";
import { bodyOf, recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";

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
    rawResponse(200, { ok: line !== "GET /2" })
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
  const failure = run.meta.rows![1]!.failures[0]!;
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

Deno.test("rows: everything that is wrong with a row is shown, by every report", async () => {
  await using server = recordingServer(({ line }) =>
    line === "GET /two" ? rawResponse(500, {}) : rawResponse(200, { ok: false })
  );
  using fixture = runFixture({
    flow: `flow: rows
steps:
  - id: one
    call: GET /one
    extract: { token: $.token }
    assert:
      - $.ok == true
      - status == 200
      - $.count > 3
    on_failure: record
  - id: two
    call: GET /two
    on_failure: record
  - id: three
    call: GET /three
`,
    url: server.url,
  });
  const args = ["--junit", "junit.xml", "--report-md", "report.md"];
  const run = await fixture.run(args);
  equal(run.code, 1);
  const [row] = run.meta.rows!;
  deepStrictEqual(
    row!.failures.map(({ step, code, line, count }) => [
      step,
      code,
      line,
      count,
    ]),
    [
      ["one", "extraction", 5, 1],
      ["one", "assertion", 7, 1],
      ["one", "assertion", 9, 1],
      ["two", "status", 11, 1],
    ],
  );
  equal(run.meta.failures.length, 2, "one cause a step that did not pass");
  const reports = [
    run.stdout,
    Deno.readTextFileSync(`${fixture.path}/junit.xml`),
    Deno.readTextFileSync(`${fixture.path}/report.md`),
  ];
  for (const report of reports) {
    for (
      const [location, cause] of [["5", "token"], ["7", "ok"], ["9", "count"], [
        "11",
        "500",
      ]]
    ) {
      match(report, new RegExp(`flow\\.yaml:${location}\\b`));
      match(report, new RegExp(cause!));
    }
  }
});

Deno.test("rows: vus rows run at a time", async () => {
  // No row gets a response until all three are there.
  const latch = Promise.withResolvers<void>();
  await using server = recordingServer(async ({ index }) => {
    if (index === 2) latch.resolve();
    await latch.promise;
    return rawResponse(200, { ok: true });
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
  // The first row has the variable, the second no response, the third no value.
  await using server = recordingServer(({ line }) =>
    line === "GET /2"
      ? undefined
      : rawResponse(200, line === "GET /1" ? { v: "first" } : {})
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
  deepStrictEqual(codes.sort(), ["1 extraction", "1 reset"]);
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
          rawResponse(line === "GET /after" ? 200 : 500)
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
      sanitizeExit: false,
    })
  ));
});

Deno.test("rows: an error status fails the step unless an assertion looks at the status", async () => {
  await using server = recordingServer(() => rawResponse(404, { a: 1 }));
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
  match(run.stdout, /response status was 404 Not Found/);
});

Deno.test("rows: max_rps holds back every request: parallel rows, retries, poll rounds, tokens", async () => {
  const rate = 40;
  await using server = recordingServer(({ line, index }) =>
    line === "POST /token"
      ? rawResponse(200, { access_token: "opensesame", token_type: "Bearer" })
      : line === "GET /done"
      ? rawResponse(200, { done: index > 14 })
      : rawResponse(index % 3 === 0 ? 503 : 200)
  );
  const flow = `flow: ceiling
data: rows.csv
profile: { mode: integration, vus: 3 }
auth:
  scheme: oauth2_client_credentials
  token_url: /token
  client_id: me
  client_secret: "{{ env.CLIENT_SECRET }}"
steps:
  - id: one
    call: GET /one
    retry: { on_status: [503], backoff: fixed, max_attempts: 9, base_delay: 0s }
  - id: done
    poll: { call: GET /done, until: ["$.done == true"], interval: 1ms, max_attempts: 99 }
`;
  const run = await runOnce(
    { flow, url: server.url, files: FILES, target: `max_rps: ${rate}\n` },
    [],
    { env: { CLIENT_SECRET: "swordfish" } },
  );
  equal(run.code, 0, run.stdout + run.stderr);
  const sent = server.arrivals.length;
  ok(sent > 15, `${sent} requests`);
  // A tenth of a second may be saved up; from then on one by one.
  const least = (sent - 1 - rate / 10) / rate * 1_000;
  ok(run.meta.duration_ms >= least, `${sent} in ${run.meta.duration_ms} ms`);
  const { generator } = run.meta;
  ok(generator!.held_requests > 0);
  equal(generator!.limited, false);
  match(run.stdout, /held back by the target's max_rps: \d+ requests/);
});

Deno.test("rows: below max_rps nothing is held back, and nothing said of it", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: FLOW,
    url: server.url,
    files: FILES,
    target: "max_rps: 1000\n",
  });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(run.meta.generator, null);
  ok(!run.stdout.includes("max_rps"), run.stdout);
});

Deno.test("rows: values of a JSON fixture arrive as they are written", async () => {
  const nested = '{"b":1.0,"a":[1, 2],\n "id": 9007199254740993}';
  const file =
    `[{"price":1.10,"count":1e3,"id":1234567890123456789,"o":${nested}}]`;
  await using server = recordingServer();
  const flow = `flow: rows
data: rows.json
steps:
  - id: one
    call: POST /{{ user.price }}/{{ user.count }}/{{ user.id }}
    query: { o: "{{ user.o }}" }
    body: { price: "{{ user.price }}", o: "{{ user.o }}", id: "{{ user.id }}", text: "o is {{ user.o }}" }
`;
  const run = await runOnce({
    flow,
    url: server.url,
    files: { "rows.json": file },
  });
  equal(run.code, 0, run.stdout + run.stderr);
  const [arrival] = server.arrivals;
  equal(
    arrival!.line,
    `POST /1.10/1e3/1234567890123456789?o=${encodeURIComponent(nested)}`,
  );
  equal(
    bodyOf(arrival!),
    `{"id":"1234567890123456789","o":${nested},"price":"1.10","text":${
      JSON.stringify(`o is ${nested}`)
    }}`,
  );
});

Deno.test("rows: of a large run every one is in its directory and in its JUnit report", async () => {
  await using server = recordingServer();
  const lines = Array.from({ length: 450 }, (_, n) => n + 1).join("\n");
  using fixture = runFixture({
    flow: FLOW,
    url: server.url,
    files: { "rows.csv": `n\n${lines}\n` },
  });
  const { meta, dir } = await fixture.run(["--junit", "rows.xml"]);
  equal(meta.other_rows, 250);
  deepStrictEqual(
    (await readStoredRows(dir, meta)).map(({ row }) => row),
    Array.from({ length: 450 }, (_, n) => n),
  );
  const xml = Deno.readTextFileSync(`${fixture.path}/rows.xml`);
  equal([...xml.matchAll(/<testcase [^>]*name="row \d+ \d+"/g)].length, 450);
});

Deno.test("rows: one that fails when 64 MiB of traces are stored has its trace, and a note says that others have none", async () => {
  const large = "x".repeat(70_000);
  await using server = recordingServer(({ line }) =>
    rawResponse(line === "POST /559" ? 500 : 200, large)
  );
  const rows = Array.from({ length: 560 }, (_, n) => `${n}\n`).join("");
  const run = await runOnce({
    flow: `flow: rows
data: rows.csv
steps:
  - id: one
    call: POST /{{ user.n }}
    body: ${large}
`,
    url: server.url,
    files: { "rows.csv": `n\n${rows}` },
  });
  equal(run.code, 1);
  const [failure] = run.meta.failures;
  equal(failure!.row, 559);
  equal(failure!.exchange?.request, "POST /559 HTTP/1.1");
  match(run.meta.notes.join(), /not every iteration has its trace/);
});
