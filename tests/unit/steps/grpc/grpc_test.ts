import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { refuse, respond, textField } from "../../../support/grpc_server.ts";
import { asked, DESK, fine, grpcTest as test } from "./harness.ts";

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
  const block = {
    headers: { "User-Agent": "{{ env.WHO }}", "X-A": "{{ n }}" },
  };
  const { call: { headers } } = await asked(fine, block, {
    env: { WHO: "" },
    variables: { n: "" },
  });
  deepStrictEqual([headers["user-agent"], headers["x-a"]], [
    undefined,
    undefined,
  ]);
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

test("gives a text field the text of a number or a boolean", async () => {
  const block = { message: { text: "{{ n }}" } };
  for (const [value, text] of [[7, "7"], [-0.5, "-0.5"], ["x", "x"]] as const) {
    const { call } = await asked(fine, block, { variables: { n: value } });
    deepStrictEqual([...call.message], [...textField(text)]);
  }
  const { call } = await asked(fine, block, {
    variables: { n: 7 },
    schema: DESK.replace(
      "string text = 1;\n  int32",
      "google.protobuf.StringValue text = 1;\n  int32",
    ).replace("package", 'import "google/protobuf/wrappers.proto";\npackage'),
  });
  deepStrictEqual([...call.message], [...field(1, textField("7"))]);
});

test("refuses a value that does not fit its field", async () => {
  await rejects(
    asked(fine, { message: { number: "{{ n }}" } }, {
      variables: { n: "many" },
    }),
    {
      name: "RequestError",
      message:
        'the message does not fit its type: `number` must be an int32, but it is the string "many"',
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

test("reads a response: JSON with defaults, metadata and trailers", async () => {
  const { response: got } = await asked((call) =>
    respond(call, textField("yes"), { "x-trail": "t" }, { "x-first": "f" })
  );
  strictEqual(got.signal, "ok");
  deepStrictEqual([got.status, got.httpStatus], [0, 200]);
  deepStrictEqual(got.json(), { text: "yes", count: "0", tags: [] });
  deepStrictEqual(
    ["X-First", "x-trail", "grpc-status"].map((name) => got.headers(name)),
    [["f"], ["t"], ["0"]],
  );
  const { marks, bytesSent, bytesReceived } = got;
  ok(marks.start <= marks.connect && marks.connect <= marks.firstByte);
  ok(marks.firstByte <= marks.end);
  ok(Number.isNaN(marks.dns) && Number.isNaN(marks.tls));
  ok(bytesSent > 100 && bytesReceived > 50);
});

test("shows both messages as JSON in a trace", async () => {
  const { response: got } = await asked(fine, { message: { text: "why" } });
  const [request, response] = [
    got.capturedRequest()!,
    got.capturedResponse()!,
  ];
  strictEqual(request.line, "POST /desk.v1.Desk/Ask HTTP/2");
  strictEqual(request.body, '{"text":"why"}');
  strictEqual(request.headers[0]![0], "te");
  strictEqual(response.line, "HTTP/2 200");
  strictEqual(response.body, '{"text":"yes","count":"0","tags":[]}');
  deepStrictEqual(response.headers.at(-1), ["grpc-status", "0"]);
});

test("shows the page of a proxy in a trace, and of a message that cannot be read its length", async () => {
  const { response: page } = await asked(({ stream }) => {
    stream.respond({ ":status": 502, "content-type": "text/html" });
    stream.end("<h1>Bad Gateway</h1>");
  });
  page.detach();
  const shown = page.capturedResponse()!;
  strictEqual(shown.body, "<h1>Bad Gateway</h1>");
  const { response: garbage } = await asked((call) =>
    respond(call, Uint8Array.of(0x0a, 200, 1))
  );
  garbage.detach();
  const { body, body_bytes, body_truncated } = garbage.capturedResponse()!;
  deepStrictEqual([body, body_bytes, body_truncated], [undefined, 8, true]);
});

/** A field of a message that has a length of its own: a text, bytes or another message. */
function field(number: number, value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string"
    ? new TextEncoder().encode(value)
    : value;
  return Uint8Array.of(number << 3 | 2, bytes.length, ...bytes);
}

function message(...fields: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(fields.flatMap((each) => [...each]));
}

test("shows the details of a status as JSON, and those that are none as they came", async () => {
  const detail = (type: string, value: Uint8Array) =>
    field(
      3,
      message(field(1, `type.googleapis.com/${type}`), field(2, value)),
    );
  const violation = message(field(1, "name"), field(2, "is missing"));
  const status = message(
    Uint8Array.of(8, 3),
    field(2, "no"),
    detail("google.rpc.BadRequest", field(1, violation)),
    // 1.5 s
    detail(
      "google.rpc.RetryInfo",
      field(1, Uint8Array.of(8, 1, 16, 128, 202, 181, 238, 1)),
    ),
    detail("desk.v1.Result", textField("why")),
    detail("other.v1.Thing", Uint8Array.of(1, 2)),
    detail("google.rpc.ErrorInfo", Uint8Array.of(255)),
  );
  const text = status.toBase64({ omitPadding: true });
  const { response: got } = await asked((call) =>
    refuse(call, 3, { "grpc-status-details-bin": text })
  );
  const { body, body_bytes, headers } = got.capturedResponse()!;
  const at = (type: string) => ({ "@type": `type.googleapis.com/${type}` });
  deepStrictEqual(JSON.parse(body!), {
    code: 3,
    message: "no",
    details: [
      {
        ...at("google.rpc.BadRequest"),
        fieldViolations: [{ field: "name", description: "is missing" }],
      },
      { ...at("google.rpc.RetryInfo"), retryDelay: "1.500s" },
      { ...at("desk.v1.Result"), text: "why", count: "0", tags: [] },
      { ...at("other.v1.Thing"), value: "AQI=" },
      { ...at("google.rpc.ErrorInfo"), value: "/w==" },
    ],
  });
  strictEqual(body_bytes, 0);
  ok(headers.some(([name, value]) => name.endsWith("-bin") && value === text));
  for (const none of ["%%", "/w=="]) {
    const { response: got } = await asked((call) =>
      refuse(call, 3, { "grpc-status-details-bin": none })
    );
    strictEqual(got.capturedResponse()!.body, undefined);
  }
});

test("shows the beginning of a message that is long", async () => {
  const long = "x".repeat(200_000);
  // Field 1, its length as a varint, and the text.
  const message = new Uint8Array(200_004).fill(0x78);
  message.set([0x0a, 0xc0, 0x9a, 0x0c]);
  const { response: got } = await asked(
    (call) => respond(call, message),
    { message: { text: long } },
  );
  for (const shown of [got.capturedRequest()!, got.capturedResponse()!]) {
    strictEqual(shown.body_truncated, true);
    ok(shown.body!.length < 150_000);
    ok(shown.body_bytes! > 200_000);
  }
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
    "api_key in the place of User-Agent",
    {
      scheme: "api_key",
      name: "User-Agent",
      value: "{{ env.KEY }}",
      in: "header",
    },
    "user-agent",
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
