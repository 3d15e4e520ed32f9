import assert from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { oneByteEach, rawServer } from "../../../support/raw_server.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { HELLO, latch, text } from "./hello.ts";
import { STRICT } from "../../../support/strict.ts";

Deno.test(
  "Response holds until the next exchange, and for good when detached",
  STRICT,
  async () => {
    let count = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        await connection.send(HELLO.replace("hello", `body${++count}`));
      }
    });
    using harness = wireHarness(server.url);
    const kept = await harness.exchange();
    kept.detach();
    const passed = await harness.exchange();
    assert.equal(text(passed), "body2");
    await harness.exchange();
    await harness.exchange();
    assert.equal(text(kept), "body1");
    assert.equal(kept.header("Content-Length"), "5");
    assert.equal(kept.statusLine, "HTTP/1.1 200 OK");
    assert.throws(() => passed.body, /overwritten by a later exchange/);
  },
);

const ODD_HEADS: readonly [what: string, sent: string, fields: string[][]][] = [
  ["a folded field", "X-A: 1\r\n 2\r\nX-B: 3\r\n", [
    ["X-A", "1   2"],
    ["X-B", "3"],
  ]],
  ["bytes that are no UTF-8", "X-A: \xe4\x80\r\n", [["X-A", "\xe4\x80"]]],
  ["a long field", `X-A: ${"a".repeat(5_000)}\r\n`, [
    ["X-A", "a".repeat(5_000)],
  ]],
];

for (const [what, sent, fields] of ODD_HEADS) {
  Deno.test(
    `A detached response has ${what}, behind an interim one`,
    STRICT,
    async () => {
      await using server = rawServer(async (connection) => {
        while (await connection.request()) {
          const head =
            `HTTP/1.1 200 Fine\r\n${sent}Content-Length: 2\r\n\r\n\xff!`;
          await connection.send(
            oneByteEach(`HTTP/1.1 103 Early\r\nX-C: 4\r\n\r\n${head}`),
          );
        }
      });
      using harness = wireHarness(server.url);
      const kept = await harness.exchange();
      kept.detach();
      const there = [kept.headers(), [...kept.body]];
      await harness.exchange();
      const length = ["Content-Length", "2"];
      assert.deepEqual(kept.headers(), [...fields, length]);
      assert.deepEqual([...kept.body], [0xff, 0x21]);
      assert.deepEqual([kept.headers(), [...kept.body]], there);
      assert.equal(kept.statusLine, "HTTP/1.1 200 Fine");
      assert.equal(kept.stale, false);
    },
  );
}

Deno.test(
  "A detached response has its own trailer fields alone",
  STRICT,
  async () => {
    const trailers = ["", "X-T: 2\r\nX-U: 2\r\n", "", "X-T: 4\r\n"];
    let count = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        await connection.send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
            `1\r\n1\r\n0\r\n${trailers[count++]}\r\n`,
        );
      }
    });
    using harness = wireHarness(server.url);
    const kept = [];
    for (let each = 0; each < trailers.length; each++) {
      const response = await harness.exchange();
      response.detach();
      kept.push(response);
    }
    const fields = kept.map((each) => each.headers().slice(1));
    assert.deepEqual(fields, [[], [["X-T", "2"], ["X-U", "2"]], [], [
      ["X-T", "4"],
    ]]);
  },
);

Deno.test(
  "Detached responses can be read in turns, long ones and short ones",
  STRICT,
  async () => {
    const bodies = ["a", "b".repeat(10_000), "c", "d".repeat(9_000)];
    let count = 0;
    await using server = rawServer(async (connection) => {
      while (await connection.request()) {
        const body = bodies[count]!;
        await connection.send(
          `HTTP/1.1 200 OK\r\nX-N: ${count++}\r\nX-O: o\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }
    });
    using harness = wireHarness(server.url);
    const kept = [];
    for (let each = 0; each < bodies.length; each++) {
      const response = await harness.exchange();
      response.detach();
      kept.push(response);
    }
    for (const round of [0, 1]) {
      for (const [index, each] of kept.entries()) {
        assert.deepEqual(each.headers(1), [["X-N", `${index}`]], `${round}`);
        assert.equal(each.header("x-n"), `${index}`);
        assert.equal(new TextDecoder().decode(each.body), bodies[index]);
        assert.equal(each.statusLine, "HTTP/1.1 200 OK");
      }
    }
  },
);

Deno.test(
  "A detached response that is no HTTP has the fields before the fault",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      await connection.request();
      await connection.send("HTTP/1.1 200 OK\r\nX-A: 1\r\nno field\r\n\r\n");
    });
    using harness = wireHarness(server.url);
    const kept = await harness.exchange();
    assert.equal(kept.failure?.code, "protocol");
    kept.detach();
    await harness.exchange();
    assert.deepEqual(kept.headers(), [["X-A", "1"]]);
    assert.equal(kept.statusLine, "HTTP/1.1 200 OK");
  },
);

Deno.test(
  "HttpConnection takes bytes to be there when the event loop had them, not when it came to them",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      while (await connection.request()) await connection.send(HELLO);
    });
    const clock = { ...systemClock, arrival: () => 1e9 };
    using harness = wireHarness(server.url, { clock });
    const { marks } = await harness.exchange();
    assert.deepEqual([marks.firstByte, marks.end], [1e9, 1e9]);
  },
);

Deno.test(
  "HttpConnection says how much of a response came before the close",
  STRICT,
  async () => {
    const table: readonly [sent: string, status: number][] = [
      ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", 200],
      ["HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", 503],
      ["HTTP/1.1 200", 0],
    ];
    for (const [sent, status] of table) {
      await using server = rawServer(async (connection) => {
        await connection.request();
        await connection.send(sent);
      });
      using harness = wireHarness(server.url);
      const response = await harness.exchange();
      assert.equal(response.failure?.code, "reset");
      assert.match(
        response.failure!.message,
        new RegExp(`after ${sent.length} bytes`),
      );
      assert.equal(response.status, status);
      assert.equal(response.body.length, 0);
      assert.equal(response.bytesReceived, sent.length);
    }
  },
);

Deno.test(
  "HttpConnection names what broke the protocol, and goes on afterwards",
  STRICT,
  async () => {
    await using server = rawServer(async (connection, index) => {
      await connection.request();
      await connection.send(
        index > 0 ? HELLO : "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
      );
      await connection.request();
    });
    using harness = wireHarness(server.url);
    const { failure } = await harness.exchange();
    assert.deepEqual(failure, {
      code: "protocol",
      message: "protocol: white space before the colon",
    });
    assert.equal((await harness.exchange()).failure, undefined);
  },
);

Deno.test(
  "HttpConnection names the other protocol that a server speaks",
  STRICT,
  async () => {
    const table: readonly [sent: string, detail: string][] = [
      [
        "\0\0\x12\x04\0\0\0\0\0",
        "the server speaks HTTP/2; see `--http 2`",
      ],
      ["\x15\x03\x01\0\x02\x02F", "the server speaks TLS; see `https://`"],
      ["SSH-2.0-x\r\n", 'it begins "SSH-2.0-x\\r…"'],
    ];
    for (const [sent, detail] of table) {
      await using server = rawServer(async (connection) => {
        await connection.request();
        await connection.send(sent);
      });
      using harness = wireHarness(server.url);
      assert.deepEqual((await harness.exchange()).failure, {
        code: "protocol",
        message: `protocol: not an HTTP/1.1 response: ${detail}`,
      });
    }
  },
);

Deno.test(
  "HttpConnection closes on `Connection: close`, by HTTP/1.0, and after 101",
  STRICT,
  async () => {
    const table = [
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ];
    for (const sent of table) {
      await using server = rawServer(async (connection) => {
        while (await connection.request()) await connection.send(sent);
      });
      using harness = wireHarness(server.url);
      assert.equal((await harness.exchange()).failure, undefined, sent);
      assert.equal((await harness.exchange()).failure, undefined, sent);
      assert.equal(server.accepted, 2, sent);
    }
  },
);

Deno.test(
  "HttpConnection reads a HEAD response without a body",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      for (let each; (each = await connection.request());) {
        const head = each.startsWith("HEAD");
        await connection.send(head ? HELLO.slice(0, -5) : HELLO);
      }
    });
    using harness = wireHarness(server.url);
    const response = await harness.exchange("HEAD");
    assert.equal(response.header("content-length"), "5");
    assert.equal(response.body.length, 0);
    assert.equal(text(await harness.exchange()), "hello");
    assert.equal(server.accepted, 1);
  },
);

Deno.test(
  "HttpConnection takes a response that comes before the request is written",
  STRICT,
  async () => {
    const done = latch();
    await using server = rawServer(async (connection, index) => {
      if (index > 0) {
        await connection.request();
        return connection.send(HELLO);
      }
      await connection.send(
        "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno",
      );
      await done.opened;
    });
    using harness = wireHarness(server.url);
    const huge = new Uint8Array(64 * 1024 * 1024);
    huge.set(
      oneByteEach("POST / HTTP/1.1\r\nContent-Length: 67000000\r\n\r\n"),
    );
    const response = await harness.exchange("POST", huge);
    assert.equal(response.failure, undefined);
    assert.equal(response.status, 413);
    assert.equal(text(response), "no");
    assert.ok(response.bytesSent < huge.length, "it was never all sent");
    // The rest of the first request must not be taken for part of this one.
    assert.equal((await harness.exchange()).status, 200);
    assert.equal(server.accepted, 2);
    done.open();
  },
);

Deno.test(
  "HttpConnection reports a reset by a server that reads nothing",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      // Closing with unread bytes makes the kernel send RST, not FIN.
      await connection.conn.read(new Uint8Array(1));
    });
    using harness = wireHarness(server.url);
    const body = new Uint8Array(100_000);
    body.set(oneByteEach("POST / HTTP/1.1\r\nContent-Length: 99960\r\n\r\n"));
    const { failure } = await harness.exchange("POST", body);
    assert.equal(failure?.code, "reset");
    assert.match(failure!.message, /before any byte of the response came/);
  },
);
