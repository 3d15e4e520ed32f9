import assert from "node:assert/strict";
import type { Answer } from "../../../lib/wire/answer.ts";
import { parseOrigin } from "../../../lib/wire/origin.ts";
import { oneByteEach, rawServer } from "../../support/raw_server.ts";
import { wireRig } from "../../support/wire_rig.ts";

const strict = { sanitizeOps: true, sanitizeResources: true };
const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

function text(answer: Answer): string {
  return new TextDecoder().decode(answer.body);
}

/** A promise and its resolver, to order two sides without sleeping. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
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
  strict,
  async () => {
    const requests: string[] = [];
    const server = rawServer(async (peer) => {
      for (let each; (each = await peer.request());) {
        requests.push(each);
        await peer.send(HELLO);
      }
    });
    const rig = wireRig(server.url);
    for (let turn = 0; turn < 5; turn++) {
      const answer = await rig.exchange();
      assert.equal(answer.failure, undefined);
      assert.equal(answer.status, 200);
      assert.equal(answer.statusLine, "HTTP/1.1 200 OK");
      assert.equal(text(answer), "hello");
      assert.equal(answer.header("content-LENGTH"), "5");
      assert.deepEqual(answer.headers(), [["Content-Length", "5"]]);
      assert.equal(answer.bytesReceived, HELLO.length);
      assert.equal(answer.bytesSent, requests[turn]!.length);
      const { start, dns, connect, tls, sent, firstByte, end } = answer.marks;
      assert.ok(isNaN(dns) && isNaN(tls), "an address over http has neither");
      assert.equal(isNaN(connect), turn > 0, "only the first one connects");
      assert.ok(start <= sent && sent <= firstByte && firstByte <= end);
    }
    assert.equal(server.accepted, 1);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections looks a name up before it connects",
  strict,
  async () => {
    const server = rawServer(async (peer) => {
      await peer.request();
      await peer.send(HELLO);
      await peer.request();
    });
    const rig = wireRig(`http://localhost:${server.port}`);
    const { failure, marks } = await rig.exchange();
    assert.equal(failure, undefined);
    assert.ok(marks.start <= marks.dns && marks.dns <= marks.connect);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "Answer holds until the next exchange, and for good when detached",
  strict,
  async () => {
    let count = 0;
    const server = rawServer(async (peer) => {
      while (await peer.request()) {
        await peer.send(HELLO.replace("hello", `body${++count}`));
      }
    });
    const rig = wireRig(server.url);
    const kept = await rig.exchange();
    kept.detach();
    const passed = await rig.exchange();
    assert.equal(text(passed), "body2");
    await rig.exchange();
    await rig.exchange();
    assert.equal(text(kept), "body1");
    assert.equal(kept.header("Content-Length"), "5");
    assert.equal(kept.statusLine, "HTTP/1.1 200 OK");
    assert.throws(() => passed.body, /overwritten by a later exchange/);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections replaces a connection the peer closed while it was idle",
  strict,
  async () => {
    const server = rawServer(async (peer) => {
      await peer.request();
      await peer.send(HELLO);
    });
    const rig = wireRig(server.url);
    for (const accepted of [1, 3, 5]) {
      const answer = await rig.exchange();
      assert.equal(answer.failure, undefined, answer.failure?.message);
      assert.equal(server.accepted, accepted);
      await roundTrip(server.port);
    }
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections does not reuse a connection with bytes nobody asked for",
  strict,
  async () => {
    const server = rawServer(async (peer, index) => {
      await peer.request();
      await peer.send(
        index === 0 ? `${HELLO}HTTP/1.1 500 Evil\r\n\r\n` : HELLO,
      );
      await peer.request();
    });
    const rig = wireRig(server.url);
    assert.equal(text(await rig.exchange()), "hello");
    const second = await rig.exchange();
    assert.equal(second.status, 200);
    assert.equal(server.accepted, 2);
    rig.close();
    await server.close();
  },
);

Deno.test("HttpConnections never sends a request twice", strict, async () => {
  let requests = 0;
  const server = rawServer(async (peer) => {
    await peer.request();
    requests++;
    if (requests > 1) return;
    await peer.send(HELLO);
    await peer.request();
    requests++;
  });
  const rig = wireRig(server.url);
  assert.equal((await rig.exchange()).failure, undefined);
  const answer = await rig.exchange("POST");
  assert.equal(answer.failure?.code, "reset");
  assert.match(answer.failure!.message, /before any byte of the answer came/);
  assert.match(answer.failure!.message, /bytes of the request were sent/);
  assert.equal(answer.status, 0);
  assert.equal(requests, 2);
  assert.equal(server.accepted, 1);
  rig.close();
  await server.close();
});

Deno.test(
  "HttpConnections says how much of an answer came before the close",
  strict,
  async () => {
    const table: readonly [sent: string, status: number][] = [
      ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", 200],
      ["HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", 503],
      ["HTTP/1.1 200", 0],
    ];
    for (const [sent, status] of table) {
      const server = rawServer(async (peer) => {
        await peer.request();
        await peer.send(sent);
      });
      const rig = wireRig(server.url);
      const answer = await rig.exchange();
      assert.equal(answer.failure?.code, "reset");
      assert.match(
        answer.failure!.message,
        new RegExp(`after ${sent.length} bytes`),
      );
      assert.equal(answer.status, status);
      assert.equal(answer.body.length, 0);
      assert.equal(answer.bytesReceived, sent.length);
      rig.close();
      await server.close();
    }
  },
);

Deno.test(
  "HttpConnections names what broke the protocol, and goes on afterwards",
  strict,
  async () => {
    const server = rawServer(async (peer, index) => {
      await peer.request();
      await peer.send(index > 0 ? HELLO : "HTTP/1.1 200 OK\r\nA : b\r\n\r\n");
      await peer.request();
    });
    const rig = wireRig(server.url);
    const { failure } = await rig.exchange();
    assert.deepEqual(failure, {
      code: "protocol",
      message: "protocol: white space before the colon",
    });
    assert.equal((await rig.exchange()).failure, undefined);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections closes when told to, by HTTP/1.0, and after 101",
  strict,
  async () => {
    const table = [
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ];
    for (const sent of table) {
      const server = rawServer(async (peer) => {
        while (await peer.request()) await peer.send(sent);
      });
      const rig = wireRig(server.url);
      assert.equal((await rig.exchange()).failure, undefined, sent);
      assert.equal((await rig.exchange()).failure, undefined, sent);
      assert.equal(server.accepted, 2, sent);
      rig.close();
      await server.close();
    }
  },
);

Deno.test(
  "HttpConnections reads a HEAD answer without a body",
  strict,
  async () => {
    const server = rawServer(async (peer) => {
      for (let each; (each = await peer.request());) {
        const head = each.startsWith("HEAD");
        await peer.send(head ? HELLO.slice(0, -5) : HELLO);
      }
    });
    const rig = wireRig(server.url);
    const answer = await rig.exchange("HEAD");
    assert.equal(answer.header("content-length"), "5");
    assert.equal(answer.body.length, 0);
    assert.equal(text(await rig.exchange()), "hello");
    assert.equal(server.accepted, 1);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections takes an answer that comes before the request is written",
  strict,
  async () => {
    const done = gate();
    const server = rawServer(async (peer, index) => {
      if (index > 0) {
        await peer.request();
        return peer.send(HELLO);
      }
      await peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
      await done.opened;
    });
    const rig = wireRig(server.url);
    const huge = new Uint8Array(64 * 1024 * 1024);
    huge.set(
      oneByteEach("POST / HTTP/1.1\r\nContent-Length: 67000000\r\n\r\n"),
    );
    const answer = await rig.exchange("POST", huge);
    assert.equal(answer.failure, undefined);
    assert.equal(answer.status, 413);
    assert.equal(text(answer), "no");
    assert.ok(answer.bytesSent < huge.length);
    assert.ok(isNaN(answer.marks.sent), "the request was never all sent");
    // The rest of the first request must not be taken for part of this one.
    assert.equal((await rig.exchange()).status, 200);
    assert.equal(server.accepted, 2);
    done.open();
    rig.close();
    await server.close();
  },
);

Deno.test("HttpConnections sends a large body whole", strict, async () => {
  let received = 0;
  const server = rawServer(async (peer) => {
    const buffer = new Uint8Array(256 * 1024);
    while (received < body.length) {
      received += await peer.connection.read(buffer) ?? Infinity;
    }
    await peer.send(HELLO);
    await peer.request();
  });
  const body = new Uint8Array(5_000_000).fill(0x61);
  body.set(oneByteEach("POST / HTTP/1.1\r\n\r\n"));
  const rig = wireRig(server.url);
  const answer = await rig.exchange("POST", body);
  assert.equal(answer.failure, undefined);
  assert.equal(answer.bytesSent, body.length);
  assert.equal(received, body.length);
  assert.ok(answer.marks.sent <= answer.marks.firstByte);
  rig.close();
  await server.close();
});

Deno.test(
  "HttpConnections gives back a large body, then a small one",
  strict,
  async () => {
    const large = "x".repeat(1_000_000);
    const bodies = [large, "small", large.slice(0, 3000), "tiny"];
    let turn = 0;
    const server = rawServer(async (peer) => {
      while (await peer.request()) {
        const body = bodies[turn++]!;
        await peer.send(
          `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      }
    });
    const rig = wireRig(server.url);
    for (const body of bodies) {
      const answer = await rig.exchange();
      assert.equal(text(answer) === body, true, `${body.length} bytes`);
    }
    assert.equal(server.accepted, 1);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections drains a body over 16 MiB and keeps the connection",
  strict,
  async () => {
    const piece = new Uint8Array(1024 * 1024);
    const server = rawServer(async (peer, _index) => {
      await peer.request();
      await peer.send(
        `HTTP/1.1 200 OK\r\nContent-Length: ${17 * piece.length}\r\n\r\n`,
      );
      for (let turn = 0; turn < 17; turn++) await peer.send(piece);
      while (await peer.request()) await peer.send(HELLO);
    });
    const rig = wireRig(server.url);
    const answer = await rig.exchange();
    assert.equal(answer.failure?.code, "too-large");
    assert.match(answer.failure!.message, /16777216 bytes/);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.length, 0);
    assert.ok(answer.bytesReceived > 17 * piece.length);
    assert.equal(text(await rig.exchange()), "hello");
    assert.equal(server.accepted, 1);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections reads every answer cut at every byte off a socket",
  strict,
  async () => {
    const answers = [
      HELLO,
      "HTTP/1.1 103 Early\r\nLink: a\r\n\r\n" + HELLO,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n",
      "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
    ];
    const cuts = answers.flatMap((answer) =>
      Array.from(
        { length: answer.length - 1 },
        (_, at) => ({ answer, at: at + 1 }),
      )
    );
    let turn = 0;
    const server = rawServer(async (peer) => {
      while (await peer.request()) {
        const { answer, at } = cuts[turn++]!;
        await peer.send(answer.slice(0, at));
        await peer.send(answer.slice(at));
      }
    });
    const rig = wireRig(server.url);
    for (const { at } of cuts) {
      const answer = await rig.exchange();
      assert.equal(
        answer.failure,
        undefined,
        `cut ${at}: ${answer.failure?.message}`,
      );
      assert.equal(text(answer), "hello", `cut ${at}`);
    }
    assert.equal(server.accepted, 1);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections refuses an origin off the allow-list before it looks it up",
  strict,
  async () => {
    const rig = wireRig("http://127.0.0.1:1");
    const origin = parseOrigin("http://never-looked-up.invalid");
    const answer = await rig.connections.exchange(
      origin,
      "GET",
      new Uint8Array(1),
      1000,
    );
    assert.equal(answer.failure?.code, "forbidden-host");
    assert.match(
      answer.failure!.message,
      /`http:\/\/never-looked-up.invalid:80`.*`http:\/\/127.0.0.1:1`/,
    );
    assert.ok(isNaN(answer.marks.dns));
    assert.equal(answer.bytesSent, 0);
    assert.deepEqual([answer.status, answer.statusLine, answer.headers()], [
      0,
      "",
      [],
    ]);
    rig.close();
  },
);

Deno.test(
  "HttpConnections names why there is no connection",
  strict,
  async () => {
    const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = closed.addr as Deno.NetAddr;
    closed.close();
    const refused = wireRig(`http://127.0.0.1:${port}`);
    const first = (await refused.exchange()).failure!;
    assert.equal(first.code, "refused");
    assert.equal(
      first.message,
      `Cannot connect to \`127.0.0.1:${port}\`: connection refused`,
    );
    refused.close();

    const unknown = wireRig("http://no-such-host.invalid");
    const second = (await unknown.exchange()).failure!;
    assert.equal(second.code, "dns");
    assert.match(second.message, /Cannot look up `no-such-host.invalid`: /);
    unknown.close();
  },
);

Deno.test(
  "HttpConnections.close ends an exchange under way as aborted",
  strict,
  async () => {
    const asked = gate();
    const server = rawServer(async (peer) => {
      await peer.request();
      asked.open();
      await peer.request();
    });
    const rig = wireRig(server.url);
    const pending = rig.exchange();
    await asked.opened;
    rig.close();
    assert.equal((await pending).failure?.code, "aborted");
    await server.close();
  },
);

Deno.test(
  "HttpConnections gives a second exchange at the same time its own connection",
  strict,
  async () => {
    const both = gate();
    let waiting = 0;
    const server = rawServer(async (peer) => {
      while (await peer.request()) {
        if (++waiting === 3) both.open();
        if (waiting > 1) await both.opened;
        await peer.send(HELLO);
      }
    });
    const rig = wireRig(server.url);
    await rig.exchange();
    const answers = await Promise.all([rig.exchange(), rig.exchange()]);
    for (const answer of answers) assert.equal(answer.failure, undefined);
    assert.equal((await rig.exchange()).failure, undefined);
    assert.equal(server.accepted, 2);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections reports a reset by a peer that reads nothing",
  strict,
  async () => {
    const server = rawServer(async (peer) => {
      // Closing with unread bytes makes the kernel send RST, not FIN.
      await peer.connection.read(new Uint8Array(1));
    });
    const rig = wireRig(server.url);
    const body = new Uint8Array(100_000);
    body.set(oneByteEach("POST / HTTP/1.1\r\nContent-Length: 99960\r\n\r\n"));
    const { failure } = await rig.exchange("POST", body);
    assert.equal(failure?.code, "reset");
    assert.match(failure!.message, /before any byte of the answer came/);
    rig.close();
    await server.close();
  },
);

Deno.test(
  "HttpConnections loses no answer and repeats no request when the peer closes unannounced",
  strict,
  async () => {
    let requests = 0;
    const server = rawServer(async (peer) => {
      if (await peer.request() === undefined) return;
      requests++;
      await peer.send(HELLO);
    });
    const rig = wireRig(server.url);
    let passed = 0;
    for (let turn = 0; turn < 100; turn++) {
      const { failure, bytesReceived } = await rig.exchange();
      if (failure === undefined) passed++;
      else {
        assert.equal(failure.code, "reset");
        assert.equal(bytesReceived, 0);
      }
    }
    assert.ok(passed > 0);
    assert.equal(requests, passed, "each request the server saw was answered");
    rig.close();
    await server.close();
  },
);
