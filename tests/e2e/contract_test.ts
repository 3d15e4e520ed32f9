import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { verdictSentence } from "../../viewer/model/verdict.ts";
import { rawResponse } from "../support/raw_response.ts";
import {
  type RecordingServer,
  recordingServer,
} from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

/** An API of books, in version 3.0. */
const BOOKS = `openapi: 3.0.3
info: { title: Books, version: "1" }
servers: [{ url: https://books.example/v1 }]
paths:
  /books:
    get:
      responses:
        "200":
          description: all
          content:
            application/json:
              schema: { type: array, items: { $ref: "parts.yaml#/Book" } }
  /books/{isbn}:
    get:
      responses:
        "200":
          description: one
          content: { application/json: { schema: { $ref: "parts.yaml#/Book" } } }
        "404": { description: none }
    delete: { responses: { "204": { description: gone } } }
`;
const PARTS = `Book:
  type: object
  required: [isbn, title]
  properties:
    isbn: { type: string }
    title: { type: string }
    pages: { type: integer, nullable: true }
`;
const FILES = { "books.yaml": BOOKS, "parts.yaml": PARTS };
const BOOK = { isbn: "1", title: "A", pages: null };
const OPENAPI = ["--openapi", "books.yaml"];

const FLOW = `flow: books
steps:
  - { id: all, call: GET /v1/books, on_failure: record }
  - { id: one, call: GET /v1/books/1, assert: [status == 200] }
`;

function booksServer(one: unknown = BOOK): RecordingServer {
  return recordingServer(({ line }) =>
    rawResponse(200, line.endsWith("/1") ? one : [BOOK])
  );
}

Deno.test("contract: responses that are as described are checks that hold", async () => {
  await using server = booksServer();
  using fixture = runFixture({ flow: FLOW, url: server.url, files: FILES });
  const { code, meta, traces, stdout } = await fixture.run(OPENAPI);
  equal(code, 0, stdout);
  deepEqual(meta.contract, {
    description: "books.yaml",
    contract: "fail",
    sampled: 1,
    operations: [
      { operation: "GET /books", checked: 1, broken: 0 },
      { operation: "GET /books/{isbn}", checked: 1, broken: 0 },
    ],
    violations: [],
    other_violations: 0,
    unreached: ["DELETE /books/{isbn}"],
    undescribed: [],
  });
  deepEqual(meta.steps[1]!.checks, [
    { check: "status == 200", passed: 1, failed: 0 },
    { check: "contract", passed: 1, failed: 0 },
  ]);
  const spans = traces[0]!.spans.filter(({ kind }) => kind === "contract");
  deepEqual(
    spans.map(({ attributes, outcome }) => [attributes!.check, outcome]),
    [["GET /books 200", "passed"], ["GET /books/{isbn} 200", "passed"]],
  );
  match(
    stdout,
    /2 responses checked: all are as described; 2 of 3\s+operations\s+reached/,
  );
  match(stdout, /not reached: DELETE \/books\/\{isbn\}/);
});

Deno.test("contract: what drifted fails its step, and is grouped by operation and schema path", async () => {
  await using server = booksServer({ isbn: 1, pages: "many" });
  using fixture = runFixture({ flow: FLOW, url: server.url, files: FILES });
  const { code, meta, traces, stdout } = await fixture.run([
    ...OPENAPI,
    "--junit=out.xml",
    "--report-md=out.md",
  ]);
  const written = (name: string) =>
    Deno.readTextFileSync(join(fixture.path, name));
  equal(code, 1);
  const [failure] = meta.failures;
  deepEqual([failure!.step, failure!.code, failure!.line], [
    "one",
    "contract",
    4,
  ]);
  match(failure!.message, /^GET \/books\/\{isbn\} 200: /);
  const [trace] = traces;
  deepEqual(
    meta.contract!.violations.map((
      { operation, schema, count, steps, trace_id },
    ) => [operation, schema, count, steps.join(), trace_id]),
    ["Book/required", "Book/properties/isbn/type", "Book/properties/pages/type"]
      .map((
        schema,
      ) => ["GET /books/{isbn}", schema, 1, "one", trace!.trace_id]),
  );
  match(stdout, /✗ 1 × {2}GET \/books\/\{isbn\} 200 Book\/required/);
  const failed = trace!.spans.filter(({ kind, outcome }) =>
    kind === "contract" && outcome === "failed"
  );
  equal(failed.length, 3);
  match(
    written("out.xml"),
    /<testcase classname="books" name="contract GET \/books" time="0.000"\/>/,
  );
  match(
    written("out.xml"),
    /name="contract GET \/books\/\{isbn\}"[^>]*>\s*<failure/,
  );
  match(written("out.md"), /### Contract/);
});

Deno.test("contract: with --contract warn nothing fails, and it is said all the same", async () => {
  await using server = recordingServer(({ line }) =>
    line.endsWith("/1")
      ? rawResponse(418, "<p>", { "Content-Type": "text/html" })
      : rawResponse(200, "[", { "Content-Type": "application/json" })
  );
  using fixture = runFixture({
    flow: FLOW.replace("status == 200", "status == 418") +
      "  - { id: other, call: GET /v1/shelves }\n",
    url: server.url,
    files: FILES,
  });
  const { code, meta, stdout } = await fixture.run([
    ...OPENAPI,
    "--contract=warn",
    "--junit=out.xml",
  ]);
  equal(code, 0, stdout);
  deepEqual(
    meta.contract!.violations.map((
      { rule, message, steps },
    ) => [rule, message, ...steps]),
    [
      ["body", "the body is not JSON", "all"],
      ["status", "status 418 is not described", "one"],
    ],
  );
  deepEqual(meta.contract!.undescribed, ["other"]);
  match(stdout, /not described: what step other requests/);
  const junit = Deno.readTextFileSync(join(fixture.path, "out.xml"));
  match(junit, /failures="0"/);
  match(junit, /contract GET \/books"[^>]*>\s*<skipped/);
});

Deno.test("contract: every attempt and every round is held against it", async () => {
  let count = 0;
  await using server = recordingServer(() =>
    count++ % 2 === 0 ? rawResponse(503) : rawResponse(200, BOOK)
  );
  const flow = `flow: books
steps:
  - id: again
    call: GET /v1/books/1
    retry: { on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 1ms }
  - id: rounds
    poll: { call: GET /v1/books/1, until: [status == 200], interval: 1ms, max_attempts: 3 }
`;
  using fixture = runFixture({ flow, url: server.url, files: FILES });
  const { meta } = await fixture.run([...OPENAPI, "--contract", "warn"]);
  equal(server.arrivals.length, 4);
  deepEqual(meta.contract!.operations, [
    { operation: "GET /books/{isbn}", checked: 4, broken: 2 },
  ]);
  deepEqual(
    meta.contract!.violations.map((
      { message, count, steps },
    ) => [message, count, ...steps]),
    [["status 503 is not described", 2, "again", "rounds"]],
  );
});

const LOAD = FLOW.replace(
  "steps:",
  "profile: { mode: load, vus: 4, iterations: 3000, thresholds: [error_rate < 50%] }\nsteps:",
);

Deno.test("contract: a load run checks a sample, the same one by its seed, and has a trace of what drifted", async () => {
  await using server = booksServer({ isbn: "1", title: 7 });
  using fixture = runFixture({ flow: LOAD, url: server.url, files: FILES });
  const first = await fixture.run([...OPENAPI, "--workers=2"]);
  const again = await fixture.run([...OPENAPI, "--workers=1"]);
  equal(first.code, 1, first.stdout);
  const { meta: { contract, iterations, error_rate, thresholds, notes } } =
    first;
  equal(iterations.completed, 3000);
  // Rates of iterations are no rates of a sample.
  deepEqual([error_rate, thresholds[0]!.pass], [0, true]);
  match(notes.join(), /--contract warn/);
  match(
    verdictSentence(first.meta),
    /^Responses are not as described: GET \/books\/\{isbn\} 200: \/title must be string\./,
  );
  equal(contract!.sampled, 0.01);
  const [all, one] = contract!.operations;
  for (const { checked } of [all!, one!]) {
    ok(checked > 10 && checked < 100, String(checked));
  }
  equal(one!.broken, one!.checked);
  deepEqual(again.meta.contract!.operations, contract!.operations);
  const [violation] = contract!.violations;
  equal(violation!.schema, "Book/properties/title/type");
  const trace = first.traces.find(({ trace_id }) =>
    trace_id === violation!.trace_id
  );
  const call = trace!.spans.find(({ response }) =>
    response?.body?.includes("7")
  );
  ok(call, "the trace has the response");
});

Deno.test("contract: what a warm-up reached is reached, though nothing of it is checked", async () => {
  await using server = booksServer({ isbn: "1", title: "x" });
  const profile =
    "profile: { mode: load, vus: 1, hold: 600ms, arrival_cap: 100/s, warm_up: 400ms }";
  const flow = `version: 1\n${FLOW.replace("steps:", `${profile}\nsteps:`)}`;
  using fixture = runFixture({ flow, url: server.url, files: FILES });
  const { meta: { contract, warm_up } } = await fixture.run([...OPENAPI]);
  ok(warm_up!.requests > 10);
  const reached = contract!.operations.map(({ operation }) => operation);
  deepEqual(reached, ["GET /books", "GET /books/{isbn}"]);
  for (const { operation } of contract!.operations) {
    ok(!contract!.unreached.includes(operation));
  }
});

Deno.test("contract: the first iterations of each flow of a mix are checked, however late they come", async () => {
  await using server = booksServer({ isbn: "1", title: "x" });
  const one = (name: string, call: string) =>
    `flow: ${name}\nsteps:\n  - { id: a, call: GET ${call} }\n`;
  using fixture = runFixture({
    flow: `version: 1
mix: both
flows:
  - { flow: often.yaml, weight: 99 }
  - { flow: seldom.yaml, weight: 1 }
profile: { mode: load, vus: 2, iterations: 300 }
`,
    url: server.url,
    files: {
      ...FILES,
      "often.yaml": one("often", "/v1/books"),
      "seldom.yaml": one("seldom", "/v1/books/1"),
    },
  });
  const { meta } = await fixture.run([...OPENAPI]);
  const seldom = meta.contract!.operations[1]!;
  deepEqual([seldom.operation, seldom.checked], ["GET /books/{isbn}", 3]);
});

const AROUND = `version: 1
flow: books
setup:
  - { id: one, call: GET /v1/books/1 }
steps:
  - { id: all, call: GET /v1/books, assert: [status == 200] }
teardown:
  - { id: after, call: GET /v1/books }
`;

Deno.test("contract: the responses of setup and teardown are held against it, and marked", async () => {
  await using server = booksServer({ isbn: "1", title: 7 });
  using fixture = runFixture({ flow: AROUND, url: server.url, files: FILES });
  const load = ["--mode=load", "--vus=2", "--iterations=30"];
  for (const [mode, code] of [["fail", 1], ["warn", 0]] as const) {
    const { meta, traces, ...run } = await fixture.run([
      ...OPENAPI,
      `--contract=${mode}`,
      ...load,
    ]);
    equal(run.code, code, run.stdout);
    equal(meta.iterations.completed, 30);
    const { violations, operations } = meta.contract!;
    deepEqual(violations.map(({ steps }) => steps), [["one (setup)"]]);
    equal(operations[1]!.checked, 1);
    equal(violations[0]!.trace_id, meta.setup!.trace_id);
    const [setup] = traces.filter(({ once }) => once === "setup");
    ok(
      setup!.spans.some(({ kind, outcome }) =>
        kind === "contract" && outcome === "failed"
      ),
    );
  }
  const functional = await fixture.run(OPENAPI);
  equal(functional.code, 1);
  equal(functional.meta.setup!.outcome, "failed");
  deepEqual(
    functional.meta.contract!.operations.map(({ checked }) => checked),
    [
      1,
      1,
    ],
  );
});

Deno.test("contract: values that are secrets show nowhere", async () => {
  const TOKEN = "tok-7f3a91c2e8";
  await using server = booksServer({ isbn: [TOKEN], title: "A", pages: TOKEN });
  using fixture = runFixture({
    flow: FLOW.replace(
      "steps:",
      'auth: { scheme: bearer, token: "{{ env.TOKEN }}" }\nsteps:',
    ),
    url: server.url,
    files: FILES,
  });
  const { meta, stdout, traces } = await fixture.run(OPENAPI, {
    env: { TOKEN },
  });
  equal(meta.contract!.violations.length, 2);
  ok(!JSON.stringify([meta, stdout, traces]).includes(TOKEN));
  match(stdout, /\[redacted\]/);
});

Deno.test("contract: a description that cannot be used is refused before the first request", async () => {
  await using server = booksServer();
  const rows: [openapi: string, why: RegExp][] = [
    ["none.yaml", /none\.yaml cannot be read: it does not exist/],
    ["parts.yaml", /parts\.yaml is not an OpenAPI file/],
    ["odd.yaml", /odd\.yaml: a schema of GET \/books cannot be used/],
  ];
  const odd = BOOKS.replace("type: array", "type: strange");
  using fixture = runFixture({
    flow: FLOW,
    url: server.url,
    files: { ...FILES, "odd.yaml": odd },
  });
  for (const [openapi, why] of rows) {
    const { code, stderr, dir } = await fixture.run(["--openapi", openapi]);
    deepEqual([code, dir], [2, ""], stderr);
    match(stderr, why);
  }
  equal(server.arrivals.length, 0);
});
