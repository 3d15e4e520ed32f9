import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { errorCode } from "../../../../lib/wire/http2/frames/error.ts";
import type { HeaderField } from "../../../../lib/wire/http2/hpack/decoder.ts";
import { FLAG, FRAME, type H2Connection } from "../../../support/h2_server.ts";
import { test, textOf, withServer } from "./harness.ts";

const OK: readonly HeaderField[] = [[":status", "200"]];
const END = FLAG.END_STREAM | FLAG.END_HEADERS;
const utf8 = new TextEncoder();

/** A whole response on a stream. */
async function respond(
  connection: H2Connection,
  stream: number,
): Promise<void> {
  await connection.headers(stream, OK, FLAG.END_HEADERS);
  await connection.frameOf(
    FRAME.DATA,
    FLAG.END_STREAM,
    stream,
    utf8.encode("fine"),
  );
}

/** What a server may do to a connection, and what the client says and sends back. */
const CONNECTION_ERRORS: readonly [
  what: string,
  act: (connection: H2Connection) => Promise<void>,
  error: Parameters<typeof errorCode>[0],
  message: RegExp,
][] = [
  [
    "a frame longer than was allowed",
    (connection) =>
      connection.frameOf(FRAME.DATA, 0, 1, new Uint8Array(16_385)),
    "FRAME_SIZE_ERROR",
    /DATA of 16385 bytes is longer than the 16384/,
  ],
  [
    "DATA of stream 0",
    (connection) => connection.frameOf(FRAME.DATA, 0, 0, [1]),
    "PROTOCOL_ERROR",
    /DATA is of no stream/,
  ],
  [
    "HEADERS of a stream that was never opened",
    (connection) => connection.headers(3, OK),
    "PROTOCOL_ERROR",
    /HEADERS is of stream 3, which was never opened/,
  ],
  [
    "HEADERS of an even stream",
    (connection) => connection.headers(2, OK),
    "PROTOCOL_ERROR",
    /stream 2, which was never opened/,
  ],
  [
    "PUSH_PROMISE",
    (connection) => connection.frameOf(FRAME.PUSH_PROMISE, 4, 1, [0, 0, 0, 2]),
    "PROTOCOL_ERROR",
    /PUSH_PROMISE is not expected/,
  ],
  [
    "CONTINUATION out of place",
    (connection) => connection.frameOf(FRAME.CONTINUATION, 4, 1),
    "PROTOCOL_ERROR",
    /CONTINUATION without a header block/,
  ],
  [
    "a frame inside a header block",
    async (connection) => {
      await connection.frameOf(FRAME.HEADERS, 0, 1, connection.block(OK));
      await connection.frameOf(FRAME.PING, 0, 0, new Uint8Array(8));
    },
    "PROTOCOL_ERROR",
    /PING comes in the middle of a header block/,
  ],
  [
    "CONTINUATION of another stream",
    async (connection) => {
      await connection.frameOf(FRAME.HEADERS, 0, 1, connection.block(OK));
      await connection.frameOf(FRAME.CONTINUATION, 4, 3);
    },
    "PROTOCOL_ERROR",
    /of another stream/,
  ],
  [
    "SETTINGS of a stream",
    (connection) => connection.frameOf(FRAME.SETTINGS, 0, 1),
    "PROTOCOL_ERROR",
    /SETTINGS is of stream 1: expected 0/,
  ],
  [
    "SETTINGS that are cut",
    (connection) => connection.frameOf(FRAME.SETTINGS, 0, 0, [0, 1, 0]),
    "FRAME_SIZE_ERROR",
    /no multiple of 6/,
  ],
  [
    "an acknowledgement with settings",
    (connection) => connection.frameOf(FRAME.SETTINGS, 1, 0, new Uint8Array(6)),
    "FRAME_SIZE_ERROR",
    /SETTINGS has 6 bytes: expected 0/,
  ],
  [
    "push turned on",
    (connection) =>
      connection.frameOf(FRAME.SETTINGS, 0, 0, [0, 2, 0, 0, 0, 1]),
    "PROTOCOL_ERROR",
    /ENABLE_PUSH is 1, which is out of range/,
  ],
  [
    "a window beyond the largest",
    (connection) =>
      connection.frameOf(FRAME.SETTINGS, 0, 0, [0, 4, 0x80, 0, 0, 0]),
    "FLOW_CONTROL_ERROR",
    /INITIAL_WINDOW_SIZE is 2147483648/,
  ],
  [
    "a frame size below the least",
    (connection) =>
      connection.frameOf(FRAME.SETTINGS, 0, 0, [0, 5, 0, 0, 0, 1]),
    "PROTOCOL_ERROR",
    /MAX_FRAME_SIZE is 1,/,
  ],
  [
    "PING of 7 bytes",
    (connection) => connection.frameOf(FRAME.PING, 0, 0, new Uint8Array(7)),
    "FRAME_SIZE_ERROR",
    /PING has 7 bytes: expected 8/,
  ],
  [
    "RST_STREAM of 3 bytes",
    (connection) =>
      connection.frameOf(FRAME.RST_STREAM, 0, 1, new Uint8Array(3)),
    "FRAME_SIZE_ERROR",
    /RST_STREAM has 3 bytes/,
  ],
  [
    "GOAWAY of 4 bytes",
    (connection) => connection.frameOf(FRAME.GOAWAY, 0, 0, new Uint8Array(4)),
    "FRAME_SIZE_ERROR",
    /GOAWAY has 4 bytes, which is too few/,
  ],
  [
    "a connection window that opens by nothing",
    (connection) => connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, [0, 0, 0, 0]),
    "PROTOCOL_ERROR",
    /WINDOW_UPDATE adds 0 bytes/,
  ],
  [
    "a connection window that overflows",
    (connection) =>
      connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, [0x7f, 0xff, 0xff, 0xff]),
    "FLOW_CONTROL_ERROR",
    /grows to 2147549182/,
  ],
  [
    "padding longer than its frame",
    (connection) => connection.frameOf(FRAME.DATA, 8, 1, [9, 0]),
    "PROTOCOL_ERROR",
    /the padding of DATA is longer/,
  ],
  [
    "a header block that is none",
    (connection) => connection.frameOf(FRAME.HEADERS, END, 1, [0xff]),
    "COMPRESSION_ERROR",
    /the header block is malformed: it is cut short/,
  ],
  [
    "a header block without end",
    async (connection) => {
      await connection.frameOf(FRAME.HEADERS, 0, 1, connection.block(OK));
      for (let sent = 0; sent < 20; sent++) {
        await connection.frameOf(
          FRAME.CONTINUATION,
          0,
          1,
          new Uint8Array(16_384),
        );
      }
    },
    "ENHANCE_YOUR_CALM",
    /more than 262144 bytes/,
  ],
  [
    "a header list without end",
    (connection) => connection.frameOf(FRAME.HEADERS, END, 1, bomb(connection)),
    "ENHANCE_YOUR_CALM",
    /more than 262144 bytes/,
  ],
  ...([
    [
      "PING",
      (connection) => connection.frameOf(FRAME.PING, 0, 0, new Uint8Array(8)),
    ],
    ["SETTINGS", (connection) => connection.frameOf(FRAME.SETTINGS, 0, 0)],
    [
      "WINDOW_UPDATE",
      (connection) =>
        connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, [0, 0, 0, 1]),
    ],
    [
      "PRIORITY",
      (connection) => connection.frameOf(FRAME.PRIORITY, 0, 1, [0, 0, 0, 0, 1]),
    ],
    ["an unknown type", (connection) => connection.frameOf(99, 0, 1, [1])],
    [
      "interim responses",
      (connection) =>
        connection.headers(1, [[":status", "103"]], FLAG.END_HEADERS),
    ],
  ] as const satisfies readonly [
    string,
    (connection: H2Connection) => Promise<void>,
  ][])
    .map(
      ([what, one]): (typeof CONNECTION_ERRORS)[number] => [
        `a flood of ${what}`,
        async (connection) => {
          for (let sent = 0; sent < 2_100; sent++) await one(connection);
        },
        "ENHANCE_YOUR_CALM",
        /more than 1000 frames without content within 5 s/,
      ],
    ),
  [
    "a flood of empty CONTINUATION",
    async (connection) => {
      await connection.frameOf(FRAME.HEADERS, 0, 1, connection.block(OK));
      for (let sent = 0; sent < 2_100; sent++) {
        await connection.frameOf(
          FRAME.CONTINUATION,
          0,
          1,
        );
      }
    },
    "ENHANCE_YOUR_CALM",
    /without content/,
  ],
  [
    "a flood of empty DATA",
    async (connection) => {
      await connection.headers(1, OK, FLAG.END_HEADERS);
      for (let sent = 0; sent < 2_100; sent++) {
        await connection.frameOf(
          FRAME.DATA,
          0,
          1,
        );
      }
    },
    "ENHANCE_YOUR_CALM",
    /without content/,
  ],
];

/** One entry of 3,900 bytes, then a hundred references to it. */
function bomb(connection: H2Connection): Uint8Array {
  const [first, entry] = [connection.block(OK), [
    0x40,
    1,
    0x61,
    0x7f,
    0xbd,
    0x1d,
  ]];
  return Uint8Array.from([
    ...first,
    ...entry,
    ...Array(3_900).fill(0x62),
    ...Array(100).fill(0xbe),
  ]);
}

for (const [what, act, error, message] of CONNECTION_ERRORS) {
  test(`${what} ends the connection with ${error}`, async () => {
    const shown = Promise.withResolvers<number>();
    await withServer(async (connection) => {
      await connection.request();
      const acting = act(connection).catch(() => {});
      const { payload } = await connection.until(FRAME.GOAWAY);
      shown.resolve(new DataView(payload.buffer).getUint32(4));
      await acting;
    }, async (client) => {
      let { failure } = await client.ask();
      if (!failure) failure = (await client.ask()).failure;
      const code = /take more than/.test(failure!.message)
        ? "too-large"
        : "protocol";
      deepStrictEqual([failure!.code, client.connection.ready], [code, false]);
      match(failure!.message, message);
      strictEqual(await shown.promise, errorCode(error));
    });
  });
}

/** What may be wrong with one response alone: the connection goes on. */
const STREAM_ERRORS: readonly [
  what: string,
  act: (connection: H2Connection) => Promise<void>,
  message: RegExp,
][] = [
  [
    "no :status",
    (connection) => connection.headers(1, [["a", "b"]]),
    /its head has no :status/,
  ],
  [
    "two :status",
    (connection) => connection.headers(1, [...OK, ...OK]),
    /":status" is not expected there/,
  ],
  [
    "a :status after a field",
    (connection) => connection.headers(1, [["a", "b"], ...OK]),
    /":status" is not expected there/,
  ],
  [
    "a :path",
    (connection) => connection.headers(1, [...OK, [":path", "/"]]),
    /":path" is not expected there/,
  ],
  [
    "a :status that is no number",
    (connection) => connection.headers(1, [[":status", "2xx"]]),
    /"2xx" is not a status/,
  ],
  [
    "status 101",
    (connection) => connection.headers(1, [[":status", "101"]]),
    /status 101 is not allowed/,
  ],
  [
    "a name in upper case",
    (connection) => connection.headers(1, [...OK, ["A", "b"]]),
    /"A" is not a field name/,
  ],
  [
    "a line break in a value",
    (connection) => connection.headers(1, [...OK, ["a", "b\r\nc: d"]]),
    /the value of `a`/,
  ],
  [
    "a field of HTTP/1.1",
    (connection) =>
      connection.headers(1, [...OK, ["transfer-encoding", "chunked"]]),
    /`transfer-encoding` is not allowed/,
  ],
  [
    "DATA before its head",
    (connection) => connection.frameOf(FRAME.DATA, 1, 1, [1]),
    /DATA comes before its head/,
  ],
  [
    "an interim response at the end",
    (connection) => connection.headers(1, [[":status", "100"]]),
    /ends with an interim response/,
  ],
  ["less than its content-length", async (connection) => {
    await connection.headers(1, [...OK, ["content-length", "5"]], 4);
    await connection.frameOf(FRAME.DATA, 1, 1, [1, 2]);
  }, /content-length is 5, but 2 bytes came/],
  [
    "two content-lengths",
    (connection) =>
      connection.headers(1, [...OK, ["content-length", "5"], [
        "content-length",
        "6",
      ]]),
    /content-length is both 5 and 6/,
  ],
  ["trailers that do not end it", async (connection) => {
    await connection.headers(1, OK, 4);
    await connection.headers(1, [["a", "b"]], 4);
  }, /its trailers do not end it/],
  ["trailers with a :status", async (connection) => {
    await connection.headers(1, OK, 4);
    await connection.headers(1, OK);
  }, /its trailers have a :status/],
  [
    "a window that opens by nothing",
    (connection) => connection.frameOf(FRAME.WINDOW_UPDATE, 0, 1, [0, 0, 0, 0]),
    /adds 0 bytes/,
  ],
];

for (const [what, act, message] of STREAM_ERRORS) {
  test(`a response with ${what} fails alone`, async () => {
    await withServer(async (connection) => {
      await connection.request();
      await act(connection);
      await connection.until(FRAME.RST_STREAM);
      await connection.request();
      await respond(connection, 3);
    }, async (client) => {
      const { failure } = await client.ask();
      strictEqual(failure?.code, "protocol");
      match(failure!.message, message);
      strictEqual(textOf(await client.ask()), "fine");
    });
  });
}

test("DATA after the end of its stream ends the connection with STREAM_CLOSED", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.headers(1, OK);
    await connection.request();
    await connection.frameOf(FRAME.DATA, FLAG.END_STREAM, 1, [1]);
    const { payload } = await connection.until(FRAME.GOAWAY);
    strictEqual(payload.at(-1), errorCode("STREAM_CLOSED"));
  }, async (client) => {
    await client.ask();
    const { failure } = await client.ask();
    match(failure!.message, /DATA comes after the end of its stream/);
  });
});

test("the first frame must be SETTINGS", async () => {
  await withServer(async (connection) => {
    await connection.frameOf(FRAME.PING, 0, 0, new Uint8Array(8));
    await connection.until(FRAME.GOAWAY);
  }, async (client) => {
    match(
      (await client.ask()).failure!.message,
      /the first frame is PING: expected SETTINGS/,
    );
  }, { silent: true });
});

test("padding, priority, interim responses, trailers and unknown frames are taken", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.headers(
      1,
      [[":status", "103"], ["link", "</a>"]],
      FLAG.END_HEADERS,
    );
    await connection.frameOf(0xfa, 7, 1, [1, 2, 3]);
    const block = connection.block([
      ...OK,
      ["content-length", "4"],
      ["x-name", "Zoë"],
    ]);
    await connection.frameOf(
      FRAME.HEADERS,
      FLAG.END_HEADERS | FLAG.PADDED | FLAG.PRIORITY,
      1,
      Uint8Array.from([2, 0, 0, 0, 0, 16, ...block, 0, 0]),
    );
    await connection.frameOf(FRAME.DATA, FLAG.PADDED, 1, [
      3,
      102,
      105,
      0,
      0,
      0,
    ]);
    await connection.frameOf(FRAME.DATA, 0, 1, [110, 101]);
    await connection.headers(1, [["grpc-status", "0"]]);
  }, async (client) => {
    const response = await client.ask();
    deepStrictEqual(
      [response.failure, response.status, textOf(response), response.headers()],
      [undefined, 200, "fine", [
        ["content-length", "4"],
        ["x-name", "Zoë"],
        ["grpc-status", "0"],
      ]],
    );
  });
});

test("a block in many pieces, and bytes one by one", async () => {
  await withServer(async (connection) => {
    await connection.request();
    const block = connection.block([...OK, ["a", "b".repeat(300)]]);
    await connection.frameOf(FRAME.HEADERS, 0, 1, block.subarray(0, 1));
    for (let at = 1; at < block.length; at += 50) {
      await connection.frameOf(
        FRAME.CONTINUATION,
        0,
        1,
        block.subarray(at, at + 50),
      );
    }
    await connection.frameOf(FRAME.CONTINUATION, FLAG.END_HEADERS, 1);
    for (const byte of [0, 0, 2, 0, 1, 0, 0, 0, 1, 104, 105]) {
      await connection.send(Uint8Array.of(byte));
    }
  }, async (client) => {
    const response = await client.ask();
    deepStrictEqual([textOf(response), response.header("A")], [
      "hi",
      "b".repeat(300),
    ]);
  });
});

test("PING and SETTINGS are acknowledged", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.frameOf(FRAME.PING, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]);
    const ping = await connection.until(FRAME.PING);
    deepStrictEqual([ping.flags, [...ping.payload]], [1, [
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
    ]]);
    await respond(connection, 1);
  }, async (client) => {
    strictEqual(textOf(await client.ask()), "fine");
  });
});
