import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  type HeaderField,
  HpackDecoder,
} from "../../../../lib/wire/http2/hpack/decoder.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { HandOver } from "../../../../lib/wire/net/hand_over.ts";
import type { WireResponse } from "../../../../lib/wire/net/wire_response.ts";
import { FLAG, FRAME, type H2Connection } from "../../../support/h2_server.ts";
import { test, withServer } from "./harness.ts";

const OK: readonly HeaderField[] = [[":status", "200"]];

function uint32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** Serves a first request; the client knows the settings when it is over. */
async function settled(
  connection: H2Connection,
  settings: readonly number[],
): Promise<void> {
  await connection.request();
  await connection.frameOf(FRAME.SETTINGS, 0, 0, settings);
  await connection.headers(1, OK);
}

async function bodyOf(
  connection: H2Connection,
): Promise<{ size: number; frames: number[] }> {
  const frames: number[] = [];
  for (;;) {
    const { payload, flags } = await connection.until(FRAME.DATA);
    frames.push(payload.length);
    if (flags & FLAG.END_STREAM) {
      return { size: frames.reduce((a, b) => a + b, 0), frames };
    }
  }
}

test("a body waits for room in the stream's and in the connection's window", async () => {
  const seen: number[] = [];
  await withServer(async (connection) => {
    // 10 bytes at first; then 5 more are taken back by a smaller initial window.
    await settled(connection, [0, 4, ...uint32(10)]);
    seen.push((await connection.until(FRAME.DATA)).payload.length);
    await connection.frameOf(FRAME.SETTINGS, 0, 0, [0, 4, ...uint32(5)]);
    await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 3, uint32(25));
    seen.push((await connection.until(FRAME.DATA)).payload.length);
    await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 3, uint32(1_000));
    seen.push((await bodyOf(connection)).size);
    await connection.headers(3, OK);
  }, async (client) => {
    await client.ask();
    const { status } = await client.ask({
      method: "POST",
      body: new Uint8Array(100),
    });
    strictEqual(status, 200);
    deepStrictEqual(seen, [10, 20, 70]);
  });
});

test("a body is cut into frames of the size the server takes", async () => {
  const got = Promise.withResolvers<{ size: number; frames: number[] }>();
  await withServer(async (connection) => {
    const [window, frame] = [uint32(1_000_000), uint32(20_000)];
    await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, window);
    await settled(connection, [0, 4, ...window, 0, 5, ...frame]);
    got.resolve(await bodyOf(connection));
    await connection.headers(3, OK);
  }, async (client) => {
    await client.ask();
    const body = new Uint8Array(300_000);
    strictEqual((await client.ask({ method: "POST", body })).status, 200);
    const { size, frames } = await got.promise;
    strictEqual(size, 300_000);
    strictEqual(Math.max(...frames), 20_000);
  });
});

test("a response before the end of the request ends the exchange, and the rest is not sent", async () => {
  await withServer(async (connection) => {
    await connection.until(FRAME.HEADERS);
    await connection.headers(1, [[":status", "413"]]);
    const { payload } = await connection.until(FRAME.RST_STREAM);
    deepStrictEqual([...payload], uint32(0));
    await connection.until(FRAME.HEADERS);
    await connection.headers(3, OK);
  }, async (client) => {
    const { status, failure } = await client.ask({
      method: "POST",
      body: new Uint8Array(200_000),
    });
    deepStrictEqual([status, failure], [413, undefined]);
    strictEqual((await client.ask()).status, 200);
  });
});

test("a long body is given back to the windows", async () => {
  const piece = new Uint8Array(16_384).fill(97);
  await withServer(async (connection) => {
    await connection.request();
    await connection.headers(1, OK, FLAG.END_HEADERS);
    let room = 1024 * 1024;
    for (let sent = 0; sent < 200; sent++) {
      while (room < piece.length) {
        const { payload, stream } = await connection.until(FRAME.WINDOW_UPDATE);
        if (stream === 1) room += new DataView(payload.buffer).getUint32(0);
      }
      await connection.frameOf(FRAME.DATA, sent === 199 ? 1 : 0, 1, piece);
      room -= piece.length;
    }
  }, async (client) => {
    strictEqual((await client.ask()).body.length, 200 * piece.length);
  });
});

test("a stream the server resets gives its code; the connection goes on", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.frameOf(FRAME.RST_STREAM, 0, 1, uint32(11));
    await connection.request();
    await connection.headers(3, OK);
  }, async (client) => {
    const { reset, failure, status } = await client.ask();
    deepStrictEqual([reset, failure, status], [
      11,
      {
        code: "reset",
        message: "the server reset the stream with ENHANCE_YOUR_CALM",
      },
      0,
    ]);
    strictEqual((await client.ask()).status, 200);
  });
});

test("a stream that needs HTTP/1.1 says how that is spoken, and by what it is not", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.frameOf(FRAME.RST_STREAM, 0, 1, uint32(13));
  }, async (client) => {
    const { failure } = await client.ask();
    strictEqual(
      failure?.message,
      "the server reset the stream with HTTP_1_1_REQUIRED; `--http 1.1` speaks that version (gRPC steps cannot)",
    );
  });
});

test("GOAWAY: a stream the server did not look at is refused; one it did look at is served", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.frameOf(FRAME.GOAWAY, 0, 0, [...uint32(0), ...uint32(0)]);
  }, async (client) => {
    const { reset, failure } = await client.ask();
    deepStrictEqual([reset, failure, client.connection.ready], [
      7,
      {
        code: "reset",
        message:
          "the server sent GOAWAY with NO_ERROR before it took this request",
      },
      false,
    ]);
  });
  await withServer(async (connection) => {
    await connection.request();
    await connection.frameOf(FRAME.GOAWAY, 0, 0, [...uint32(1), ...uint32(0)]);
    await connection.headers(1, OK);
  }, async (client) => {
    deepStrictEqual([(await client.ask()).status, client.connection.ready], [
      200,
      false,
    ]);
  });
});

test("GOAWAY with a reason: the reason stands in the failure", async () => {
  await withServer(async (connection) => {
    await connection.request();
    const why = new TextEncoder().encode("too many pings");
    await connection.frameOf(FRAME.GOAWAY, 0, 0, [
      ...uint32(1),
      ...uint32(11),
      ...why,
    ]);
    throw new Error("closes the connection");
  }, async (client) => {
    const { failure } = await client.ask();
    strictEqual(failure?.code, "reset");
    match(failure!.message, /ENHANCE_YOUR_CALM \(too many pings\)/);
  });
});

test("a server that allows no stream is waited for", async () => {
  await withServer(async (connection) => {
    await settled(connection, [0, 3, ...uint32(0)]);
  }, async (client) => {
    await client.ask();
    const { failure } = await client.ask({ timeoutMs: 50 });
    match(
      failure!.message,
      /timed out waiting for the server to allow a stream/,
    );
  });
});

test("a window that stays shut: the timeout says so", async () => {
  await withServer(async (connection) => {
    await settled(connection, [0, 4, ...uint32(0)]);
    await connection.until(FRAME.RST_STREAM);
  }, async (client) => {
    await client.ask();
    const { failure } = await client.ask({
      timeoutMs: 50,
      method: "POST",
      body: new Uint8Array(9),
    });
    match(
      failure!.message,
      /timed out waiting for room in the server's flow-control window/,
    );
  });
});

test("after a timeout the connection goes on, and what comes late is dropped", async () => {
  await withServer(async (connection) => {
    await connection.request();
    await connection.until(FRAME.RST_STREAM);
    await connection.headers(1, [...OK, ["late", "x"]], FLAG.END_HEADERS);
    await connection.frameOf(FRAME.DATA, 1, 1, [1]);
    await connection.request();
    await connection.headers(3, [...OK, ["late", "x"]]);
  }, async (client) => {
    strictEqual((await client.ask()).failure?.code, "timeout");
    const late = await client.ask();
    deepStrictEqual([late.status, late.headers()], [200, [["late", "x"]]]);
  }, { timeoutMs: 50 });
});

test("HEAD, 204 and 304 have no body, whatever their content-length", async () => {
  await withServer(async (connection) => {
    const responses: [string, number][] = [["200", 1], ["204", 3], ["304", 5]];
    for (const [status, stream] of responses) {
      await connection.request();
      await connection.headers(stream, [[":status", status], [
        "content-length",
        "9",
      ]]);
    }
  }, async (client) => {
    const seen = [
      await client.ask({ method: "HEAD" }),
      await client.ask(),
      await client.ask(),
    ];
    deepStrictEqual(seen.map(({ status, failure }) => [status, failure]), [
      [200, undefined],
      [204, undefined],
      [304, undefined],
    ]);
  });
});

test("closing ends what is under way as aborted", async () => {
  await withServer(async (connection) => {
    await connection.request();
  }, async (client) => {
    const pending = client.ask();
    client.connection.close();
    strictEqual((await pending).failure?.code, "aborted");
  });
});

test("a body that is overwritten by the next exchange says so", async () => {
  await withServer(async (connection) => {
    for (const stream of [1, 3]) {
      await connection.request();
      await connection.headers(stream, OK, FLAG.END_HEADERS);
      await connection.frameOf(FRAME.DATA, 1, stream, [65]);
    }
  }, async (client) => {
    const [first, second] = [await client.ask(), client.ask()];
    await second;
    strictEqual(first.stale, true);
  });
});

test("a busy server may say what it took, and ping, beside each of thousands of responses", async () => {
  const COUNT = 800;
  await withServer(async (connection) => {
    for (let stream = 1; stream < 2 * COUNT; stream += 2) {
      await connection.until(FRAME.HEADERS);
      await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, uint32(1));
      await connection.frameOf(FRAME.PING, 0, 0, new Uint8Array(8));
      await connection.headers(stream, OK);
      await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, uint32(1));
    }
  }, async (client) => {
    for (let request = 0; request < COUNT; request++) {
      const { status, failure } = await client.ask();
      deepStrictEqual([status, failure], [200, undefined]);
    }
  });
});

test("a header table that is emptied and enlarged in one frame is begun anew", async () => {
  const blocks: Uint8Array[] = [];
  await withServer(async (connection) => {
    await settled(connection, [0, 1, ...uint32(0), 0, 1, ...uint32(4_096)]);
    blocks.push((await connection.until(FRAME.HEADERS)).payload);
    await connection.headers(3, OK);
  }, async (client) => {
    await client.ask();
    strictEqual((await client.ask()).status, 200);
    const fresh = new HpackDecoder<never>(4_096, 4_096);
    const { fields } = fresh.decode(blocks[0]!, 0, blocks[0]!.length);
    // A table size of 0, then one of 4096 (RFC 7541 section 4.2).
    deepStrictEqual([...blocks[0]!.slice(0, 4)], [0x20, 0x3f, 0xe1, 0x1f]);
    deepStrictEqual(fields.at(-1), ["user-agent", "bench/test"]);
  });
});

test("windows that are given back in small pieces, for each upload, are no flood", async () => {
  const [COUNT, LENGTH, PIECE] = [120, 65_536, 4_096];
  await withServer(async (connection) => {
    const [window, piece] = [uint32(10_000_000), uint32(PIECE)];
    await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, window);
    await settled(connection, [0, 4, ...window]);
    for (let stream = 3; stream <= 2 * COUNT + 1; stream += 2) {
      const { size } = await bodyOf(connection);
      for (let given = 0; given < size; given += PIECE) {
        await connection.frameOf(FRAME.WINDOW_UPDATE, 0, 0, piece);
        await connection.frameOf(FRAME.WINDOW_UPDATE, 0, stream, piece);
      }
      await connection.headers(stream, OK);
    }
  }, async (client) => {
    await client.ask();
    const body = new Uint8Array(LENGTH);
    for (let request = 0; request < COUNT; request++) {
      const { status, failure } = await client.ask({ method: "POST", body });
      deepStrictEqual([status, failure], [200, undefined]);
    }
  });
});

test("every response goes through the queue of its thread, with the moment it was read at", async () => {
  const added: (readonly [status: number, isRead: boolean])[] = [];
  class Watched extends HandOver {
    override add<T>(resolve: (came: T) => void, came: T, at: number): void {
      const { status, marks } = came as unknown as WireResponse;
      added.push([status, at === marks.end]);
      super.add(resolve, came, at);
    }
  }
  await withServer(async (connection) => {
    for (const stream of [1, 3, 5]) {
      await connection.request();
      await connection.headers(stream, OK);
    }
  }, async (client) => {
    for (const _ of "abc") strictEqual((await client.ask()).status, 200);
    deepStrictEqual(added, Array(3).fill([200, true]));
  }, { handOver: new Watched(systemClock) });
});
