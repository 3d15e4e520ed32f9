import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { grpcJsServer, SHOP_PROTO } from "../support/grpc_js_server.ts";
import {
  grpcServer,
  refuse,
  respond,
  respondCompressed,
  textField,
} from "../support/grpc_server.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";
import * as certificates from "../support/tls/certificates.ts";

const files = { "protos/shop.proto": SHOP_PROTO };

const DESK = `syntax = "proto3";
package desk;
message Question {}
message Result { string text = 1; }
service Desk { rpc Ask(Question) returns (Result); }
`;

/** One step that calls a method of the shop. */
function step(id: string, method: string, more = ""): string {
  return `  - id: ${id}
    grpc: { proto: protos/shop.proto, method: shop.v1.Orders/${method}${more} }
`;
}

/** Which side ends a call that is too late first is chance. */
function withoutSide(message: string): string {
  return message.replace(
    / (?:waiting for the first byte|on both sides)$/,
    "",
  );
}

const PLACE = `flow: shop
auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
steps:
  - id: place
    grpc:
      proto: protos/shop.proto
      method: /shop.v1.Orders/Place
      message:
        item_id: 7
        amount: "9007199254740993"
        state: SHIPPED
        note: AQID
        tags: [a, "{{ env.TAG }}"]
        counts: { red: 3 }
        due: "2026-01-31T12:00:00Z"
    headers: { X-Tenant: acme }
    extract: { total: $.total }
    assert:
      - status == OK
      - status == 0
      - $.total == "9007199254740993"
      - $.total > 9007199254740
      - $.request.counts.red == 3
      - $.request.itemId == 7
      - $.request.amount == "9007199254740993"
      - $.request.state == SHIPPED
      - $.request.note == AQID
      - $.request.tags[1] == secret-tag
      - $.request.counts.red == "3"
      - $.request.due == "2026-01-31T12:00:00Z"
      - $.share == 0
      - $.seenUserAgent matches ^bench/[\\d.]+$
      - header.X-Tenant == acme
      - header.x-trailer == "at the end"
      - total == "9007199254740993"
`;

Deno.test("grpc: a call to a grpc-js server, there and back", async () => {
  await using server = await grpcJsServer();
  const url = `http://127.0.0.1:${server.port}`;
  const env = { TOKEN: "token-secret-1", TAG: "secret-tag" };
  const run = await runOnce({ flow: PLACE, url, files }, [], { env });
  equal(run.code, 0, run.stdout + run.stderr);
  const [call] = run.traces.flatMap(({ spans }) => spans)
    .filter(({ request }) => request);
  equal(call!.request!.line, "POST /shop.v1.Orders/Place HTTP/2");
  match(call!.request!.body!, /"tags":\["a","\[redacted\]"\]/);
  match(call!.response!.body!, /"tags":\["a","\[redacted\]"\]/);
  ok(!JSON.stringify(run.traces).includes("token-secret-1"));
  for (const phase of ["connect", "ttfb", "transfer"]) {
    equal(spansOf(run, phase).length, 1, phase);
  }
});

Deno.test("grpc: a status fails its step unless the step judges it", async () => {
  await using server = await grpcJsServer();
  const url = `http://127.0.0.1:${server.port}`;
  const flow = `flow: shop
steps:
${step("judged", "Missing")}    assert: [status == NOT_FOUND, status != OK]
${step("wrong", "Missing")}    assert: [status == OK]
    on_failure: record
${step("looking", "Missing")}    assert: [status == NOT_FOUND, $.total == "0"]
    on_failure: record
${step("taking", "Missing")}    assert: [status == NOT_FOUND]
    extract: { total: $.total }
    on_failure: record
${step("plain", "Missing")}    on_failure: record
${step("late", "Slow")}    on_failure: record
`;
  const run = await runOnce({
    flow,
    url,
    files,
    target: "request_timeout: 1500ms\n",
  });
  equal(run.code, 1, run.stdout + run.stderr);
  deepStrictEqual(
    run.meta.failures.map(({ step, code, message }) => [
      step,
      code,
      withoutSide(message),
    ]).sort(),
    [
      ["late", "timeout", "No complete response within 1.5s: timed out"],
      [
        "looking",
        "assertion",
        '$.total == "0" does not hold: $.total does not exist (the response has no message; status NOT_FOUND (5): no such order: größer)',
      ],
      [
        "plain",
        "status",
        "response status was NOT_FOUND (5): no such order: größer",
      ],
      [
        "taking",
        "extraction",
        "cannot extract `total`: $.total does not exist (the response has no message; status NOT_FOUND (5): no such order: größer)",
      ],
      [
        "wrong",
        "assertion",
        "status == OK does not hold: status is NOT_FOUND (5): no such order: größer",
      ],
    ],
  );
});

Deno.test("grpc: RESOURCE_EXHAUSTED is a throttle, and pushback says how long to wait", async () => {
  await using server = await grpcJsServer();
  const url = `http://127.0.0.1:${server.port}`;
  const flow = `flow: shop
profile: { mode: load, iterations: 1 }
steps:
${
    step("retried", "Limited")
  }    retry: { on_status: [429], backoff: honor_retry_after, max_attempts: 3, base_delay: 30s }
${step("throttled", "Limited")}`;
  const run = await runOnce({ flow, url, files });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.limited, 4);
  deepStrictEqual([run.meta.throttle_rate, run.meta.error_rate], [1, 0]);
  deepStrictEqual(
    run.meta.steps.map(({ passed, throttled }) => [passed, throttled]),
    [[1, 0], [0, 1]],
  );
  match(
    run.meta.failures[0]!.message,
    /^Throttled by the target: status RESOURCE_EXHAUSTED \(8\)/,
  );
});

Deno.test("grpc: a negative pushback is not retried, and the step fails on its listed status", async () => {
  await using server = await grpcServer((call) =>
    refuse(call, 14, { "grpc-retry-pushback-ms": "-1" })
  );
  const run = await runOnce({
    flow: `flow: desk
steps:
  - id: ask
    grpc: { proto: desk.proto, method: desk.Desk/Ask }
    retry: { on_status: [503], backoff: fixed, max_attempts: 5, base_delay: 1ms }
    assert: [status == UNAVAILABLE]
`,
    url: `http://127.0.0.1:${server.port}`,
    files: { "desk.proto": DESK },
  });
  equal(run.code, 1, run.stdout);
  equal(server.calls.length, 1);
  equal(
    run.meta.failures[0]?.message,
    "gave up after 1 attempt, as the target asks for no retry: the response still had status UNAVAILABLE (14)",
  );
});

Deno.test("grpc: a throttle that is not retried for a negative pushback says so", async () => {
  await using server = await grpcServer((call) =>
    refuse(call, 8, { "grpc-retry-pushback-ms": "-1" })
  );
  const run = await runOnce({
    flow: `flow: desk
steps:
  - id: ask
    grpc: { proto: desk.proto, method: desk.Desk/Ask }
    retry: { on_status: [429], backoff: fixed, max_attempts: 5, base_delay: 1ms }
`,
    url: `http://127.0.0.1:${server.port}`,
    files: { "desk.proto": DESK },
  });
  equal(server.calls.length, 1);
  match(
    run.meta.failures[0]!.message,
    /^Throttled by the target: status RESOURCE_EXHAUSTED \(8\).*; the target asks for no retry$/,
  );
});

Deno.test("grpc: a status that an assertion expects has its name in the trace too", async () => {
  await using server = await grpcServer((call) => refuse(call, 5));
  const run = await runOnce({
    flow: `flow: desk
steps:
  - id: ask
    grpc: { proto: desk.proto, method: desk.Desk/Ask }
    assert: [status == NOT_FOUND, status != 0]
`,
    url: `http://127.0.0.1:${server.port}`,
    files: { "desk.proto": DESK },
  });
  equal(run.code, 0, run.stdout);
  const seen = ["ask.assert@0", "ask.assert@1"].map((name) =>
    spansOf(run, name)[0]?.attributes?.value
  );
  deepStrictEqual(seen, ["NOT_FOUND (5)", "NOT_FOUND (5)"]);
});

Deno.test("grpc: two threads under load, each VU with a connection of its own", async () => {
  await using server = await grpcJsServer();
  const url = `http://127.0.0.1:${server.port}`;
  const flow = `flow: shop
profile: { mode: load, vus: 4, iterations: 400 }
steps:
${
    step("place", "Place", ", message: { item_id: 7 }")
  }    assert: [$.request.itemId == 7]
`;
  const run = await runOnce({ flow, url, files }, ["--workers", "2"]);
  equal(run.code, 0, run.stdout + run.stderr);
  equal(run.meta.iterations.passed, 400);
  equal(run.meta.requests, 400);
});

Deno.test("grpc: a response that is compressed unasked is read, one in an unknown coding says which", async () => {
  await using server = await grpcServer((call) =>
    respondCompressed(
      call,
      gzipSync(textField("yes")),
      server.calls.length === 1 ? "gzip" : "zstd",
    )
  );
  const ask = "grpc: { proto: desk.proto, method: desk.Desk/Ask }";
  const run = await runOnce({
    flow: `flow: desk
steps:
  - { id: known, ${ask}, assert: [$.text == yes] }
  - { id: unknown, ${ask}, assert: [status == OK] }
`,
    url: `http://127.0.0.1:${server.port}`,
    files: { "desk.proto": DESK },
  });
  equal(run.code, 1, run.stdout + run.stderr);
  deepStrictEqual(
    run.meta.steps.map(({ passed, failed }) => [passed, failed]),
    [[1, 0], [0, 1]],
  );
  match(run.meta.failures[0]!.message, /INTERNAL: .* compressed with `zstd`/);
});

Deno.test("grpc: TLS with a CA of one's own, to an address", async () => {
  await using server = await grpcServer(
    (call) => respond(call, textField("yes")),
    certificates.server,
  );
  const flow = `flow: desk
steps:
  - id: ask
    grpc: { proto: desk.proto, method: desk.Desk/Ask, url: "grpcs://127.0.0.1:${server.port}" }
    assert: [$.text == yes]
`;
  const desks = {
    flow,
    url: `https://127.0.0.1:${server.port}`,
    files: { "desk.proto": DESK, "ca.pem": certificates.authority },
  };
  const trusting = await runOnce(desks, ["--cacert", "ca.pem"]);
  equal(trusting.code, 0, trusting.stdout + trusting.stderr);
  equal(spansOf(trusting, "tls").length, 1);
  const insecure = await runOnce(desks, ["--insecure"]);
  equal(insecure.code, 0, insecure.stdout + insecure.stderr);
  const wary = await runOnce(desks);
  equal(wary.code, 1);
  equal(wary.meta.failures[0]!.code, "tls");
});

Deno.test("grpc: a changed schema is read by the next run, a broken one refused with its line", async () => {
  await using server = await grpcJsServer();
  using fixture = runFixture({
    flow: `flow: shop\nsteps:\n${step("place", "Place")}`,
    url: `http://127.0.0.1:${server.port}`,
    files,
  });
  equal((await fixture.run()).code, 0);
  const broken = SHOP_PROTO.replace("int32 item_id = 1;", "int32 item_id = ;");
  Deno.writeTextFileSync(`${fixture.path}/protos/shop.proto`, broken);
  const refused = await fixture.run();
  equal(refused.code, 2);
  match(
    refused.stderr,
    /^protos\/shop\.proto:13:3: error: illegal id `;`/m,
  );
});

Deno.test("grpc: a response without a JSON form fails what needs the body, and nothing else", async () => {
  // at = 1: { seconds: 253402300800 }, the year 10000.
  const late = Uint8Array.of(10, 7, 8, 128, 131, 209, 255, 175, 7);
  await using server = await grpcServer((call) => respond(call, late));
  const ask = "grpc: { proto: desk.proto, method: desk.Desk/Ask }";
  const run = await runOnce({
    flow: `flow: desk
steps:
  - { id: plain, ${ask} }
  - { id: status, ${ask}, assert: [status == OK], on_failure: record }
  - { id: body, ${ask}, assert: [$.at == x], on_failure: record }
  - { id: absent, ${ask}, assert: [$.other not_exists], on_failure: record }
  - { id: taken, ${ask}, extract: { v: $.at }, on_failure: record }
`,
    url: `http://127.0.0.1:${server.port}`,
    files: {
      "desk.proto": `syntax = "proto3";
package desk;
import "google/protobuf/timestamp.proto";
message Question {}
message Result { google.protobuf.Timestamp at = 1; }
service Desk { rpc Ask(Question) returns (Result); }
`,
    },
  });
  equal(run.code, 1, run.stdout + run.stderr);
  deepStrictEqual(
    run.meta.steps.map(({ id, passed, failed }) => [id, passed, failed]),
    [
      ["plain", 1, 0],
      ["status", 1, 0],
      ["body", 0, 1],
      ["absent", 0, 1],
      ["taken", 0, 1],
    ],
  );
  deepStrictEqual(
    run.meta.failures.map(({ code, line, message }) => [code, line, message]),
    [5, 6, 7].map((line) => [
      "body",
      line,
      "the message has no JSON form: google.protobuf.Timestamp out of range",
    ]),
  );
});

Deno.test("grpc: a status of DEADLINE_EXCEEDED holds for the client's own deadline", async () => {
  await using server = await grpcJsServer();
  const run = await runOnce({
    flow: `flow: shop
steps:
${step("expected", "Slow")}    assert: [status == DEADLINE_EXCEEDED]
${step("unwanted", "Slow")}    assert: [status == OK]
`,
    url: `http://127.0.0.1:${server.port}`,
    files,
    target: "request_timeout: 200ms\n",
  });
  equal(run.code, 1, run.stdout + run.stderr);
  deepStrictEqual(
    run.meta.steps.map(({ passed, failed }) => [passed, failed]),
    [[1, 0], [0, 1]],
  );
  deepStrictEqual(
    run.meta.failures.map(({ step, code, message }) => [
      step,
      code,
      withoutSide(message),
    ]),
    [["unwanted", "timeout", "No complete response within 200ms: timed out"]],
  );
});
