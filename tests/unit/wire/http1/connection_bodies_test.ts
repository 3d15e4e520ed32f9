import assert from "node:assert/strict";
import { oneByteEach, rawServer } from "../../../support/raw_server.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { HELLO, text } from "./hello.ts";
import { STRICT } from "../../../support/strict.ts";

Deno.test("HttpConnection sends a large body whole", STRICT, async () => {
  let received = 0;
  await using server = rawServer(async (connection) => {
    const buffer = new Uint8Array(256 * 1024);
    while (received < body.length) {
      received += await connection.conn.read(buffer) ?? Infinity;
    }
    await connection.send(HELLO);
    await connection.request();
  });
  const body = new Uint8Array(5_000_000).fill(0x61);
  body.set(oneByteEach("POST / HTTP/1.1\r\n\r\n"));
  using harness = wireHarness(server.url);
  const response = await harness.exchange("POST", body);
  assert.equal(response.failure, undefined);
  assert.equal(response.bytesSent, body.length);
  assert.equal(received, body.length);
});

Deno.test(
  "HttpConnection gives back a large body, then a small one",
  STRICT,
  async () => {
    const large = "x".repeat(1_000_000);
    const bodies = [large, "small", large.slice(0, 3000), "tiny"];
    let turn = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        const body = bodies[turn++]!;
        await connection.send(
          `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }
    });
    using harness = wireHarness(server.url);
    for (const body of bodies) {
      const response = await harness.exchange();
      assert.equal(text(response) === body, true, `${body.length} bytes`);
    }
    assert.equal(server.accepted, 1);
  },
);

Deno.test(
  "HttpConnection drains a body over 16 MiB and keeps the connection",
  STRICT,
  async () => {
    const piece = new Uint8Array(1024 * 1024);
    await using server = rawServer(async (connection, _index) => {
      await connection.request();
      await connection.send(
        `HTTP/1.1 200 OK\r\nContent-Length: ${17 * piece.length}\r\n\r\n`,
      );
      for (let turn = 0; turn < 17; turn++) await connection.send(piece);
      while (await connection.request()) await connection.send(HELLO);
    });
    using harness = wireHarness(server.url);
    const response = await harness.exchange();
    assert.equal(response.failure, undefined);
    assert.deepEqual(
      [response.tooLarge, response.bodyBytes],
      [true, 17 * piece.length],
    );
    assert.equal(response.status, 200);
    assert.equal(response.body.length, 0);
    assert.ok(response.bytesReceived > 17 * piece.length);
    assert.equal(text(await harness.exchange()), "hello");
    assert.equal(server.accepted, 1);
  },
);

Deno.test(
  "HttpConnection reads every response cut at every byte off a socket",
  STRICT,
  async () => {
    const responses = [
      HELLO,
      "HTTP/1.1 103 Early\r\nLink: a\r\n\r\n" + HELLO,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n",
      "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
    ];
    const cuts = responses.flatMap((response) =>
      Array.from(
        { length: response.length - 1 },
        (_, at) => ({ response, at: at + 1 }),
      )
    );
    let turn = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        const { response, at } = cuts[turn++]!;
        await connection.send(response.slice(0, at));
        await connection.send(response.slice(at));
      }
    });
    using harness = wireHarness(server.url);
    for (const { at } of cuts) {
      const response = await harness.exchange();
      assert.equal(
        response.failure,
        undefined,
        `cut ${at}: ${response.failure?.message}`,
      );
      assert.equal(text(response), "hello", `cut ${at}`);
    }
    assert.equal(server.accepted, 1);
  },
);
