import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  goAway,
  headerFrames,
  hpackBomb,
  joined,
  literal,
  rawHttp2,
  reset,
  type Respond,
  STATUS_200,
} from "../../../support/raw_http2.ts";
import { grpcHarness, grpcTest as test } from "./harness.ts";

const headers = (block: Uint8Array): Respond => async (connection, stream) => {
  for (const each of headerFrames(stream, block)) await connection.send(each);
};
const many = Array.from({ length: 8_000 }, () => literal("x", "y"));

const FIELDS =
  "The response is too large: its header fields take more than 262144 bytes";

/** What a server sends that no library would, and what it comes to. */
const ODD: readonly (readonly [
  what: string,
  respond: Respond,
  status: number | undefined,
  code: string | undefined,
  message: string | undefined,
])[] = [
  [
    "a reset of the server's",
    (connection, stream) => connection.send(reset(stream, 8)),
    1,
    "status",
    "response status was CANCELLED (1): the server reset the stream with CANCEL",
  ],
  [
    "a throttle of the server's",
    (connection, stream) => connection.send(reset(stream, 11)),
    8,
    undefined,
    undefined,
  ],
  [
    "a server that goes away",
    (connection) => connection.send(goAway(0, 11)),
    14,
    "status",
    "response status was UNAVAILABLE (14): the server sent GOAWAY with ENHANCE_YOUR_CALM before it took this request",
  ],
  [
    "an HPACK bomb",
    headers(hpackBomb(100_000)),
    undefined,
    "too-large",
    FIELDS,
  ],
  [
    "8,000 fields",
    headers(joined(STATUS_200, ...many)),
    undefined,
    "too-large",
    FIELDS,
  ],
  [
    "a field of 300 KB",
    headers(joined(STATUS_200, literal("x", "y".repeat(300_000)))),
    undefined,
    "too-large",
    FIELDS,
  ],
  [
    "a broken header block",
    headers(Uint8Array.of(0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
    undefined,
    "protocol",
    "protocol: the header block is malformed: a number is too long",
  ],
  [
    "a response without a status",
    headers(literal("x", "y")),
    undefined,
    "protocol",
    "protocol: the response is malformed: its head has no :status",
  ],
];

for (const [what, respond, status, code, message] of ODD) {
  test(`says who ended the stream: ${what}`, async () => {
    const server = rawHttp2(respond);
    const harness = grpcHarness(server.url);
    const got = await harness.ask();
    await harness[Symbol.asyncDispose]();
    await server.close();
    strictEqual(got.signal, status === 8 ? "throttle" : "failure");
    deepStrictEqual(
      [got.status, got.failure?.code, got.failure?.message],
      [status, code, message],
    );
  });
}
