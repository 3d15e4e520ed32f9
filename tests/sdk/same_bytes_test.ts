import { deepEqual, equal, ok } from "node:assert/strict";
import { parse } from "yaml";
import { answer } from "../support/answers.ts";
import {
  recordingServer,
  type Responder,
} from "../support/recording_server.ts";
import { type Paths, throughEngine, throughPython } from "./both_paths.ts";

const SOCKETS = { sanitizeOps: true, sanitizeResources: true };
const ENV = {
  TOKEN: "t0ken-value",
  PASSWORD: "pass:wörd",
  KEY: "hmac key",
  SECRET: "client secret",
  TENANT: "acme",
};

/** Answers the nth request of a line differently; forgets when told to. */
function scripted(): { respond: Responder; forget(): void } {
  const seen = new Map<string, number>();
  const script: Record<string, readonly string[]> = {
    "GET /flaky": [answer(503), answer(503), answer(200, { n: 3 })],
    "POST /token": [
      answer(401, { error: "invalid_client" }),
      answer(200, { access_token: "fetched", expires_in: 3600 }),
    ],
    "GET /job": [
      answer(200, { state: "new" }),
      answer(429, {}),
      answer(200, { state: "done", result: [1, 2] }),
    ],
    "POST /graphql": [answer(200, { data: { user: { id: 7.0 } } })],
  };
  return {
    forget: () => seen.clear(),
    respond({ line }) {
      const count = seen.get(line) ?? 0;
      seen.set(line, count + 1);
      const answers = script[line] ?? [
        answer(200, {
          id: 42,
          name: 'é "q" ☃',
          big: 1e21,
          list: [1, { b: 1, a: null }],
        }),
      ];
      return answers[Math.min(count, answers.length - 1)];
    },
  };
}

const FLOW = `
flow: everything
data: rows.csv
auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
steps:
  - id: first
    call: POST /login?x=1
    headers: { X-Tenant: "{{ env.TENANT }}", x-b: "2", Accept: "*/*", User-Agent: "" }
    query: { q: ["a b", "{{ user.name }}"], é: "ü&=+" }
    body: { z: "{{ user.json }}", a: "Dear {{ user.name }}!", n: [1.0, -0.5, 1e21, null] }
    extract: { got: $, id: $.id, name: $.name, big: $.big, list: $.list }
  - id: uses
    call: PUT /items/{{ id }}/{{ name }}?y={{ list }}
    headers: { content-type: text/plain, X-Name: "{{ id }}" }
    body: { whole: "{{ got }}", list: "{{ list }}", text: "n={{ big }}" }
    auth: { scheme: basic, username: ada, password: "{{ env.PASSWORD }}" }
  - { id: empty, call: POST /empty, auth: { scheme: none } }
  - { id: gone, call: DELETE /gone }
  - id: signed
    call: PATCH /signed?b=2&a=1
    body: "{{ user.name }}"
    auth: { scheme: hmac, secret: "{{ env.KEY }}", key_id: me, timestamp_header: X-Time }
  - id: signed-512
    call: GET /signed
    auth:
      scheme: hmac
      secret: "{{ env.KEY }}"
      algorithm: sha512
      encoding: base64
      header: Sig
      sign: "{method} {path}?{query} {body}{body_sha256} {timestamp}"
  - id: flaky
    call: GET /flaky
    retry: { on_status: [503], backoff: exponential, max_attempts: 3, base_delay: 1ms }
    auth: { scheme: hmac, secret: "{{ env.KEY }}" }
  - id: cookie
    call: GET /cookie
    headers: { Cookie: a=b }
    auth: { scheme: cookie, name: sid, value: "{{ env.TOKEN }}" }
  - id: key
    call: GET /key?x
    auth: { scheme: api_key, name: api key, value: "{{ env.SECRET }}", in: query }
  - id: oauth
    call: GET /oauth
    auth:
      scheme: oauth2_client_credentials
      token_url: /token
      client_id: me & you
      client_secret: "{{ env.SECRET }}"
      scopes: [read, "write all"]
  - id: job
    poll:
      call: GET /job
      until: [$.state == done]
      interval: 1ms
      max_attempts: 5
    extract: { result: $.result }
  - { id: pause, wait: 1ms }
  - id: graph
    graphql:
      url: /graphql
      query: "query Q($id: ID!, $result: [Int]) {\\n  user(id: $id) { id }\\n}"
      variables: { id: "{{ id }}", result: "{{ result }}" }
      operation_name: Q
    assert: [$.data.user.id == 7, status == 200]
`;
const ROWS = 'name,json\n"Zoë, ""the one""",plain\nBob,2\n';

Deno.test({
  name: "the engine and execute() put the same bytes on the wire",
  ...SOCKETS,
  async fn() {
    const { respond, forget } = scripted();
    await using server = recordingServer(respond);
    const token = `${server.url}/token`;
    const flow = FLOW.replace("token_url: /token", `token_url: ${token}`);
    const paths: Paths = {
      flow,
      url: server.url,
      env: ENV,
      files: { "rows.csv": ROWS },
    };
    const meta = await throughEngine(paths);
    const engine = server.arrivals.map(({ text }) => text);
    equal(meta.verdict, "pass", JSON.stringify(meta.failures));
    forget();
    const executed = await throughPython(paths, parse(flow));
    const mine = server.arrivals.slice(engine.length).map(({ text }) => text);
    ok(executed.passed, JSON.stringify(executed.failures));
    ok(engine.length >= 30, `${engine.length} requests`);
    for (const [index, text] of engine.entries()) equal(mine[index], text);
    equal(mine.length, engine.length);
    for (const secret of [...Object.values(ENV).slice(0, 4), "fetched"]) {
      ok(!executed.text.includes(secret), `${secret} is in the result`);
    }
    ok(executed.text.includes("[redacted]"));
  },
});

/** Answers by path, for steps that fail each in their own way. */
const FAILING: Readonly<Record<string, string>> = {
  "GET /500": answer(500, { why: "no" }),
  "GET /429": answer(429, {}, { "Retry-After": "0" }),
  "GET /503": answer(503),
  "GET /text": answer(200, "no JSON"),
  "GET /json": answer(200, {
    n: 1,
    s: "1",
    list: [1, "2"],
    o: { k: 1 },
    f: 1.5,
  }),
  "GET /chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "GET /garbage": "SSH-2.0-OpenSSH\r\n",
  "GET /lengths":
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
  "POST /partial": answer(200, {
    data: { a: null },
    errors: [{ message: "gone", path: ["a", 0, "b"] }, { message: "two" }],
  }),
  "POST /wrong": answer(200, { neither: 1 }),
  "POST /denied": answer(401, { errors: [{ message: "who?" }] }),
};

const FAILING_FLOW = `
flow: failing
steps:
  - { id: status, call: GET /500, on_failure: record }
  - { id: throttled, call: GET /429, on_failure: record, throttle: { as_error: false } }
  - { id: declared, call: GET /503, on_failure: record, throttle: { statuses: [503] } }
  - id: used-up
    call: GET /500
    retry: { on_status: [500], backoff: fixed, max_attempts: 2, base_delay: 1ms }
    on_failure: record
  - { id: extract-text, call: GET /text, extract: { a: $.a }, on_failure: record }
  - { id: extract-json, call: GET /json, extract: { b: "$.list[5]" }, on_failure: record }
  - { id: unresolved, call: "GET /{{ a }}", on_failure: record }
  - { id: equals, call: GET /json, assert: ['$.n == "1"'], on_failure: record }
  - { id: differs, call: GET /json, assert: [$.gone != x], on_failure: record }
  - { id: order, call: GET /json, assert: [$.s < 2], on_failure: record }
  - { id: contains, call: GET /json, assert: [$.list contains 3], on_failure: record }
  - { id: matches, call: GET /json, assert: ["$.n matches ^1$"], on_failure: record }
  - { id: exists, call: GET /json, assert: [$.o.x exists], on_failure: record }
  - { id: absent, call: GET /json, assert: [$.o not_exists], on_failure: record }
  - { id: header, call: GET /json, assert: [header.X-No == a], on_failure: record }
  - { id: judged, call: GET /500, assert: [$.why == yes, status == 200], on_failure: record }
  - { id: chunk, call: GET /chunk, on_failure: record }
  - { id: garbage, call: GET /garbage, on_failure: record }
  - { id: lengths, call: GET /lengths, on_failure: record }
  - { id: hangs-up, call: GET /hang-up, on_failure: record }
  - id: polls
    poll: { call: GET /json, until: [$.n == 2], interval: 1ms, max_attempts: 2 }
    on_failure: record
  - { id: partial, graphql: { url: /partial, query: "{ a }" }, on_failure: record }
  - id: nothing
    graphql: { url: /partial, query: "{ a }", on_errors: allow_partial }
    on_failure: record
  - { id: ignored, graphql: { url: /partial, query: "{ a }", on_errors: ignore } }
  - { id: wrong, graphql: { url: /wrong, query: "{ a }" }, on_failure: record }
  - { id: denied, graphql: { url: /denied, query: "{ a }" }, on_failure: record }
`;

Deno.test({
  name: "the engine and execute() fail in the same words",
  ...SOCKETS,
  async fn() {
    await using server = recordingServer(({ line }) => FAILING[line]);
    const paths: Paths = { flow: FAILING_FLOW, url: server.url, env: {} };
    const meta = await throughEngine(paths);
    const requests = server.arrivals.length;
    const executed = await throughPython(paths, parse(FAILING_FLOW));
    const told = meta.failures.filter(({ outcome }) => outcome === "failed")
      .map(({ step, code, message, expected, actual }) => ({
        step,
        code,
        message,
        expected: expected ?? null,
        actual: actual ?? null,
      }));
    const byStep = (a: { step: string }, b: { step: string }) =>
      a.step < b.step ? -1 : 1;
    const mine = [...executed.failures].sort(byStep);
    for (const [index, each] of told.sort(byStep).entries()) {
      deepEqual(mine[index], each);
    }
    equal(mine.length, told.length);
    ok(told.length >= 20, `${told.length} failures`);
    equal(server.arrivals.length, 2 * requests);
    deepEqual(executed.outcomes[0]?.slice(0, 3), [
      "failed",
      "throttled",
      "throttled",
    ]);
  },
});
