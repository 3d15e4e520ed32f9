import assert from "node:assert/strict";
import { oneByteEach, rawServer } from "../../../support/raw_server.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { http1Request } from "../../../../lib/wire/http/request.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { HELLO, latch, text } from "../http1/hello.ts";
import { STRICT } from "../../../support/strict.ts";

/** The machine's clock, with a hand that moves it on. */
function movable() {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    pass: (ms: number) => void (ahead += ms),
  };
}

/** One whole exchange beside: a close before it has arrived after it. */
async function roundTrip(port: number): Promise<void> {
  const probe = await Deno.connect({ port });
  await probe.write(oneByteEach("GET / HTTP/1.1\r\n\r\n"));
  while (await probe.read(new Uint8Array(100)) !== null);
  probe.close();
}

Deno.test(
  "HttpConnections keeps one connection for many exchanges",
  STRICT,
  async () => {
    const requests: string[] = [];
    await using server = rawServer(async (connection) => {
      for (let each; (each = await connection.request());) {
        requests.push(each);
        await connection.send(HELLO);
      }
    });
    using harness = wireHarness(server.url);
    for (let turn = 0; turn < 5; turn++) {
      const response = await harness.exchange();
      assert.equal(response.failure, undefined);
      assert.equal(response.status, 200);
      assert.equal(response.statusLine, "HTTP/1.1 200 OK");
      assert.equal(text(response), "hello");
      assert.equal(response.header("content-LENGTH"), "5");
      assert.deepEqual(response.headers(), [["Content-Length", "5"]]);
      assert.equal(response.bytesReceived, HELLO.length);
      assert.equal(response.bytesSent, requests[turn]!.length);
      const { start, dns, connect, tls, firstByte, end } = response.marks;
      assert.ok(isNaN(dns) && isNaN(tls), "an address over http has neither");
      assert.equal(isNaN(connect), turn > 0, "only the first one connects");
      assert.ok(start <= firstByte && firstByte <= end);
    }
    assert.equal(server.accepted, 1);
  },
);

Deno.test(
  "HttpConnections makes the bytes of a request before its time begins",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      while (await connection.request()) await connection.send(HELLO);
    });
    const { arrival: _, pass, ...clock } = movable();
    using harness = wireHarness(server.url, { clock, timeoutMs: 3_600_000 });
    await harness.exchange();
    const bytes = oneByteEach("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const slow = {
      ...http1Request("GET", bytes),
      http1() {
        pass(600_000);
        return bytes;
      },
    };
    const { origin } = parseBaseUrl(server.url);
    const { marks, failure } = await harness.connections.request(
      origin,
      slow,
      3_600_000,
    );
    assert.equal(failure, undefined);
    assert.ok(marks.end - marks.start < 300_000, "ten minutes are not in it");
    assert.equal(server.accepted, 1);
  },
);

Deno.test(
  "HttpConnections looks a name up before it connects",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      await connection.request();
      await connection.send(HELLO);
      await connection.request();
    });
    using harness = wireHarness(`http://localhost:${server.port}`);
    const { failure, marks } = await harness.exchange();
    assert.equal(failure, undefined);
    assert.ok(marks.start <= marks.dns && marks.dns <= marks.connect);
  },
);

Deno.test(
  "HttpConnections replaces a connection the server closed while it was idle",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      await connection.request();
      await connection.send(HELLO);
    });
    using harness = wireHarness(server.url);
    for (const accepted of [1, 3, 5]) {
      const response = await harness.exchange();
      assert.equal(response.failure?.message, undefined);
      assert.equal(server.accepted, accepted);
      await roundTrip(server.port);
    }
  },
);

Deno.test(
  "HttpConnections does not reuse a connection with unsolicited bytes",
  STRICT,
  async () => {
    await using server = rawServer(async (connection, index) => {
      await connection.request();
      await connection.send(
        index === 0 ? `${HELLO}HTTP/1.1 500 Evil\r\n\r\n` : HELLO,
      );
      await connection.request();
    });
    using harness = wireHarness(server.url);
    assert.equal(text(await harness.exchange()), "hello");
    const second = await harness.exchange();
    assert.equal(second.status, 200);
    assert.equal(server.accepted, 2);
  },
);

Deno.test("HttpConnections never sends a request twice", STRICT, async () => {
  let requests = 0;
  await using server = rawServer(async (connection) => {
    await connection.request();
    requests++;
    if (requests > 1) return;
    await connection.send(HELLO);
    await connection.request();
    requests++;
  });
  const clock = movable();
  using harness = wireHarness(server.url, { clock });
  assert.equal((await harness.exchange()).failure, undefined);
  clock.pass(998);
  const response = await harness.exchange("POST");
  assert.equal(response.failure?.code, "reset");
  assert.match(
    response.failure!.message,
    /^The server (closed|reset) the connection before any byte of the response came; (\d+) of \2 bytes of the request were sent, on a connection that had been idle for (998|999|1\d\d\d) ms$/,
  );
  assert.equal(response.status, 0);
  assert.equal(requests, 2);
  assert.equal(server.accepted, 1);
});

Deno.test(
  "HttpConnections.close ends an exchange under way as aborted",
  STRICT,
  async () => {
    const asked = latch();
    await using server = rawServer(async (connection) => {
      await connection.request();
      asked.open();
      await connection.request();
    });
    const harness = wireHarness(server.url);
    const pending = harness.exchange();
    await asked.opened;
    harness.close();
    assert.equal((await pending).failure?.code, "aborted");
  },
);

Deno.test(
  "HttpConnections gives a second exchange at the same time its own connection",
  STRICT,
  async () => {
    const both = latch();
    let waiting = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        if (++waiting === 3) both.open();
        if (waiting > 1) await both.opened;
        await connection.send(HELLO);
      }
    });
    using harness = wireHarness(server.url);
    await harness.exchange();
    const responses = await Promise.all([
      harness.exchange(),
      harness.exchange(),
    ]);
    for (const response of responses) assert.equal(response.failure, undefined);
    assert.equal((await harness.exchange()).failure, undefined);
    assert.equal(server.accepted, 2);
  },
);

Deno.test(
  "HttpConnections loses no response and repeats no request when the server closes unannounced",
  STRICT,
  async () => {
    let requests = 0;
    await using server = rawServer(async (connection) => {
      if (await connection.request() === undefined) return;
      requests++;
      await connection.send(HELLO);
    });
    using harness = wireHarness(server.url);
    let passed = 0;
    for (let turn = 0; turn < 100; turn++) {
      const { failure, bytesReceived } = await harness.exchange();
      if (failure === undefined) passed++;
      else {
        assert.equal(failure.code, "reset");
        assert.equal(bytesReceived, 0);
      }
    }
    assert.ok(passed > 0);
    assert.equal(
      requests,
      passed,
      "each request the server saw got its response",
    );
  },
);

Deno.test(
  "HttpConnections says nothing of idleness where a fresh connection is closed",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) =>
      void await connection.request()
    );
    using harness = wireHarness(server.url);
    const { failure } = await harness.exchange();
    assert.match(failure!.message, /bytes of the request were sent$/);
  },
);

Deno.test(
  "HttpConnections uses a connection no longer than the server announces to keep it",
  STRICT,
  async () => {
    const table: [field: string, idleMs: number, connections: number][] = [
      ["timeout=1", 850, 1],
      ["timeout=1", 950, 2],
      ["timeout=60, max=100", 50_000, 1],
      ["max=100, Timeout = 60", 55_000, 2],
      ["max=100", 3_600_000, 1],
    ];
    for (const [field, idleMs, connections] of table) {
      await using server = rawServer(async (connection) => {
        while (await connection.request()) {
          await connection.send(
            HELLO.replace("OK", `OK\r\nKeep-Alive: ${field}`),
          );
        }
      });
      const clock = movable();
      using harness = wireHarness(server.url, { clock });
      for (let turn = 0; turn < 2; turn++) {
        assert.equal((await harness.exchange()).failure, undefined);
        clock.pass(idleMs);
      }
      assert.equal(server.accepted, connections, `${field}, ${idleMs} ms`);
    }
  },
);
