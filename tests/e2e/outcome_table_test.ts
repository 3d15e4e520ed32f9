import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import {
  grpcServer,
  refuse,
  respond,
  textField,
} from "../support/grpc_server.ts";
import {
  HTTP_VERSIONS,
  type HttpVersion,
} from "../../lib/model/result/response.ts";
import { spoken } from "../support/spoken.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";
import { wsServer } from "../support/ws_server.ts";

/*
 * The specification's table "Outcome classification", row by row: one step a
 * row, all of them in one flow that goes on after each, in every mode.
 */

type Class = "passed" | "throttled" | "failed";

interface Row {
  readonly says: string;
  /** The step without its id; `HTTP`, `WS` and `GRPC` are the servers. */
  readonly step: string;
  readonly becomes: Class;
  /** What the failure says. */
  readonly why?: RegExp;
  /** Attempts by class, where there is more than one. */
  readonly attempts?: Readonly<Record<Class, number>>;
}

const RETRY = (status: number) =>
  `retry: { on_status: [${status}], backoff: fixed, max_attempts: 3, base_delay: 0s }`;
const HONOR = (status: number) =>
  `retry: { on_status: [${status}], backoff: honor_retry_after, max_attempts: 3, base_delay: 1h }`;
const GRAPHQL = (document: string, onErrors: string, more = "") =>
  `graphql: { url: HTTP/graphql, query: "${document}", on_errors: ${onErrors} }${more}`;
const GRPC = (method: string, more = "") =>
  `grpc: { proto: desk.proto, method: desk.Desk/${method}, url: GRPC }${more}`;
const CLOSED = (code: number) =>
  `ws: { url: WS, session: s${code}, send: { close: ${code} }, receive: }`;

const ROWS: readonly Row[] = [
  { says: "429", step: "call: GET HTTP/429", becomes: "throttled" },
  {
    says: "429, whatever an assertion thinks of it",
    step: "call: GET HTTP/429, assert: [status == 429, $.a == 7]",
    becomes: "throttled",
  },
  {
    says: "Retry-After of a 429 is there for the backoff",
    step: `call: GET HTTP/after/429, ${HONOR(429)}`,
    becomes: "throttled",
    attempts: { passed: 0, throttled: 3, failed: 0 },
  },
  {
    says: "a declared status",
    step: "call: GET HTTP/503, throttle: { statuses: [503] }",
    becomes: "throttled",
  },
  {
    says: "a declared status and its Retry-After",
    step: `call: GET HTTP/after/503, throttle: { statuses: [503] }, ${
      HONOR(503)
    }`,
    becomes: "throttled",
    attempts: { passed: 0, throttled: 3, failed: 0 },
  },
  {
    says: "503 is never guessed to be one",
    step: "call: GET HTTP/503",
    becomes: "failed",
    why: /^response status was 503\b/,
  },
  {
    says: "429 on the handshake",
    step: "ws: { url: WS/429 }",
    becomes: "throttled",
  },
  {
    says: "a declared status on the handshake",
    step: "ws: { url: WS/503, session: a }, throttle: { statuses: [503] }",
    becomes: "throttled",
  },
  {
    says: "503 on the handshake",
    step: "ws: { url: WS/503, session: b }",
    becomes: "failed",
    why: /\b503\b/,
  },
  {
    says: "close code 1013",
    step: CLOSED(1013),
    becomes: "throttled",
    why: /^Throttled by the target: close code 1013 \(try again later\)/,
  },
  {
    says: "any other close code",
    step: CLOSED(1011),
    becomes: "failed",
    why: /^the server closed the session with code 1011 \(internal error\)/,
  },
  {
    says: "an end that says nothing",
    step: CLOSED(1000),
    becomes: "failed",
    why: /code 1000/,
  },
  {
    says: "RESOURCE_EXHAUSTED",
    step: GRPC("Limited"),
    becomes: "throttled",
  },
  {
    says: "any other gRPC status",
    step: GRPC("Missing"),
    becomes: "failed",
    why: /NOT_FOUND \(5\)/,
  },
  {
    says: "a failing assertion on a gRPC response",
    step: GRPC("Ask", ", assert: [$.text == no]"),
    becomes: "failed",
    why: /^\$\.text == "?no"? does not hold/,
  },
  { says: "a gRPC response", step: GRPC("Ask"), becomes: "passed" },
  {
    says: "a failing assertion",
    step: "call: GET HTTP/200, assert: [$.a == 7]",
    becomes: "failed",
    why: /^\$\.a == 7 does not hold/,
  },
  {
    says: "attempts used up while throttled",
    step: `call: GET HTTP/429, ${RETRY(429)}`,
    becomes: "throttled",
    attempts: { passed: 0, throttled: 3, failed: 0 },
  },
  {
    says: "the same on gRPC",
    step: GRPC("Limited", `, ${RETRY(429)}`),
    becomes: "throttled",
    attempts: { passed: 0, throttled: 3, failed: 0 },
  },
  {
    says: "attempts used up with an error status",
    step: `call: GET HTTP/500, ${RETRY(500)}`,
    becomes: "failed",
    attempts: { passed: 0, throttled: 0, failed: 3 },
    why: /^gave up after 3 attempts: response status was 500\b/,
  },
  {
    says: "throttled first, then an error status",
    step: `call: GET HTTP/then/429/500, ${RETRY(429)}`,
    becomes: "failed",
    attempts: { passed: 0, throttled: 1, failed: 1 },
    why: /^response status was 500\b/,
  },
  {
    says: "throttled first, then served",
    step: `call: GET HTTP/then/429/200, ${RETRY(429)}`,
    becomes: "passed",
    attempts: { passed: 1, throttled: 1, failed: 0 },
  },
  {
    says: "a throttle that is not listed is not tried again",
    step: `call: GET HTTP/429, ${RETRY(503)}`,
    becomes: "throttled",
  },
  {
    says: "GraphQL errors, fail",
    step: GRAPHQL("{ partial }", "fail"),
    becomes: "failed",
    why: /GraphQL error at partial\.name: no name/,
  },
  {
    says: "GraphQL errors, allow_partial, some data",
    step: GRAPHQL(
      "{ partial }",
      "allow_partial",
      ', extract: { id: $.data.partial.id }, assert: ["$.data.partial.id == 7"]',
    ),
    becomes: "passed",
  },
  {
    says: "GraphQL errors, allow_partial, no data",
    step: GRAPHQL("{ nothing }", "allow_partial"),
    becomes: "failed",
    why: /no data was resolved/,
  },
  {
    says: "GraphQL errors, ignore",
    step: GRAPHQL("{ nothing }", "ignore"),
    becomes: "passed",
  },
  {
    says: "GraphQL errors, ignore, and the step's own assertion",
    step: GRAPHQL("{ nothing }", "ignore", ', assert: ["$.errors == null"]'),
    becomes: "failed",
    why: /^\$\.errors not_exists does not hold/,
  },
  {
    says: "429 to a GraphQL operation",
    step: GRAPHQL("{ limited }", "fail"),
    becomes: "throttled",
  },
];

const PROTO = `syntax = "proto3";
package desk;
message Note { string text = 1; }
service Desk {
  rpc Ask (Note) returns (Note);
  rpc Limited (Note) returns (Note);
  rpc Missing (Note) returns (Note);
}
`;

const GRAPHQL_RESPONSES: Readonly<Record<string, unknown>> = {
  partial: {
    data: { partial: { id: 7, name: null } },
    errors: [{ message: "no name", path: ["partial", "name"] }],
  },
  nothing: { data: { nothing: null }, errors: [{ message: "boom" }] },
};

/** `/429`, `/after/429` with Retry-After, `/then/429/200` by turns. */
function httpServer() {
  const turns = new Map<string, number>();
  return recordingServer(({ line, text }) => {
    const path = line.split(" ")[1]!;
    if (path === "/graphql") {
      const name = /\{ (\w+) \}/.exec(text)![1]!;
      const body = GRAPHQL_RESPONSES[name];
      return body ? rawResponse(200, body) : rawResponse(429, {});
    }
    const statuses = path.split("/").slice(1).filter((each) => +each > 0);
    const turn = turns.get(path) ?? 0;
    turns.set(path, turn + 1);
    const status = Number(statuses[turn % statuses.length]);
    const after = path.startsWith("/after") ? { "Retry-After": "0" } : {};
    return rawResponse(status, { a: 1 }, after as Record<string, string>);
  });
}

/** Every server of the table, and the flow that goes through it. */
async function table(
  mode: string,
  asError?: boolean,
  version: HttpVersion = "1.1",
) {
  const plain = httpServer();
  const ws = await wsServer({
    upgrade(request, stream) {
      const status = /^\/(\d+)$/.exec(request.url ?? "")?.[1];
      if (status === undefined) return true;
      stream.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return false;
    },
    session: ({ socket }) =>
      socket.on(
        "message",
        (data) =>
          socket.close(JSON.parse(new TextDecoder().decode(data)).close),
      ),
  });
  const grpc = await grpcServer((call) =>
    call.path.endsWith("/Ask")
      ? respond(call, textField("yes"))
      : refuse(call, call.path.endsWith("/Limited") ? 8 : 5)
  );
  const http = await spoken(plain, version);
  const bound = mode === "integration" || mode === "system"
    ? ""
    : ", iterations: 1";
  const steps = ROWS.map(({ step }, index) => {
    const written = step
      .replace("HTTP", http.url)
      .replace("WS", ws.url.replace("http", "ws"))
      .replace("GRPC", `"grpc://127.0.0.1:${grpc.port}"`);
    const declared = /throttle: \{ /.test(written)
      ? written.replace("throttle: { ", `throttle: { as_error: ${asError}, `)
      : `${written}, throttle: { as_error: ${asError} }`;
    const whole = asError === undefined ? written : declared;
    return `  - { id: row${index}, on_failure: record, ${whole} }\n`;
  });
  try {
    return await runOnce({
      flow: `flow: outcomes\nprofile: { mode: ${mode}${bound} }\nsteps:\n${
        steps.join("")
      }`,
      url: `${http.url}, "${ws.url}", "http://127.0.0.1:${grpc.port}"`,
      files: { "desk.proto": PROTO },
    }, http.args);
  } finally {
    await Promise.all(
      [http, plain, ws, grpc].map((each) => each[Symbol.asyncDispose]()),
    );
  }
}

const FUNCTIONAL = ["integration", "system"];
const CASES: readonly [mode: string, asError: boolean | undefined][] = [
  ["integration", undefined],
  ["system", undefined],
  ["load", undefined],
  ["stress", undefined],
  ["soak", undefined],
  ["integration", false],
  ["load", true],
];

const ALL = CASES.flatMap(([mode, asError]) =>
  HTTP_VERSIONS.map((version) => [mode, asError, version] as const)
);

for (const [mode, asError, version] of ALL) {
  const title = asError === undefined ? mode : `${mode}, as_error: ${asError}`;
  Deno.test(`outcome table: ${title}, over HTTP/${version}`, async () => {
    const run = await table(mode, asError, version);
    const isError = asError ?? FUNCTIONAL.includes(mode);
    const [{ spans } = { spans: [] }] = run.traces;
    for (const [index, { says, becomes, why, attempts }] of ROWS.entries()) {
      const step = run.meta.steps[index];
      ok(step, run.stderr);
      const { passed, throttled, failed } = step;
      deepStrictEqual(
        { passed, throttled, failed },
        { passed: 0, throttled: 0, failed: 0, [becomes]: 1 },
        says,
      );
      if (attempts) deepStrictEqual(step.attempts, attempts, says);
      const span = spans.find(({ name }) => name === `row${index}`)!;
      equal(span.outcome, becomes, says);
      const counts = span.attributes?.["throttle_is_error"] === true;
      equal(counts, becomes === "throttled" && isError, says);
      if (why) match(span.failure!.message, why, says);
    }
    // The one iteration is both throttled and failed: it counts in both rates.
    deepStrictEqual([run.meta.error_rate, run.meta.throttle_rate], [1, 1]);
  });
}
