import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import {
  framed,
  refuse,
  respond,
  respondCompressed,
  textField,
} from "../../../support/grpc_server.ts";
import { asked, grpcTest as test, type Respond } from "./harness.ts";

/** How each odd response is understood. */
const RESPONSES: readonly (readonly [
  rule: string,
  respond: Respond,
  expected: {
    readonly signal: StepResponse["signal"];
    readonly status?: number;
    readonly http?: number;
    readonly code?: string;
    readonly message?: string;
  },
])[] = [
  [
    "a status in the trailers",
    (call) =>
      respond(call, textField(""), {
        "grpc-status": "5",
        "grpc-message": "no %C3%A9",
      }),
    {
      signal: "failure",
      status: 5,
      http: 404,
      code: "status",
      message: "response status was NOT_FOUND (5): no é",
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
      message: "response status was FAILED_PRECONDITION (9): 100%",
    },
  ],
  [
    "a message whose escapes are not all right",
    (call) => refuse(call, 9, { "grpc-message": "50% of %C3%A9 %zz %e2%82" }),
    {
      signal: "failure",
      status: 9,
      http: 400,
      code: "status",
      message:
        "response status was FAILED_PRECONDITION (9): 50% of é %zz \ufffd",
    },
  ],
  [
    "a message with a stack trace in it, which is cut",
    (call) => refuse(call, 13, { "grpc-message": "at f;".repeat(1_000) }),
    {
      signal: "failure",
      status: 13,
      http: 500,
      code: "status",
      message: `response status was INTERNAL (13): ${
        "at f;".repeat(40).slice(0, 199)
      }…`,
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
      message: "response status was UNKNOWN (2)",
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
        "response status was UNAVAILABLE (14): HTTP 503 without a grpc-status",
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
        "response status was UNIMPLEMENTED (12): HTTP 404 without a grpc-status",
    },
  ],
  [
    "HTTP 429 of a proxy is a throttle",
    ({ stream }) => stream.respond({ ":status": 429 }, { endStream: true }),
    { signal: "throttle", status: 14, http: 429 },
  ],
  [
    "a response of another kind is no gRPC",
    ({ stream }) => {
      stream.respond({ ":status": 200, "content-type": "text/html" });
      stream.end("<html>");
    },
    {
      signal: "failure",
      code: "protocol",
      message:
        "protocol: the response is not gRPC: its content-type is `text/html`",
    },
  ],
  [
    "a response without a status is none",
    ({ stream }) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.end(framed(textField("yes")));
    },
    {
      signal: "failure",
      code: "protocol",
      message: "protocol: the response has no grpc-status",
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
        "response status was UNAVAILABLE (14): the server reset the stream with REFUSED_STREAM",
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
      message: "protocol: the response status was OK, but it has no message",
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
        "protocol: the response status was OK, but it has more than one message, which unary calls never have",
    },
  ],
  [
    "a message of an unsupported compression",
    (call) => respondCompressed(call, textField("yes"), "snappy"),
    {
      signal: "failure",
      status: 13,
      http: 500,
      code: "protocol",
      message:
        "protocol: INTERNAL: the response status was OK, but its message is compressed with `snappy`, which cannot be read: expected gzip or deflate",
    },
  ],
  [
    "a message of an unknown compression",
    (call) => respondCompressed(call, textField("yes"), undefined),
    {
      signal: "failure",
      status: 13,
      http: 500,
      code: "protocol",
      message:
        "protocol: INTERNAL: the response status was OK, but its message is marked as compressed, and no `grpc-encoding` says how",
    },
  ],
  [
    "a message that is marked as compressed and is not",
    (call) => respondCompressed(call, textField("yes"), "identity"),
    {
      signal: "failure",
      status: 13,
      http: 500,
      code: "protocol",
      message:
        "protocol: INTERNAL: the response status was OK, but its message is marked as compressed, and no `grpc-encoding` says how",
    },
  ],
  [
    "a compressed message that breaks off",
    (call) =>
      respondCompressed(
        call,
        zlib.gzipSync(textField("yes")).subarray(0, -4),
        "gzip",
      ),
    {
      signal: "failure",
      status: 13,
      http: 500,
      code: "protocol",
      message:
        "protocol: INTERNAL: the response status was OK, but its message is compressed and broken: The body is not whole gzip data: unexpected end of file",
    },
  ],
  [
    "a compressed message that is a bomb",
    (call) =>
      respondCompressed(call, zlib.gzipSync(Buffer.alloc(17 << 20)), "gzip"),
    {
      signal: "failure",
      status: 13,
      http: 500,
      code: "protocol",
      message:
        "protocol: INTERNAL: the response status was OK, but its gzip message decodes to more than 16777216 bytes",
    },
  ],
  [
    "a message of another type",
    (call) => respond(call, Uint8Array.of(0x0a, 200, 1)),
    {
      signal: "failure",
      code: "protocol",
      message:
        "protocol: the response status was OK, but its message is not of the method's type: index out of range: 3 + 200 > 3",
    },
  ],
];

for (const [rule, how, expected] of RESPONSES) {
  test(`understands: ${rule}`, async () => {
    const { response: got } = await asked(how);
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

test("understands: messages a server compresses unasked, in each coding", async () => {
  const text = "yes ".repeat(30);
  const codings: readonly [name: string, encode: typeof zlib.gzipSync][] = [
    ["gzip", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
  ];
  for (const [name, encode] of codings) {
    const { response: got, call } = await asked((call) =>
      respondCompressed(call, encode(textField(text)), name)
    );
    deepStrictEqual([got.signal, got.status], ["ok", 0], name);
    strictEqual((got.json() as { text: string }).text, text, name);
    strictEqual(call.headers["grpc-accept-encoding"], undefined);
  }
});

test("understands: UNAUTHENTICATED refuses the credentials, PERMISSION_DENIED does not", async () => {
  for (const [code, refuses] of [[16, true], [7, false]] as const) {
    const { response: got } = await asked((call) => refuse(call, code));
    strictEqual(got.refusesCredentials, refuses);
  }
});

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
    const { response: got } = await asked((call) => refuse(call, 8, headers));
    strictEqual(got.retryAfter(), ms);
  });
}
