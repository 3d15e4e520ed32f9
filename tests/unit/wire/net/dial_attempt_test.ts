import assert from "node:assert/strict";
import { ManualClock } from "../../../support/manual_clock.ts";
import { rawServer } from "../../../support/raw_server.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { STRICT } from "../../../support/strict.ts";

Deno.test(
  "HttpConnections says what it was waiting for when the time is up",
  STRICT,
  async () => {
    const table: readonly [sent: string, phase: RegExp, status: number][] = [
      ["", /timed out waiting for the first byte/, 0],
      [
        "HTTP/1.1 200 OK\r\nA: b",
        /timed out reading the head \(21 bytes came\)/,
        200,
      ],
      [
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
        /timed out reading the body \(43 bytes of the response came\)/,
        200,
      ],
      [
        "HTTP/1.1 200 OK\r\n\r\nhello",
        /timed out reading the body \(24 bytes of the response came\)/,
        200,
      ],
    ];
    for (const [sent, phase, status] of table) {
      const clock = new ManualClock();
      const written = Promise.withResolvers<void>();
      await using server = rawServer(async (connection) => {
        await connection.request();
        await connection.send(sent);
        written.resolve();
        await connection.request();
      });
      using harness = wireHarness(server.url, { clock, timeoutMs: 5000 });
      const pending = harness.exchange();
      // Real bytes travel while the clock stands still.
      await written.promise;
      await bytesArrived(server.port);
      await clock.pass(4999);
      await clock.pass(1);
      const response = await pending;
      assert.equal(response.failure?.code, "timeout");
      assert.match(
        response.failure!.message,
        /No complete response within 5s/,
      );
      assert.match(response.failure!.message, phase);
      assert.equal(response.status, status);
      assert.equal(response.body.length, 0, "a part is no body");
      assert.equal(response.marks.end - response.marks.start, 5000);
    }
  },
);

/** Enough trips through the event loop for bytes on loopback to be read. */
async function bytesArrived(port: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    const probe = await Deno.connect({ port });
    probe.close();
  }
}

Deno.test(
  "HttpConnections bounds the dial by the same deadline",
  STRICT,
  async () => {
    const clock = new ManualClock();
    // Accepts at the kernel and never speaks TLS.
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const harness = wireHarness(`https://127.0.0.1:${port}`, {
      clock,
      timeoutMs: 3000,
    });
    const pending = harness.exchange();
    const server = await listener.accept();
    await server.read(new Uint8Array(10));
    await bytesArrived(port);
    await clock.pass(3000);
    const response = await pending;
    assert.equal(response.failure?.code, "timeout");
    assert.match(response.failure!.message, /timed out in the TLS handshake/);
    assert.equal(response.marks.end - response.marks.start, 3000);
    assert.ok(!isNaN(response.marks.connect) && isNaN(response.marks.tls));
    harness.close();
    server.close();
    listener.close();
  },
);

Deno.test(
  "HttpConnections says how much was written when the server does not read",
  STRICT,
  async () => {
    const clock = new ManualClock();
    const done = Promise.withResolvers<void>();
    await using server = rawServer(() => done.promise);
    using harness = wireHarness(server.url, { clock, timeoutMs: 1000 });
    const pending = harness.exchange("POST", new Uint8Array(64 * 1024 * 1024));
    await bytesArrived(server.port);
    await clock.pass(1000);
    const { failure } = await pending;
    assert.equal(failure?.code, "timeout");
    assert.match(
      failure!.message,
      /writing the request \(\d+ of 67108864 bytes\)/,
    );
    done.resolve();
  },
);

Deno.test(
  "HttpConnections lets an idle connection outlive the deadline of its last exchange",
  STRICT,
  async () => {
    const clock = new ManualClock();
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        await connection.send("HTTP/1.1 204 No Content\r\n\r\n");
      }
    });
    using harness = wireHarness(server.url, { clock, timeoutMs: 1000 });
    for (let turn = 0; turn < 3; turn++) {
      assert.equal((await harness.exchange()).status, 204);
      await clock.pass(700);
      assert.equal((await harness.exchange()).status, 204);
      await clock.pass(1500);
    }
    assert.equal(server.accepted, 1);
  },
);
