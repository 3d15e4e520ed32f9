import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { HeaderField } from "../../../../lib/wire/http2/hpack/decoder.ts";
import {
  FLAG,
  FRAME,
  type H2Connection,
  h2Server,
} from "../../../support/h2_server.ts";
import { grpcHarness, grpcTest as test } from "./harness.ts";

/** Responds to the first request of a connection. */
type Respond = (connection: H2Connection) => Promise<void>;

const STREAM = 1;
const LARGEST = 16_384;
const OK: HeaderField = [":status", "200"];

/** Sends a header block, cut as the protocol wants. */
async function sendBlock(
  connection: H2Connection,
  block: Uint8Array,
): Promise<void> {
  for (let at = 0; at < block.length; at += LARGEST) {
    const type = at === 0 ? FRAME.HEADERS : FRAME.CONTINUATION;
    const flags = at + LARGEST >= block.length ? FLAG.END_HEADERS : 0;
    const part = block.subarray(at, at + LARGEST);
    await connection.frameOf(type, flags, STREAM, part);
  }
}

const headers = (...fields: HeaderField[]): Respond => (connection) =>
  sendBlock(connection, connection.block(fields));
const reset = (code: number): Respond => (connection) =>
  connection.frameOf(FRAME.RST_STREAM, 0, STREAM, [0, 0, 0, code]);

/** One field in the dynamic table, named again and again in a byte each (RFC 7541 section 6). */
const hpackBomb: Respond = (connection) => {
  const field = connection.block([["x", "y".repeat(3_900)]]);
  field[0] = 0x40;
  // 62 is the newest entry of the dynamic table.
  const named = new Uint8Array(100_000).fill(0x80 | 62);
  return sendBlock(
    connection,
    Uint8Array.of(...connection.block([OK]), ...field, ...named),
  );
};

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
    reset(8),
    1,
    "status",
    "response status was CANCELLED (1): the server reset the stream with CANCEL",
  ],
  [
    "a throttle of the server's",
    reset(11),
    8,
    undefined,
    undefined,
  ],
  [
    "a server that goes away",
    (connection) =>
      connection.frameOf(FRAME.GOAWAY, 0, 0, [0, 0, 0, 0, 0, 0, 0, 11]),
    14,
    "status",
    "response status was UNAVAILABLE (14): the server sent GOAWAY with ENHANCE_YOUR_CALM before it took this request",
  ],
  [
    "an HPACK bomb",
    hpackBomb,
    undefined,
    "too-large",
    FIELDS,
  ],
  [
    "8,000 fields",
    headers(
      OK,
      ...Array.from({ length: 8_000 }, (): HeaderField => ["x", "y"]),
    ),
    undefined,
    "too-large",
    FIELDS,
  ],
  [
    "a field of 300 KB",
    headers(OK, ["x", "y".repeat(300_000)]),
    undefined,
    "too-large",
    FIELDS,
  ],
  [
    "a broken header block",
    (connection) =>
      sendBlock(
        connection,
        Uint8Array.of(0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
      ),
    undefined,
    "protocol",
    "protocol: the header block is malformed: a number is too long",
  ],
  [
    "a response without a status",
    headers(["x", "y"]),
    undefined,
    "protocol",
    "protocol: the response is malformed: its head has no :status",
  ],
];

for (const [what, respond, status, code, message] of ODD) {
  test(`says who ended the stream: ${what}`, async () => {
    const server = h2Server(async (connection) => {
      await connection.request();
      await respond(connection);
    });
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
