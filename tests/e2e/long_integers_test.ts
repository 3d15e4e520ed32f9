import { deepStrictEqual, equal, match } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { grpcJsServer, SHOP_PROTO } from "../support/grpc_js_server.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../support/recording_server.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";
import { wsServer } from "../support/ws_server.ts";

const ID = "1234567890123456789";
const NEGATIVE = "-98765432109876543210987654321";
const TYPE = { "Content-Type": "application/json" };
const BODY =
  `{"id":${ID},"low":${NEGATIVE},"ids":[1, ${ID}],"list":[{"id":${ID},"n":"yes"},{"id":1234567890123456788,"n":"no"}],"user":{"id":${ID}},"small":7}`;

Deno.test("long integers: every digit is compared, never a rounded one", async () => {
  await using server = recordingServer(() => rawResponse(200, BODY, TYPE));
  const holds = [
    `$.id == "${ID}"`,
    `$.id != "1234567890123456788"`,
    `$.id > "1234567890123456788"`,
    `$.id <= "${ID}"`,
    "$.id > 7",
    "$.low < 0",
    `$.list[?@.id == ${ID}].n == yes`,
    `$.list[?@.id < ${ID}].n == no`,
    `$.list[?@.id == $.id].n == yes`,
    `$.low == "${NEGATIVE}"`,
    `$.ids contains "${ID}"`,
    `$.ids == [1, "${ID}"]`,
    `$.user == {"id": "${ID}"}`,
    `id == "${ID}"`,
    "$.user.id == {{ id }}",
    "$.ids contains {{ id }}",
    "$.user == {{ user_object }}",
    "$.low < {{ id }}",
  ];
  const fails = [
    "$.id == 1.2345678901234567e18",
    "$.id >= 1.2345678901234569e18",
    `$.id == "1234567890123456788"`,
    `$.id > "${ID}"`,
    `$.ids contains "1234567890123456788"`,
    `$.ids == [1, "1234567890123456788"]`,
    "$.low == {{ id }}",
    "$.id == {{ text }}",
  ];
  const steps = [...holds, ...fails].map((each, index) =>
    `  - { id: s${index}, call: GET /, assert: ['${each}'], on_failure: record }\n`
  );
  const flow = `flow: digits
steps:
  - { id: make, call: GET /, extract: { id: $.id, user_object: $.user, text: $.text }, on_failure: record }
${steps.join("")}`.replace("text: $.text", "text: $.small");
  const run = await runOnce({ flow, url: server.url });
  const failed = run.meta.failures.map(({ step }) => step);
  deepStrictEqual(
    failed.sort(),
    fails.map((_, index) => `s${holds.length + index}`).sort(),
    run.stdout,
  );
});

Deno.test("long integers: an extracted one goes on with every digit, and is shown and stored so", async () => {
  await using server = recordingServer(() => rawResponse(200, BODY, TYPE));
  const flow = `flow: digits
steps:
  - { id: make, call: POST /, extract: { id: $.id, ids: $.ids } }
  - id: use
    call: POST /items/{{ id }}
    query: { q: "{{ id }}", l: "{{ ids }}" }
    headers: { X-Id: "{{ id }}" }
    body: { id: "{{ id }}", ids: "{{ ids }}", text: "no. {{ id }}" }
  - id: ask
    graphql:
      url: /graphql
      query: "query Q($id: ID!) { item(id: $id) { id } }"
      variables: { id: "{{ id }}" }
      on_errors: ignore
    on_failure: record
  - { id: shown, call: GET /, assert: [$.id == 7] }
`;
  const run = await runOnce({ flow, url: server.url });
  const [, use, ask] = server.arrivals;
  const ids = encodeURIComponent(`[1,${ID}]`);
  equal(use!.line, `POST /items/${ID}?l=${ids}&q=${ID}`);
  equal(headerOf(use!, "X-Id"), ID);
  equal(
    bodyOf(use!),
    `{"id":${ID},"ids":[1,${ID}],"text":"no. ${ID}"}`,
  );
  match(bodyOf(ask!), new RegExp(`"variables":{"id":${ID}}`));
  const failure = run.meta.failures.find(({ step }) => step === "shown")!;
  equal(
    failure.message,
    `$.id == 7 does not hold: $.id is the integer ${ID}`,
  );
  deepStrictEqual(failure.actual, { type: "integer", text: ID });
  const bodies = spansOf(run, "http_call").map(({ response }) =>
    response?.body
  );
  deepStrictEqual(bodies, [BODY, BODY, BODY, BODY]);
});

Deno.test("long integers: frames of a WebSocket, both ways", async () => {
  const heard: string[] = [];
  await using server = await wsServer({
    session({ socket }) {
      socket.on("message", (data) => {
        heard.push(new TextDecoder().decode(data));
        socket.send('{"id":1234567890123456788}');
        socket.send(`{"id":${ID}}`);
      });
    },
  });
  const run = await runOnce({
    url: server.url,
    flow: `flow: frames
steps:
  - id: first
    ws: { url: /, send: { hello: 1 }, receive: { match: '$.id == "${ID}"' } }
    extract: { id: $.id }
  - id: second
    ws: { send: { id: "{{ id }}" }, receive: { match: "$.id == {{ id }}" } }
    assert: ["$.id == {{ id }}", '$.id == "${ID}"']
`,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(heard[1], `{"id":${ID}}`);
});

Deno.test("long integers: a bare literal is refused with a way out that holds", async () => {
  await using server = recordingServer(() => rawResponse(200, BODY, TYPE));
  const flow = (literal: string) =>
    `flow: literal\nsteps:\n  - { id: a, call: GET /, assert: ['$.id == ${literal}'] }\n`;
  using fixture = runFixture({ flow: flow(ID), url: server.url });
  const refused = await fixture.run();
  equal(refused.code, 2);
  match(refused.stderr, new RegExp(`the number ${ID} is beyond`));
  const [, hint = ""] = /quote it: ("\d+")/.exec(refused.stderr) ?? [];
  const run = await runOnce({ flow: flow(hint), url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
});

Deno.test("long integers: into the 64-bit fields of a gRPC message, and in load mode", async () => {
  await using server = recordingServer(() => rawResponse(200, BODY, TYPE));
  await using shop = await grpcJsServer();
  const grpc = `127.0.0.1:${shop.port}`;
  const flow = `flow: digits
profile: { mode: load, vus: 2, iterations: 4 }
steps:
  - { id: make, call: GET /, extract: { id: $.id } }
  - id: place
    grpc:
      url: grpc://${grpc}
      proto: shop.proto
      method: shop.v1.Orders/Place
      message: { amount: "{{ id }}", counts: { a: "{{ id }}" } }
    assert:
      - $.request.amount == "${ID}"
      - $.request.counts.a == "${ID}"
  - { id: use, call: "GET /{{ id }}" }
`;
  const run = await runOnce({
    flow,
    url: `${server.url}, http://${grpc}`,
    files: { "shop.proto": SHOP_PROTO },
  });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(run.meta.iterations.passed, 4);
  const used = server.arrivals.filter(({ line }) => line === `GET /${ID}`);
  equal(used.length, 4);
});

Deno.test("long integers: one of 5,000 digits is sent as it is written, also from a `default`", async () => {
  await using server = recordingServer(() => rawResponse(200, "{}", TYPE));
  const long = `1${"0".repeat(4_999)}`;
  const run = await runOnce({
    url: server.url,
    flow: `version: 1
flow: digits
steps:
  - { id: a, call: POST /, body: [-${long}], extract: { id: { from: $.id, default: ${ID} } } }
  - { id: b, call: POST /, body: ["{{ id }}"] }
`,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  deepStrictEqual(server.arrivals.map(bodyOf), [`[-${long}]`, `[${ID}]`]);
});
