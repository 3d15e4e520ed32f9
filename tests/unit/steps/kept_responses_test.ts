import { deepStrictEqual, notDeepStrictEqual, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { grpcServer, respond, textField } from "../../support/grpc_server.ts";
import { rawServer } from "../../support/raw_server.ts";
import { wireHarness } from "../../support/wire_harness.ts";
import { wsServer } from "../../support/ws_server.ts";
import type { StepResponse } from "../../../lib/model/result/response.ts";
import type { WireResponse } from "../../../lib/wire/net/wire_response.ts";
import { DESK, grpcHarness } from "./grpc/harness.ts";
import { wsHarness } from "./ws/harness.ts";
import { FLAG, h2Server } from "../../support/h2_server.ts";
import { h2Client } from "../wire/http2/harness.ts";
import { STRICT } from "../../support/strict.ts";

/*
 * What a trace will show of a response is the same however many responses come
 * after it. Every buffer that is used again is poisoned: each later response fills
 * it to its end with other bytes.
 */

/** So many responses come later: a connection has two buffers, and takes turns. */
const LATER = 4;

/** The body of response `turn`: the first is kept, the others are longer. */
function bodyOf(turn: number, size: number): Buffer<ArrayBuffer> {
  return turn === 0 ? Buffer.alloc(size, "kept") : Buffer.alloc(size + 99, "#");
}

interface Case<Response> {
  readonly exchange: () => Promise<Response>;
  readonly show: (response: Response) => unknown;
}

/** Holds one response until the later ones have come. */
async function outlives<Response extends { detach(): void }>(
  { exchange, show }: Case<Response>,
): Promise<void> {
  const kept = await exchange();
  const shown = show(kept);
  kept.detach();
  deepStrictEqual(show(kept), shown, "as it came");
  for (let turn = 0; turn < LATER; turn++) {
    notDeepStrictEqual(show(await exchange()), shown);
    deepStrictEqual(show(kept), shown, `after ${turn + 1} more`);
  }
}

const onWire = (response: WireResponse) => ({
  line: response.statusLine,
  headers: response.headers(),
  trailers: response.trailers,
  body: Buffer.from(response.body).toString("latin1"),
});

const inTrace = (response: StepResponse) => {
  // What was read of the body before is not what is looked at.
  response.checked?.();
  return { json: response.json(), ...response.capturedResponse() };
};

function test(what: string, fn: () => Promise<void>): void {
  Deno.test({
    name: `A kept response is not overwritten by the next ones: ${what}`,
    ...STRICT,
    fn,
  });
}

const SIZES = { "a short body": 40, "a long body": 300_000 };

for (const [what, size] of Object.entries(SIZES)) {
  test(`HTTP/1.1, ${what}`, async () => {
    let turn = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        const body = bodyOf(turn++, size);
        await connection.send(
          `HTTP/1.1 200 OK\r\nX-Turn: ${turn}\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        await connection.send(body);
      }
    });
    using harness = wireHarness(server.url);
    await outlives({ exchange: () => harness.exchange(), show: onWire });
  });

  test(`HTTP/1.1 in chunks, with trailers, ${what}`, async () => {
    let turn = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        const body = bodyOf(turn++, size);
        const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
        await connection.send(
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n${chunk}` +
            `0\r\nX-Turn: ${turn}\r\n\r\n`,
        );
      }
    });
    using harness = wireHarness(server.url);
    await outlives({ exchange: () => harness.exchange(), show: onWire });
  });

  test(`HTTP/2, ${what}`, async () => {
    await using server = h2Server(async (connection) => {
      for (let turn = 0; turn <= LATER; turn++) {
        const stream = 2 * turn + 1;
        await connection.request();
        await connection.headers(stream, [
          [":status", "200"],
          ["x-turn", String(turn)],
        ], FLAG.END_HEADERS);
        const body = bodyOf(turn, size);
        for (let at = 0; at < body.length; at += 16_000) {
          const part = body.subarray(at, at + 16_000);
          await connection.frameOf(0, 0, stream, part);
        }
        await connection.frameOf(0, 1, stream);
      }
    });
    await using client = await h2Client(server.url);
    await outlives({ exchange: () => client.ask(), show: onWire });
  });
}

/** `bytes` where a view could lie: a field, a list, a message inside, an `Any`. */
const RAW:
  readonly (readonly [string, string, (raw: Uint8Array) => Uint8Array])[] = [
    ["a field", "bytes", (raw) => raw],
    ["a list", "repeated bytes", (raw) => raw],
    ["a message inside", "Inner", nested],
    ["a map", "map<string, bytes>", (raw) => {
      return Uint8Array.of(...textField("key"), 0x12, raw.length, ...raw);
    }],
    ["a wrapper", "google.protobuf.BytesValue", nested],
    ["an Any", "google.protobuf.Any", (raw) => {
      const url = textField("x/desk.v1.Unknown");
      return Uint8Array.of(...url, 0x12, raw.length, ...raw);
    }],
  ];

function nested(raw: Uint8Array): Uint8Array {
  return Uint8Array.of(0x0a, raw.length, ...raw);
}

for (const [what, type, put] of RAW) {
  test(`gRPC, bytes in ${what}`, async () => {
    let turn = 0;
    await using server = await grpcServer((call) => {
      const raw = put(new Uint8Array(bodyOf(turn++, 4).subarray(0, 60)));
      respond(call, nested(raw));
    });
    await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
    const schema = DESK.replace(
      "package desk.v1;",
      `package desk.v1;
       import "google/protobuf/any.proto";
       import "google/protobuf/wrappers.proto";
       message Inner { bytes raw = 1; }`,
    ).replace("string text = 1;\n  int64", `${type} raw = 1;\n  int64`);
    await outlives({
      exchange: () => harness.ask({}, { schema }),
      show: inTrace,
    });
  });
}

test("a binary frame of a WebSocket", async () => {
  await using server = await wsServer({
    session: ({ socket }) => {
      for (let turn = 0; turn <= LATER; turn++) socket.send(bodyOf(turn, 40));
    },
  });
  await using harness = wsHarness(server.url);
  await harness.step({ url: "/", session: "s" });
  await outlives({
    exchange: () => harness.step({ session: "s", receive: {} }),
    show: inTrace,
  });
});

test("gRPC, one that was not kept shows no other's bytes", async () => {
  let turn = 0;
  await using server = await grpcServer((call) =>
    respond(
      call,
      new Uint8Array([0x0a, 4, ...bodyOf(turn++, 4).subarray(0, 4)]),
    )
  );
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  const schema = DESK.replace(
    "string text = 1;\n  int64",
    "bytes raw = 1;\n  int64",
  );
  const response = await harness.ask({}, { schema });
  await harness.ask({}, { schema });
  response.checked?.();
  deepStrictEqual(
    [response.overwritten, response.json(), response.capturedResponse()?.body],
    [true, undefined, undefined],
  );
});

test("gRPC, of one that was not kept its times and its request are left", async () => {
  await using server = await grpcServer((call) =>
    respond(call, textField("a"))
  );
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  const ask = (number: number) => harness.ask({ message: { number } });
  const [kept, passed] = [await ask(1), await ask(2)];
  kept.detach();
  deepStrictEqual(passed.outlasting?.(undefined), passed, "it is still there");
  const facts = (response: StepResponse) => ({
    times: { ...response.marks },
    request: response.capturedRequest(),
    said: [response.status, response.origin, response.httpVersion],
    bytes: [response.bytesSent, response.bytesReceived],
  });
  const before = facts(passed);
  await ask(3);
  const left = passed.outlasting!(undefined);
  const { start, dns, connect, tls, firstByte, end } = left.marks;
  deepStrictEqual(
    { ...facts(left), times: { start, dns, connect, tls, firstByte, end } },
    before,
  );
  deepStrictEqual(
    [left.overwritten, left.capturedResponse()],
    [true, undefined],
  );
  deepStrictEqual(kept.outlasting?.(undefined), kept);
});

test("gRPC, a decoded message counts as many times its bytes", async () => {
  await using server = await grpcServer((call) =>
    respond(call, textField("a".repeat(100)))
  );
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  const { heldBytes, bytesReceived } = await harness.ask();
  ok(bytesReceived > 100 && heldBytes! > 30 * 100);
});
