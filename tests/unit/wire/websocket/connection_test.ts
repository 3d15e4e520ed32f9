import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type Clock, systemClock } from "../../../../lib/base/time/clock.ts";
import type {
  Closing,
  WebSocketError,
} from "../../../../lib/wire/websocket/frame.ts";
import { Deadlines } from "../../../../lib/wire/net/deadlines.ts";
import { contentOf, serverFrame } from "../../../support/ws_message.ts";
import { HandOver } from "../../../../lib/wire/net/hand_over.ts";
import { Outbox } from "../../../../lib/wire/net/outbox.ts";
import { WebSocketConnection } from "../../../../lib/wire/websocket/connection.ts";
import { type RawConnection, rawServer } from "../../../support/raw_server.ts";
import { ManualClock, settle } from "../../../support/manual_clock.ts";
import { STRICT } from "../../../support/strict.ts";

const utf8 = new TextEncoder();

const test = (name: string, run: () => Promise<void>) =>
  Deno.test({
    name: `WebSocket: ${name}`,
    ...STRICT,
    fn: run,
  });

/** A frame of a server. */
function frame(
  opcode: number,
  payload: Uint8Array | string = "",
  fin = true,
): Uint8Array<ArrayBuffer> {
  return serverFrame((fin ? 0x80 : 0) | opcode, payload);
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

interface Heard {
  readonly messages: (string | number[])[];
  readonly errors: WebSocketError[];
  /** Codes of the close frames that came first. */
  readonly closings: number[];
  readonly closed: Promise<Closing>;
  /** Resolves once so many messages are there that were not taken. */
  count(messages: number): Promise<void>;
}

/** Connects to a server that writes bytes itself; the handshake is not part of this. */
async function open(
  serve: (conn: RawConnection) => Promise<void>,
  use: (connection: WebSocketConnection, heard: Heard) => Promise<void>,
  options: { rest?: Uint8Array; onMessage?: () => void; clock?: Clock } = {},
): Promise<void> {
  const server = rawServer(serve);
  const stream = await Deno.connect({
    hostname: "127.0.0.1",
    port: server.port,
  });
  const closed = Promise.withResolvers<Closing>();
  let next = Promise.withResolvers<void>();
  const heard: Heard = {
    messages: [],
    errors: [],
    closings: [],
    closed: closed.promise,
    async count(messages) {
      while (heard.messages.length < messages) await next.promise;
    },
  };
  const { clock = systemClock } = options;
  const deadlines = new Deadlines(clock);
  const connection = new WebSocketConnection(
    stream,
    options.rest ?? new Uint8Array(0),
    {
      clock,
      deadlines,
      handOver: new HandOver(clock),
      outbox: new Outbox(clock),
    },
    {
      message(...message) {
        const content = contentOf(...message);
        heard.messages.push(
          typeof content === "string" ? content : [...content],
        );
        next.resolve();
        next = Promise.withResolvers();
        options.onMessage?.();
      },
      handedOn() {},
      broken: (error) => void heard.errors.push(error),
      closing: (how) => heard.closings.push(how.code),
      closed: closed.resolve,
    },
  );
  try {
    connection.start();
    await use(connection, heard);
  } finally {
    connection.terminate();
    await closed.promise;
    deadlines.close();
    await server.close();
  }
}

/** Client frames, unmasked. */
async function readFrame(
  connection: RawConnection,
  held: { bytes: Uint8Array },
): Promise<{ opcode: number; payload: Uint8Array } | undefined> {
  const buffer = new Uint8Array(70_000);
  for (;;) {
    const { bytes } = held;
    if (bytes.length >= 2) {
      const short = bytes[1]! & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      if (bytes.length >= head + 4) {
        const length = short < 126
          ? short
          : head === 4
          ? view.getUint16(2)
          : Number(view.getBigUint64(2));
        ok(bytes[1]! & 0x80, "a client's frame is masked");
        if (bytes.length >= head + 4 + length) {
          const mask = bytes.subarray(head, head + 4);
          const payload = bytes.slice(head + 4, head + 4 + length).map((
            byte,
            at,
          ) => byte ^ mask[at % 4]!);
          held.bytes = bytes.slice(head + 4 + length);
          return { opcode: bytes[0]! & 15, payload };
        }
      }
    }
    const count = await connection.conn.read(buffer);
    if (count === null) return undefined;
    held.bytes = join(held.bytes, buffer.subarray(0, count));
  }
}

/** Waits until the client said that it closes, or is gone. */
async function drain(connection: RawConnection): Promise<void> {
  const held = { bytes: new Uint8Array(0) };
  for (;;) {
    const next = await readFrame(connection, held);
    if (!next || next.opcode === 8) return;
  }
}

test("messages of every length travel both ways, whatever pieces they come in", async () => {
  const lengths = [
    0,
    1,
    2,
    3,
    124,
    125,
    126,
    127,
    1_000,
    65_535,
    65_536,
    200_000,
  ];
  await open(async (connection) => {
    const held = { bytes: new Uint8Array(0) };
    for (
      let each = await readFrame(connection, held);
      each;
      each = await readFrame(connection, held)
    ) {
      await connection.send(frame(each.opcode, each.payload));
    }
  }, async (connection, heard) => {
    for (const length of lengths) {
      const text = "ä".repeat(length >> 1) + "x".repeat(length & 1);
      connection.send(text);
      await heard.count(1);
      strictEqual(heard.messages.pop(), text);
    }
  });
});

test("several messages sent at once arrive whole and in order", async () => {
  const got: string[] = [];
  const done = Promise.withResolvers<void>();
  await open(async (connection) => {
    const held = { bytes: new Uint8Array(0) };
    while (got.length < 50) {
      const next = await readFrame(connection, held);
      got.push(new TextDecoder().decode(next!.payload));
    }
    done.resolve();
  }, async (connection) => {
    const sent = Array.from({ length: 50 }, (_, at) => "y".repeat(at * 7) + at);
    for (const text of sent) connection.send(text);
    await done.promise;
    deepStrictEqual(got, sent);
  });
});

test("fragments are put together, with control frames between them", async () => {
  const bytes = utf8.encode("grüße");
  await open(async (connection) => {
    await connection.send(join(
      frame(1, bytes.subarray(0, 3), false),
      frame(9, "hello"),
      frame(0, "", false),
      frame(0, bytes.subarray(3), true),
      frame(2, Uint8Array.of(1, 2), true),
      frame(10, "unasked"),
      frame(1, "last"),
    ));
    const pong = await readFrame(connection, { bytes: new Uint8Array(0) });
    deepStrictEqual([pong!.opcode, new TextDecoder().decode(pong!.payload)], [
      10,
      "hello",
    ]);
    await connection.send(frame(8, Uint8Array.of(3, 232)));
    await drain(connection);
  }, async (_, heard) => {
    deepStrictEqual(await heard.closed, { code: 1000, reason: "" });
    deepStrictEqual(heard.messages, ["grüße", [1, 2], "last"]);
  });
});

test("bytes that came with the handshake are read first", async () => {
  await open(async (connection) => {
    await connection.send(frame(1, "second").subarray(1));
    await drain(connection);
  }, async (_, heard) => {
    await heard.count(2);
    deepStrictEqual(heard.messages, ["first", "second"]);
  }, { rest: join(frame(1, "first"), frame(1, "second").subarray(0, 1)) });
});

test("any split of the bytes gives the same messages", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme", maxLength: 300 }), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.array(fc.integer({ min: 1, max: 200 }), {
        minLength: 1,
        maxLength: 40,
      }),
      async (texts, cuts) => {
        const bytes = join(
          ...texts.map((text) => frame(1, text)),
          frame(8, Uint8Array.of(3, 232)),
        );
        await open(async (connection) => {
          let at = 0;
          for (let cut = 0; at < bytes.length; cut++) {
            const size = cuts[cut % cuts.length]!;
            await connection.send(bytes.subarray(at, at + size));
            at += size;
          }
          await drain(connection);
        }, async (_, heard) => {
          await heard.closed;
          deepStrictEqual(heard.messages, texts);
        });
      },
    ),
    { numRuns: 25, seed: 6455 },
  );
});

/** What RFC 6455 does not allow, and the code the server gets. */
const BROKEN: readonly [
  what: string,
  bytes: Uint8Array,
  code: number,
  message: RegExp,
][] = [
  ["a masked frame", Uint8Array.of(0x81, 0x80, 1, 2, 3, 4), 1002, /masked/],
  ["a reserved bit", Uint8Array.of(0xc1, 0), 1002, /a reserved bit is set/],
  [
    "an opcode that does not exist",
    Uint8Array.of(0x83, 0),
    1002,
    /there is no opcode 3/,
  ],
  [
    "a control opcode that does not exist",
    Uint8Array.of(0x8b, 0),
    1002,
    /there is no opcode 11/,
  ],
  [
    "a fragmented ping",
    frame(9, "", false),
    1002,
    /a control frame is fragmented/,
  ],
  [
    "a long ping",
    Uint8Array.of(0x89, 126, 0, 126),
    1002,
    /longer than 125 bytes/,
  ],
  ["a continuation of nothing", frame(0, "x"), 1002, /no message to continue/],
  [
    "a message inside a message",
    join(frame(1, "a", false), frame(1, "b")),
    1002,
    /before the one before it has ended/,
  ],
  [
    "text that is not UTF-8",
    frame(1, Uint8Array.of(0xff)),
    1007,
    /not valid UTF-8/,
  ],
  [
    "fragments whose text is not UTF-8",
    join(frame(1, Uint8Array.of(0xc3), false), frame(0, "x")),
    1007,
    /not valid UTF-8/,
  ],
  ["a close with half a code", frame(8, Uint8Array.of(3)), 1002, /half a code/],
  [
    "a close with a code that never travels",
    frame(8, Uint8Array.of(3, 238)),
    1002,
    /code 1006, which is never sent/,
  ],
  [
    "a close whose reason is not UTF-8",
    frame(8, Uint8Array.of(3, 232, 0xff)),
    1007,
    /the reason of a close is not valid UTF-8/,
  ],
  [
    "a message that is too long",
    Uint8Array.of(0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0),
    1009,
    /longer than the 16777216/,
  ],
  [
    "a flood of pings",
    join(...Array(1_001).fill(frame(9))),
    1002,
    /more than 1000 pings/,
  ],
];

for (const [what, bytes, code, message] of BROKEN) {
  test(`${what} ends it with ${code}`, async () => {
    const shown = Promise.withResolvers<number>();
    await open(async (connection) => {
      await connection.send(bytes);
      const held = { bytes: new Uint8Array(0) };
      for (;;) {
        const next = await readFrame(connection, held);
        if (next?.opcode !== 8) continue;
        shown.resolve(next.payload[0]! * 256 + next.payload[1]!);
        return;
      }
    }, async (_, heard) => {
      strictEqual(await shown.promise, code);
      strictEqual((await heard.closed).code, 1006);
      match(heard.errors[0]!.message, message);
      strictEqual(heard.errors.length, 1);
    });
  });
}

test("pings of hours without a message are no flood", async () => {
  const clock = new ManualClock();
  await open(async (connection) => {
    const held = { bytes: new Uint8Array(0) };
    for (let hour = 0; hour < 3; hour++) {
      await connection.send(join(...Array(900).fill(frame(9))));
      for (let pong = 0; pong < 900; pong++) {
        await readFrame(connection, held);
      }
      clock.time += 3_600_000;
    }
    await connection.send(frame(1, "still here"));
  }, async (_, heard) => {
    await Promise.race([heard.count(1), heard.closed]);
    deepStrictEqual([heard.messages, heard.errors], [["still here"], []]);
  }, { clock });
});

for (
  const [what, payload, closing] of [
    ["with a code and a reason", Uint8Array.of(3, 245, 110, 111), {
      code: 1013,
      reason: "no",
    }],
    ["without a code", new Uint8Array(0), { code: 1005, reason: "" }],
    ["with a private code", Uint8Array.of(15, 160), { code: 4000, reason: "" }],
  ] as const
) {
  test(`a close ${what} is returned in kind`, async () => {
    const back = Promise.withResolvers<number[]>();
    await open(async (connection) => {
      await connection.send(frame(8, payload));
      const returned = await readFrame(connection, {
        bytes: new Uint8Array(0),
      });
      back.resolve([returned!.opcode, ...returned!.payload]);
    }, async (_, heard) => {
      deepStrictEqual(await back.promise, [8, ...payload.subarray(0, 2)]);
      deepStrictEqual(await heard.closed, closing);
      deepStrictEqual(heard.closings, [closing.code]);
    });
  });
}

test("closing sends the code and waits for the server's own", async () => {
  await open(async (connection) => {
    const { opcode, payload } =
      (await readFrame(connection, { bytes: new Uint8Array(0) }))!;
    deepStrictEqual([opcode, ...payload], [8, 3, 232]);
    await connection.send(join(frame(1, "one more"), frame(8, payload)));
    await drain(connection);
  }, async (connection, heard) => {
    connection.close(1000);
    deepStrictEqual(await heard.closed, { code: 1000, reason: "" });
  });
});

test("a connection that ends without a close frame is 1006", async () => {
  await open(async (connection) => {
    await connection.send(frame(1, "bye"));
  }, async (_, heard) => {
    strictEqual((await heard.closed).code, 1006);
    deepStrictEqual(heard.messages, ["bye"]);
  });
});

test("paused, nothing more is handed on until it goes on", async () => {
  let connection!: WebSocketConnection;
  await open(async (connection) => {
    await connection.send(join(frame(1, "a"), frame(1, "b"), frame(1, "c")));
    await drain(connection);
  }, async (opened, heard) => {
    connection = opened;
    await heard.count(1);
    await settle();
    deepStrictEqual(heard.messages, ["a"]);
    opened.resume();
    await heard.count(2);
    deepStrictEqual(heard.messages, ["a", "b"]);
  }, {
    onMessage: () => connection ? connection.pause() : queueMicrotask(() => {}),
  });
});

test("a server that does not return a close is left after a second", async () => {
  const clock = new ManualClock();
  const closed = Promise.withResolvers<Closing>();
  const never = Promise.withResolvers<number | null>();
  const connection = new WebSocketConnection(
    {
      read: () => never.promise,
      write: (bytes) => Promise.resolve(bytes.length),
      close: () => never.resolve(null),
    },
    new Uint8Array(0),
    {
      clock,
      deadlines: new Deadlines(clock),
      handOver: new HandOver(clock),
      outbox: new Outbox(clock),
    },
    {
      message() {},
      handedOn() {},
      broken() {},
      closing() {},
      closed: closed.resolve,
    },
  );
  connection.start();
  connection.close(1000);
  await clock.pass(999);
  await clock.pass(1);
  strictEqual((await closed.promise).code, 1006);
});

test("among others a message is timed at once and looked at later, or when it is asked for", async () => {
  const clock = new ManualClock();
  const handOver = new HandOver(clock);
  const bytes = frame(1, "here");
  const reads = [bytes.length];
  const messages: unknown[] = [];
  const connection = new WebSocketConnection(
    {
      read(into) {
        into.set(bytes);
        const count = reads.shift();
        return count === undefined
          ? new Promise<null>(() => {})
          : Promise.resolve(count);
      },
      write: (written) => Promise.resolve(written.length),
      close() {},
    },
    new Uint8Array(0),
    {
      clock,
      deadlines: new Deadlines(clock),
      handOver,
      outbox: new Outbox(clock),
    },
    {
      message: (...message) => messages.push(contentOf(...message)),
      handedOn: () => messages.push("all of it"),
      broken() {},
      closing() {},
      closed() {},
    },
  );
  handOver.began();
  connection.start();
  for (let each = 0; each < 5; each++) await Promise.resolve();
  strictEqual(connection.readAt, clock.now());
  deepStrictEqual(messages.splice(0), ["all of it"]);
  connection.catchUp();
  const all = ["here", "all of it"];
  deepStrictEqual(messages, all);
  for (let turns = 0; turns < 10; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  deepStrictEqual(messages.slice(0, 2), all);
  deepStrictEqual(messages.filter((each) => each === "here").length, 1);
  connection.terminate();
});
