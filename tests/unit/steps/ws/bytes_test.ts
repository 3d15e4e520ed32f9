import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type RawConnection, rawServer } from "../../../support/raw_server.ts";
import {
  accept,
  acceptance,
  BINARY,
  CLOSE,
  drain,
  PING,
  TEXT,
  wsHarness,
} from "./harness.ts";
import { serverFrame as frame } from "../../../support/ws_message.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { STRICT } from "../../../support/strict.ts";

/* A server that says every byte itself: what no library would send. */

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ...STRICT, fn });
}

/** Opens a session, receives one frame, and gives back what came of it. */
async function received(
  says: (connection: RawConnection) => Promise<void>,
): Promise<StepResponse> {
  const server = rawServer(async (connection) => {
    await accept(connection);
    await says(connection);
    await drain(connection);
  });
  try {
    await using harness = wsHarness(server.url);
    return await harness.step({ url: "/", receive: {} });
  } finally {
    await server.close();
  }
}

const fragments = [
  frame(0x01, '{"part'),
  frame(0x00, '":"of'),
  frame(PING, "between"),
  frame(0x80, ' one"}'),
];

const readable: [rule: string, bytes: Uint8Array[], json: unknown][] = [
  ["a text frame", [frame(TEXT, '{"a":1}')], { a: 1 }],
  ["JSON that is no object", [frame(TEXT, "17")], 17],
  [
    "a frame with a long length",
    [frame(TEXT, `"${"x".repeat(70_000)}"`)],
    "x".repeat(70_000),
  ],
  ["a message in fragments, a ping among them", fragments, { part: "of one" }],
  ["a frame after an unsolicited pong", [
    frame(0x8a, ""),
    frame(TEXT, "[]"),
  ], []],
];
for (const [rule, bytes, json] of readable) {
  test(`ws receives ${rule}`, async () => {
    const response = await received(async (connection) => {
      for (const each of bytes) await connection.send(each);
    });
    deepStrictEqual([response.signal, response.failure], ["ok", undefined]);
    deepStrictEqual(response.json(), json);
  });
}

test("ws receives a message however its bytes are split", async () => {
  const bytes = Uint8Array.from(fragments.flatMap((each) => [...each]));
  for (let at = 1; at < bytes.length; at++) {
    const response = await received(async (connection) => {
      await connection.send(bytes.subarray(0, at));
      // One turn of the loop, so that the parts are two reads.
      await new Promise((resolve) => setTimeout(resolve, 0));
      await connection.send(bytes.subarray(at));
    });
    deepStrictEqual(response.json(), { part: "of one" }, `split at ${at}`);
  }
});

test("ws receives a frame that comes in the same bytes as the handshake's response", async () => {
  await using server = rawServer(async (connection) => {
    const response = acceptance(await connection.request() ?? "");
    const bytes = String.fromCharCode(...frame(TEXT, '{"early":true}'));
    await connection.send(response + bytes);
    await drain(connection);
  });
  {
    await using harness = wsHarness(server.url);
    const response = await harness.step({ url: "/", receive: {} });
    deepStrictEqual(response.json(), { early: true });
  }
});

test("ws takes a close frame for the end, though the server leaves the connection open", async () => {
  const left = Promise.withResolvers<void>();
  await using server = rawServer(async (connection) => {
    await accept(connection);
    await connection.send(frame(TEXT, "1"));
    await connection.send(frame(CLOSE, Uint8Array.of(1013 >> 8, 1013 & 255)));
    await left.promise;
  });
  await using harness = wsHarness(server.url, { timeoutMs: 60_000 });
  const first = await harness.step({ url: "/", receive: {} });
  strictEqual(first.signal, "ok");
  const closed = await harness.step({ receive: {} });
  strictEqual(closed.signal, "throttle");
  const unsent = await harness.step({ send: 1, receive: {} });
  strictEqual(unsent.signal, "throttle");
  const limits = { mostBytes: 100, whole: false };
  strictEqual(unsent.capturedRequest(limits), undefined);
  await harness.stop();
  left.resolve();
});

const LONG = Uint8Array.from([TEXT, 127, 0, 0, 0, 0, 1, 0, 0, 1]);

const refused: [rule: string, bytes: Uint8Array, code: string, says: RegExp][] =
  [
    [
      "a text frame that is no JSON",
      frame(TEXT, "hello"),
      "frame",
      /text frame "hello" came, but it is not JSON/,
    ],
    ["an empty text frame", frame(TEXT, ""), "frame", /not JSON/],
    ["a binary frame", frame(BINARY, "{}"), "frame", /binary frame of 2 bytes/],
    [
      "a masked frame",
      Uint8Array.from([TEXT, 0x82, 1, 2, 3, 4, 5, 6]),
      "protocol",
      /is masked/,
    ],
    ["a frame with RSV1 set", frame(0xc1, "{}"), "protocol", /a reserved bit/],
    ["a frame with RSV3 set", frame(0x91, "{}"), "protocol", /a reserved bit/],
    ["an unknown opcode", frame(0x83, "{}"), "protocol", /no opcode 3/],
    [
      "a continuation of nothing",
      frame(0x80, "{}"),
      "protocol",
      /no message to continue/,
    ],
    [
      "a ping in fragments",
      frame(0x09, ""),
      "protocol",
      /control frame is fragmented/,
    ],
    [
      "text that is no UTF-8",
      frame(TEXT, Uint8Array.from([0x22, 0xff, 0x22])),
      "protocol",
      /UTF-8/,
    ],
    [
      "a close frame of one byte",
      Uint8Array.from([CLOSE, 1, 3]),
      "protocol",
      /half a code/,
    ],
    [
      "a close code that may not be sent",
      Uint8Array.from([CLOSE, 2, 0x03, 0xed]),
      "protocol",
      /code 1005, which is never sent/,
    ],
    [
      "a frame above 16 MiB",
      LONG,
      "too-large",
      /longer than the 16777216 bytes/,
    ],
  ];
for (const [rule, bytes, code, says] of refused) {
  test(`ws fails a step on ${rule}`, async () => {
    const response = await received((connection) => connection.send(bytes));
    strictEqual(response.signal, "failure");
    strictEqual(response.failure?.code, code);
    match(response.failure!.message, says);
  });
}

const closing = (code: number, reason = "") =>
  frame(
    CLOSE,
    Uint8Array.from([
      code >> 8,
      code & 255,
      ...new TextEncoder().encode(reason),
    ]),
  );

const closes: [
  rule: string,
  bytes: Uint8Array | undefined,
  signal: string,
  says?: RegExp,
][] = [
  ["1013 is a throttle", closing(1013, "later"), "throttle"],
  [
    "1000 fails a step that waits",
    closing(1000),
    "failure",
    /code 1000 \(normal closure\)$/,
  ],
  [
    "1011 is named, with its reason",
    closing(1011, "sorry"),
    "failure",
    /code 1011 \(internal error\): sorry$/,
  ],
  [
    "4001 is the server's own",
    closing(4001),
    "failure",
    /code 4001 \(private use\)$/,
  ],
  [
    "no code at all is 1005",
    frame(CLOSE, ""),
    "failure",
    /code 1005 \(no status received\)$/,
  ],
  [
    "no close frame at all is 1006",
    undefined,
    "failure",
    /without a close frame: code 1006/,
  ],
];
for (const [rule, bytes, signal, says] of closes) {
  test(`ws close codes: ${rule}`, async () => {
    const response = await received(async (connection) => {
      if (bytes) await connection.send(bytes);
      else connection.close();
    });
    strictEqual(response.signal, signal);
    if (says) {
      strictEqual(response.failure?.code, "closed");
      match(response.failure!.message, says);
    } else strictEqual(response.failure, undefined);
  });
}

const handshakes: [
  rule: string,
  respond: (request: string) => string,
  code: string,
  says: RegExp,
][] = [
  [
    "a wrong accept key",
    (request) => acceptance(request).replace(/Accept: ./, "Accept: !"),
    "protocol",
    /Sec-WebSocket-Accept/,
  ],
  [
    "another upgrade",
    (request) =>
      acceptance(request).replace("Upgrade: websocket", "Upgrade: h2c"),
    "protocol",
    /no `Upgrade: websocket`/,
  ],
  [
    "an extension that was not requested",
    (request) =>
      acceptance(request, "Sec-WebSocket-Extensions: permessage-deflate\r\n"),
    "protocol",
    /extension/,
  ],
  [
    "a subprotocol that was not requested",
    (request) => acceptance(request, "Sec-WebSocket-Protocol: chat\r\n"),
    "protocol",
    /subprotocol/,
  ],
  [
    "a status that is no 101",
    () => "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "handshake",
    /was 200 OK, not 101/,
  ],
  [
    "a redirect",
    () => "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
    "handshake",
    /was 302 Found, not 101 Switching Protocols; it redirects to `\/x`, and/,
  ],
  [
    "no HTTP",
    () => "NOT HTTP AT ALL\r\n\r\n",
    "protocol",
    /not an HTTP\/1.1 response/,
  ],
  [
    "a response that breaks off",
    () => "HTTP/1.1 101 Switch",
    "reset",
    /an incomplete response/,
  ],
  ["no response", () => "", "reset", /before any byte of the response/],
];
for (const [rule, respond, code, says] of handshakes) {
  test(`ws fails a handshake on ${rule}`, async () => {
    await using server = rawServer(async (connection) => {
      await connection.send(respond(await connection.request() ?? ""));
    });
    {
      await using harness = wsHarness(server.url);
      const response = await harness.step({ url: "/" });
      strictEqual(response.signal, "failure");
      strictEqual(response.failure?.code, code);
      match(response.failure!.message, says);
      const after = await harness.step({ receive: {} });
      strictEqual(after.failure?.code, "session");
    }
  });
}

test("ws throttles on a handshake refused with 429, and keeps its Retry-After and body", async () => {
  await using server = rawServer(async (connection) => {
    await connection.request();
    await connection.send(
      "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 8\r\n\r\nslow dow",
    );
    await drain(connection);
  });
  {
    await using harness = wsHarness(server.url);
    const response = await harness.step({ url: "/" });
    strictEqual(response.signal, "throttle");
    strictEqual(response.status, 429);
    strictEqual(response.retryAfter(), 7_000);
    strictEqual(response.capturedResponse()?.body, "slow dow");
  }
});

test("ws sends its handshake in one order, the path as it is written", async () => {
  let request = "";
  await using server = rawServer(async (connection) => {
    request = await accept(connection, "Sec-WebSocket-Protocol: b\r\n");
    await drain(connection);
  });
  {
    await using harness = wsHarness(server.url);
    const response = await harness.step({
      url: "/a/../b c?x={y}",
      headers: { Zeta: "1", alpha: "2", "X-Empty": "" },
      subprotocols: ["a", "b"],
    });
    strictEqual(response.signal, "ok");
    const { line, headers } = response.capturedRequest()!;
    const shown = [line, ...headers.map((each) => each.join(": ")), "", ""];
    strictEqual(shown.join("\r\n"), request, "the trace shows what was sent");
  }
  const lines = request.replace(/Key: .*/, "Key: k").split("\r\n");
  deepStrictEqual(lines, [
    "GET /a/../b%20c?x=%7By%7D HTTP/1.1",
    `Host: 127.0.0.1:${server.port}`,
    "Zeta: 1",
    "alpha: 2",
    "User-Agent: bench/test",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: k",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Protocol: a, b",
    "",
    "",
  ]);
});

test("ws responds to a ping while no step waits on the session", async () => {
  const ponged = Promise.withResolvers<Uint8Array>();
  await using server = rawServer(async (connection) => {
    await accept(connection);
    await connection.send(frame(PING, "hi"));
    const buffer = new Uint8Array(64);
    const count = await connection.conn.read(buffer) ?? 0;
    ponged.resolve(buffer.slice(0, count));
    await drain(connection);
  });
  {
    await using harness = wsHarness(server.url);
    await harness.step({ url: "/" });
    const [first, length, ...rest] = await ponged.promise;
    deepStrictEqual([first, length], [0x8a, 0x82]);
    const payload = rest.slice(4).map((byte, at) => byte ^ rest[at]!);
    strictEqual(String.fromCharCode(...payload), "hi");
  }
});

test("ws counts what a step sends that finds its frame in the queue", async () => {
  await using server = rawServer(async (connection) => {
    await accept(connection);
    for (const part of ["0", "1", "2"]) {
      await connection.send(frame(TEXT, part));
    }
    await drain(connection);
  });
  {
    await using harness = wsHarness(server.url);
    await harness.step({ url: "/", receive: {} });
    const sent: number[] = [];
    for (const receive of [{}, {}]) {
      sent.push((await harness.step({ send: "a", receive })).bytesSent);
    }
    deepStrictEqual(sent, [9, 9]);
  }
});
