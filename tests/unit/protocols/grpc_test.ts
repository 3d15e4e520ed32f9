import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { GrpcBlock } from "../../../lib/protocols/grpc_block.ts";
import type { Reply } from "../../../lib/result/reply.ts";
import {
  framed,
  type GrpcCall,
  grpcPeer,
  refuse,
  reply,
  textField,
} from "../../support/grpc_peer.ts";
import * as certificates from "../../support/tls/certificates.ts";
import { type AskOptions, grpcRig } from "./grpc_rig.ts";

type Answer = (call: GrpcCall) => void;

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name: `grpc ${name}`,
    sanitizeOps: true,
    sanitizeResources: true,
    fn,
  });
}

/** One call to a peer that answers in this way. */
async function asked(
  answer: Answer,
  block: Partial<GrpcBlock> = {},
  options: AskOptions = {},
): Promise<{ reply: Reply; call: GrpcCall }> {
  await using peer = await grpcPeer(answer);
  await using rig = grpcRig(`http://127.0.0.1:${peer.port}`);
  const got = await rig.ask(block, options);
  return { reply: got, call: peer.calls[0]! };
}

const fine: Answer = (call) => reply(call, textField("yes"));

test("sends what gRPC over HTTP/2 asks for, and nothing of its own", async () => {
  const { call } = await asked(fine, {
    message: { text: "why", number: 7 },
    headers: { "X-Tenant": "acme", "X-Trace-Bin": "AQID/w==", Empty: "" },
  });
  const { ":authority": authority, ...rest } = call.headers;
  ok(/^127\.0\.0\.1:\d+$/.test(String(authority)), String(authority));
  deepStrictEqual(Object.entries(rest), [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", "/desk.v1.Desk/Ask"],
    ["te", "trailers"],
    ["content-type", "application/grpc"],
    ["grpc-timeout", "5000m"],
    ["user-agent", "bench/test"],
    ["x-tenant", "acme"],
    ["x-trace-bin", "AQID/w"],
  ]);
  deepStrictEqual([...call.message], [0x0a, 3, 0x77, 0x68, 0x79, 0x10, 7]);
});

test("sends a declared User-Agent, or none when it is empty", async () => {
  const own = await asked(fine, { headers: { "USER-AGENT": "me/1" } });
  strictEqual(own.call.headers["user-agent"], "me/1");
  const none = await asked(fine, { headers: { "User-Agent": "" } });
  strictEqual(none.call.headers["user-agent"], undefined);
});

test("fills templates in, with the type of the value", async () => {
  const block = {
    message: { text: "{{ env.WHO }} {{ n }}", number: "{{ n }}" },
    headers: { "X-N": "{{ n }}" },
  };
  const { call } = await asked(fine, block, {
    env: { WHO: "ada" },
    variables: { n: 7 },
  });
  strictEqual(call.headers["x-n"], "7");
  deepStrictEqual(
    [...call.message],
    [...textField("ada 7"), 0x10, 7],
  );
});

test("refuses a value that does not fit its field", async () => {
  await rejects(
    asked(fine, { message: { number: "{{ n }}" } }, {
      variables: { n: "many" },
    }),
    {
      name: "RequestError",
      message:
        'the message does not fit its type: `desk.v1.Question.number`: invalid integer: "many"',
    },
  );
});

test("refuses metadata that cannot travel", async () => {
  await rejects(
    asked(fine, { headers: { "X-City": "{{ city }}" } }, {
      variables: { city: "Zürich" },
    }),
    { name: "RequestError", message: /`x-city` .* printable ASCII/ },
  );
});

test("reads an answer: JSON with defaults, metadata and trailers", async () => {
  const { reply: got } = await asked((call) =>
    reply(call, textField("yes"), { "x-trail": "t" }, { "x-first": "f" })
  );
  strictEqual(got.signal, "ok");
  deepStrictEqual([got.status, got.httpStatus], [0, 200]);
  deepStrictEqual(got.json(), { text: "yes", count: "0", tags: [] });
  deepStrictEqual(
    ["X-First", "x-trail", "grpc-status"].map((name) => got.header(name)),
    ["f", "t", "0"],
  );
  const { marks, bytesSent, bytesReceived } = got;
  ok(marks.start <= marks.connect && marks.connect <= marks.sent);
  ok(marks.sent <= marks.firstByte && marks.firstByte <= marks.end);
  ok(Number.isNaN(marks.dns) && Number.isNaN(marks.tls));
  ok(bytesSent > 100 && bytesReceived > 50);
});

test("shows both messages as JSON in a trace", async () => {
  const { reply: got } = await asked(fine, { message: { text: "why" } });
  const [request, response] = [got.request()!, got.response()!];
  strictEqual(request.line, "POST /desk.v1.Desk/Ask HTTP/2");
  strictEqual(request.body, '{"text":"why"}');
  strictEqual(request.headers[0]![0], "te");
  strictEqual(response.line, "HTTP/2 200");
  strictEqual(response.body, '{"text":"yes","count":"0","tags":[]}');
  deepStrictEqual(response.headers.at(-1), ["grpc-status", "0"]);
});

/** How each odd answer is understood. */
const ANSWERS: readonly (readonly [
  rule: string,
  answer: Answer,
  expected: {
    readonly signal: Reply["signal"];
    readonly status?: number;
    readonly http?: number;
    readonly code?: string;
    readonly message?: string;
  },
])[] = [
  [
    "a status in the trailers",
    (call) =>
      reply(call, textField(""), {
        "grpc-status": "5",
        "grpc-message": "no %C3%A9",
      }),
    {
      signal: "failure",
      status: 5,
      http: 404,
      code: "status",
      message: "the answer was NOT_FOUND (5): no é",
    },
  ],
  [
    "a status without anything else",
    (call) => refuse(call, 9, { "grpc-message": "100%" }),
    {
      signal: "failure",
      status: 9,
      http: 400,
      code: "status",
      message: "the answer was FAILED_PRECONDITION (9): 100%",
    },
  ],
  [
    "RESOURCE_EXHAUSTED is a throttle",
    (call) => refuse(call, 8),
    { signal: "throttle", status: 8, http: 429 },
  ],
  [
    "an unknown status is UNKNOWN",
    (call) => refuse(call, 42),
    {
      signal: "failure",
      status: 2,
      http: 500,
      code: "status",
      message: "the answer was UNKNOWN (2)",
    },
  ],
  [
    "HTTP 503 of a proxy is UNAVAILABLE",
    ({ stream }) => stream.respond({ ":status": 503 }, { endStream: true }),
    {
      signal: "failure",
      status: 14,
      http: 503,
      code: "status",
      message:
        "the answer was UNAVAILABLE (14): HTTP 503 without a grpc-status",
    },
  ],
  [
    "HTTP 404 of a web server is UNIMPLEMENTED",
    ({ stream }) => {
      stream.respond({ ":status": 404, "content-type": "text/html" });
      stream.end("<html>");
    },
    {
      signal: "failure",
      status: 12,
      http: 404,
      code: "status",
      message:
        "the answer was UNIMPLEMENTED (12): HTTP 404 without a grpc-status",
    },
  ],
  [
    "HTTP 429 of a proxy is a throttle",
    ({ stream }) => stream.respond({ ":status": 429 }, { endStream: true }),
    { signal: "throttle", status: 14, http: 429 },
  ],
  [
    "an answer of another kind is no gRPC",
    ({ stream }) => {
      stream.respond({ ":status": 200, "content-type": "text/html" });
      stream.end("<html>");
    },
    {
      signal: "failure",
      code: "protocol",
      message:
        "protocol: the answer is no gRPC: its content-type is `text/html`",
    },
  ],
  [
    "an answer without a status is none",
    ({ stream }) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.end(framed(textField("yes")));
    },
    {
      signal: "failure",
      code: "protocol",
      message: "protocol: the answer has no grpc-status",
    },
  ],
  [
    "REFUSED_STREAM is UNAVAILABLE",
    ({ stream }) => stream.close(7),
    {
      signal: "failure",
      status: 14,
      http: 503,
      code: "status",
      message:
        "the answer was UNAVAILABLE (14): the server reset the stream with REFUSED_STREAM",
    },
  ],
  [
    "ENHANCE_YOUR_CALM is a throttle",
    ({ stream }) => stream.close(11),
    { signal: "throttle", status: 8, http: 429 },
  ],
  [
    "OK without a message",
    (call) => refuse(call, 0),
    {
      signal: "failure",
      code: "protocol",
      message: "protocol: the answer was OK, but it has no message",
    },
  ],
  [
    "two messages",
    ({ stream }) => {
      stream.respond({ ":status": 200 }, { waitForTrailers: true });
      stream.on(
        "wantTrailers",
        () => stream.sendTrailers({ "grpc-status": "0" }),
      );
      stream.write(framed(textField("a")));
      stream.end(framed(textField("b")));
    },
    {
      signal: "failure",
      code: "protocol",
      message:
        "protocol: the answer was OK, but it has more than one message, which unary calls never have",
    },
  ],
  [
    "a message of another type",
    (call) => reply(call, Uint8Array.of(0x0a, 200, 1)),
    {
      signal: "failure",
      code: "protocol",
      message:
        "protocol: the answer was OK, but its message is not of the method's type: index out of range: 3 + 200 > 3",
    },
  ],
];

for (const [rule, answer, expected] of ANSWERS) {
  test(`understands: ${rule}`, async () => {
    const { reply: got } = await asked(answer);
    const { signal, status, httpStatus: http, failure } = got;
    deepStrictEqual({
      signal,
      ...(status !== undefined && { status }),
      ...(http !== undefined && { http }),
      ...(failure && { code: failure.code, message: failure.message }),
    }, expected);
    strictEqual(got.json(), undefined);
  });
}

const WAITS: readonly (readonly [
  rule: string,
  headers: Readonly<Record<string, string>>,
  ms: number | undefined,
])[] = [
  ["milliseconds", { "grpc-retry-pushback-ms": "250" }, 250],
  [
    "nothing when it asks for no retry",
    { "grpc-retry-pushback-ms": "-1" },
    undefined,
  ],
  ["Retry-After of a proxy", { "retry-after": "2" }, 2_000],
  ["nothing", {}, undefined],
];

for (const [rule, headers, ms] of WAITS) {
  test(`reads how long to wait: ${rule}`, async () => {
    const { reply: got } = await asked((call) => refuse(call, 8, headers));
    strictEqual(got.retryAfter(), ms);
  });
}

test("gives up at the deadline with DEADLINE_EXCEEDED, and goes on after it", async () => {
  await using peer = await grpcPeer((call) => {
    if (peer.calls.length > 1) fine(call);
  });
  await using rig = grpcRig(`http://127.0.0.1:${peer.port}`);
  const late = await rig.ask({}, { timeoutMs: 50 });
  deepStrictEqual(
    [late.signal, late.status, late.failure?.code],
    ["failure", 4, "timeout"],
  );
  strictEqual((await rig.ask()).signal, "ok");
  strictEqual(peer.connections, 1);
});

test("keeps one connection for all calls of a VU", async () => {
  await using peer = await grpcPeer(fine);
  await using rig = grpcRig(`http://127.0.0.1:${peer.port}`);
  await rig.ask();
  const second = await rig.ask();
  strictEqual(peer.connections, 1);
  ok(Number.isNaN(second.marks.connect), "no dial, no phase");
});

test("dials again after the server said that it goes away", async () => {
  await using peer = await grpcPeer((call) => {
    if (peer.calls.length === 1) call.stream.session!.goaway(0);
    fine(call);
  });
  await using rig = grpcRig(`http://127.0.0.1:${peer.port}`);
  strictEqual((await rig.ask()).signal, "ok");
  strictEqual((await rig.ask()).signal, "ok");
  strictEqual(peer.connections, 2);
});

test("a connection that broke is a reset, and the next call dials", async () => {
  await using peer = await grpcPeer((call) => {
    if (peer.calls.length === 1) call.socket.destroy();
    else fine(call);
  });
  await using rig = grpcRig(`http://127.0.0.1:${peer.port}`);
  const broken = await rig.ask();
  deepStrictEqual(
    [broken.status, broken.failure?.code],
    [undefined, "reset"],
  );
  strictEqual((await rig.ask()).signal, "ok");
  strictEqual(peer.calls.length, 2, "nothing is sent twice");
});

test("a refused connection has no status", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  await using rig = grpcRig(`http://127.0.0.1:${port}`);
  const got = await rig.ask();
  deepStrictEqual([got.status, got.failure?.code], [undefined, "refused"]);
  strictEqual(got.response(), undefined);
});

test("a peer that speaks HTTP/1.1 is a failure with a reason", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    const connection = await listener.accept();
    await connection.read(new Uint8Array(1_000));
    const text = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    await connection.write(new TextEncoder().encode(text));
    connection.close();
  })();
  await using rig = grpcRig(`http://127.0.0.1:${listener.addr.port}`);
  const got = await rig.ask();
  deepStrictEqual(
    [got.status, got.failure],
    [undefined, {
      code: "protocol",
      message: "protocol: the peer does not speak HTTP/2: Protocol error",
    }],
  );
  await serving;
  listener.close();
});

test("a call under way ends as aborted when its VU lets go", async () => {
  await using peer = await grpcPeer(() => {});
  await using rig = grpcRig(`http://127.0.0.1:${peer.port}`);
  const asking = rig.ask();
  await peer.asked;
  await (rig.context.lasting as unknown as { close(): Promise<void> }).close();
  strictEqual((await asking).failure?.code, "aborted");
});

test("speaks TLS to a server named by its address", async () => {
  await using peer = await grpcPeer(fine, certificates.server);
  await using rig = grpcRig(`https://127.0.0.1:${peer.port}`, [
    certificates.authority,
  ]);
  const got = await rig.ask();
  strictEqual(got.signal, "ok", String(got.failure?.message));
  ok(got.marks.tls > got.marks.connect);
  strictEqual(peer.calls[0]!.headers[":scheme"], "https");
});

test("does not talk to a server that nobody vouches for", async () => {
  await using peer = await grpcPeer(fine, certificates.selfSigned);
  await using rig = grpcRig(`https://127.0.0.1:${peer.port}`);
  strictEqual((await rig.ask()).failure?.code, "tls");
});

const SCHEMES: readonly (readonly [
  rule: string,
  auth: Readonly<Record<string, string>>,
  name: string,
  value: string,
])[] = [
  [
    "bearer",
    { scheme: "bearer", token: "{{ env.KEY }}" },
    "authorization",
    "Bearer k",
  ],
  [
    "api_key",
    {
      scheme: "api_key",
      name: "X-Api-Key",
      value: "{{ env.KEY }}",
      in: "header",
    },
    "x-api-key",
    "k",
  ],
  [
    "cookie",
    { scheme: "cookie", name: "sid", value: "{{ env.KEY }}" },
    "cookie",
    "sid=k",
  ],
  [
    "hmac over POST, the path and the message alone",
    {
      scheme: "hmac",
      secret: "{{ env.KEY }}",
      algorithm: "sha256",
      encoding: "hex",
      header: "X-Signature",
      key_id_header: "X-Key-Id",
      sign: "{method} {path} {query} {body} {timestamp}",
    },
    "x-signature",
    // HMAC-SHA256 of "POST /desk.v1.Desk/Ask  \n\x03why 1000" with the key "k".
    "9034bb86ce429ebb9c28f9fa00d3a4ed68b5d4f83738385a3526580ca20d914a",
  ],
];

for (const [rule, auth, name, value] of SCHEMES) {
  test(`carries credentials: ${rule}`, async () => {
    const { call } = await asked(fine, { message: { text: "why" } }, {
      auth,
      env: { KEY: "k" },
    });
    strictEqual(call.headers[name], value);
  });
}
