import { doesNotMatch, equal, match } from "node:assert/strict";
import type {
  FailureGroup,
  RowSummary,
} from "../../../lib/model/result/run.ts";
import { workspace } from "../../support/bench.ts";
import {
  asker,
  groupOf,
  metaOf,
  putRun,
  verdictOf,
} from "../../support/viewer_fixture.ts";
import { equalsGolden } from "./golden_page.ts";

/*
 * An integration run of three rows, two of which fail at three locations.
 */
const ID = "20261120T180211Z-signup-0000aa";
const WRONG_NAME = groupOf({
  step: "login",
  outcome: "failed",
  code: "assertion",
  message: '$.name == "Ada" does not hold: $.name is the string Bob',
  check: '$.name == "Ada"',
  count: 1,
  file: "signup.yaml",
  line: 9,
  column: 14,
  expected: { type: "string", text: "Ada" },
  actual: { type: "string", text: "Bob" },
});
const NOT_FOUND = groupOf({
  step: "profile",
  outcome: "failed",
  code: "status",
  message: "response status was 404 Not Found",
  count: 1,
  file: "signup.yaml",
  line: 11,
  column: 5,
});
const NO_TOKEN = groupOf({
  step: "login",
  outcome: "failed",
  code: "extraction",
  message: "cannot extract `token`: $.token does not exist",
  count: 1,
  file: "signup.yaml",
  line: 8,
  column: 16,
  expected: { type: "anything", text: "" },
  actual: { type: "nothing", text: "" },
});
const row = (
  n: number,
  name: string,
  failures: readonly FailureGroup[],
): RowSummary => ({
  iteration: n,
  row: n,
  row_name: name,
  outcome: failures.length === 0 ? "passed" : "failed",
  duration_ms: 12 + n,
  trace_id: `00f${n}`,
  failures: failures.map((each) => ({ ...each, trace_id: `00f${n}` })),
});
const META = metaOf({
  id: ID,
  flow: "signup",
  mode: "integration",
  verdict: "fail",
  exit_code: 1,
  vus: 1,
  iterations: { started: 3, completed: 3, passed: 1, failed: 2, throttled: 0 },
  requests: 6,
  error_rate: 2 / 3,
  thresholds: [
    verdictOf("p95(latency) < 5ms", 12, false, 6),
    verdictOf("avg(latency) < 1s", 12, true, 6),
    verdictOf("max(latency) < 10ms", 14, false, 6),
    { ...verdictOf("error_rate <= 0", 2 / 3, false, 3), implied: true },
  ],
  failures: [WRONG_NAME, NOT_FOUND],
  rows: [
    row(0, "ada@example.test", []),
    row(1, "bob@example.test", [WRONG_NAME, NO_TOKEN, NOT_FOUND]),
    row(2, "cyd@example.test", [WRONG_NAME]),
  ],
});

const failureOf = (
  { code, message, expected, actual }: FailureGroup,
  check?: string,
) => ({
  code,
  message,
  ...(check && { check }),
  ...(expected && { expected }),
  ...(actual && { actual }),
});
const TRACE = {
  trace_id: "00f1",
  iteration: 1,
  vu: 0,
  row: 1,
  row_name: "bob@example.test",
  outcome: "failed",
  start_us: 0,
  duration_us: 13_000,
  spans: [
    {
      span_id: "1",
      name: "login",
      start_us: 0,
      duration_us: 9_000,
      outcome: "failed",
      attributes: { kind: "call", call: "POST /login" },
      failure: failureOf(WRONG_NAME, '$.name == "Ada"'),
    },
    {
      span_id: "2",
      parent_id: "1",
      name: "http_call",
      start_us: 0,
      duration_us: 8_000,
      outcome: "failed",
      attributes: { origin: "https://shop.test", status: 200 },
      request: {
        line: "POST /login HTTP/1.1",
        headers: [["Host", "shop.test"]],
        body: '{"user":"bob"}',
        body_bytes: 14,
      },
      response: {
        line: "HTTP/1.1 200 OK",
        headers: [["content-type", "application/json"]],
        body: '{"name":"Bob"}',
        body_bytes: 14,
      },
    },
    {
      span_id: "3",
      parent_id: "2",
      name: "ttfb",
      start_us: 0,
      duration_us: 7_000,
    },
    {
      span_id: "4",
      parent_id: "1",
      name: "login.extract@token",
      start_us: 8_000,
      duration_us: 100,
      outcome: "failed",
      attributes: { check: "$.token" },
      failure: failureOf(NO_TOKEN),
    },
    {
      span_id: "5",
      parent_id: "1",
      name: "login.assert@0",
      start_us: 8_200,
      duration_us: 100,
      outcome: "passed",
      attributes: { check: "status == 200", type: "integer", value: "200" },
    },
    {
      span_id: "6",
      parent_id: "1",
      name: "login.assert@1",
      start_us: 8_400,
      duration_us: 100,
      outcome: "failed",
      attributes: { check: '$.name == "Ada"' },
      failure: failureOf(WRONG_NAME, '$.name == "Ada"'),
    },
    {
      span_id: "7",
      name: "profile",
      start_us: 9_000,
      duration_us: 4_000,
      outcome: "failed",
      attributes: { kind: "call", call: "GET /me" },
      failure: failureOf(NOT_FOUND),
    },
  ],
};

for (
  const [name, path] of [
    ["functional", `/runs/${ID}`],
    ["functional_trace", `/runs/${ID}/traces/00f1`],
  ] as const
) {
  Deno.test(`pages: ${name} opens with what failed, where, and all of it`, async () => {
    using folder = workspace({});
    putRun(folder.path, META, {
      "traces.json": `{"schema":1,"policy":"all","traces":[\n${
        JSON.stringify(TRACE)
      }\n],"truncated":false}\n`,
    });
    equalsGolden(name, await (await asker(folder.path)(path)).text());
  });
}

Deno.test("export: without payloads, what failed shows no body and no frame", async () => {
  using folder = workspace({});
  const shown = (exchange: NonNullable<FailureGroup["exchange"]>) => ({
    ...META,
    failures: META.failures.map((each) => ({ ...each, exchange })),
    reason: { text: WRONG_NAME.message, key: WRONG_NAME.key },
  });
  const metas = [
    shown({
      request: "POST /login HTTP/1.1",
      response: "HTTP/1.1 200 OK",
      body: "BODY",
    }),
    shown({ request: 'sent "FRAME"', response: "text frame" }),
  ];
  for (const meta of metas) {
    putRun(folder.path, meta, {
      "traces.json": `{"schema":1,"policy":"all","traces":[\n${
        JSON.stringify(TRACE)
      }\n],"truncated":false}\n`,
    });
    const report = async (query: string) =>
      await (await asker(folder.path)(`/runs/${ID}/export/html${query}`))
        .text();
    const payload = /BODY|FRAME|&quot;user&quot;/;
    const [whole, without] = [await report(""), await report("?payloads=no")];
    match(whole, /BODY|FRAME/);
    match(whole, /&quot;user&quot;/);
    doesNotMatch(without, payload);
    match(without, /POST \/login/);
  }
});

Deno.test("trace page: that of a teardown says where it failed, and is in no list of iterations", async () => {
  using folder = workspace({});
  const { key: _, ...facts } = NOT_FOUND;
  const clean = groupOf({ ...facts, step: "clean", line: 20 });
  const failure = { code: clean.code, message: clean.message };
  const trace = {
    ...{ trace_id: "b".repeat(32), once: "teardown" },
    ...{ iteration: 0, vu: 0, outcome: "failed" },
    ...{ start_us: 9_000_000, duration_us: 500 },
    spans: [{
      ...{ span_id: "1".repeat(16), name: "clean", kind: "step" },
      ...{ start_us: 9_000_000, duration_us: 500, outcome: "failed", failure },
    }],
  };
  const teardown = {
    outcome: "failed" as const,
    ...{ duration_ms: 1, requests: 1, steps: [] },
    ...{ trace_id: trace.trace_id, failures: [clean] },
  };
  const meta = metaOf({ teardown });
  putRun(folder.path, meta, {
    "traces.json": `{"schema":1,"policy":"all","traces":[\n${
      JSON.stringify(trace)
    }\n],"truncated":false}\n`,
  });
  const address = `/runs/${meta.id}/traces/${trace.trace_id}`;
  const text = await (await asker(folder.path)(address)).text();
  match(text, /<h1>Teardown/);
  match(text, /signup\.yaml:20:5/);
  doesNotMatch(text, /previous|kept, by time/);
});

Deno.test("trace page: a response that was cut off is not said to have no body", async () => {
  using folder = workspace({});
  const bodyOf = async (code: string) => {
    const failure = { code, message: "it failed" };
    const times = { start_us: 0, duration_us: 500 };
    const line = "HTTP/1.1 500 Internal Server Error";
    const trace = {
      ...{ trace_id: "c".repeat(32), iteration: 0, vu: 0, outcome: "failed" },
      ...times,
      spans: [
        { ...times, span_id: "1".repeat(16), name: "a", kind: "step", failure },
        {
          ...{ ...times, span_id: "2".repeat(16), parent_id: "1".repeat(16) },
          ...{ name: "http_call", kind: "call", outcome: "failed", failure },
          request: { line: "GET / HTTP/1.1", headers: [] },
          response: { line, headers: [["Content-Length", "100"]] },
        },
      ],
    };
    putRun(folder.path, META, {
      "traces.json": `{"schema":1,"policy":"all","traces":[\n${
        JSON.stringify(trace)
      }\n],"truncated":false}\n`,
    });
    const address = `/runs/${META.id}/traces/${trace.trace_id}`;
    const text = await (await asker(folder.path)(address)).text();
    return /Response<\/p>[\s\S]*?<p class="empty">([^<]*)/.exec(text)?.[1];
  };
  equal(await bodyOf("reset"), "No body was kept of this failed response.");
  equal(await bodyOf("status"), "No body.");
});
