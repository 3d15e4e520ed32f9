import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import * as tls from "node:tls";
import { NoDelay } from "../../../../lib/base/process/no_delay.ts";
import type { TlsOptions } from "../../../../lib/wire/net/network.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";
import { rawServer } from "../../../support/raw_server.ts";
import { closingServer } from "../../../support/tls/closing_server.ts";
import {
  authority,
  client,
  expiredServer,
  type KeyPair,
  otherServer,
  selfSigned,
  server as serverPair,
} from "../../../support/tls/certificates.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { HELLO } from "../http1/hello.ts";
import { STRICT } from "../../../support/strict.ts";

function helloServer(pair: KeyPair) {
  return rawServer(async (connection) => {
    while (await connection.request()) await connection.send(HELLO);
  }, { tls: pair });
}

const trusting = { caCerts: [authority] };
const certified = { ...trusting, ...client };
/** Through node:tls, which shows a certificate to a server that it does not verify. */
const throughNode = { insecure: true, ...client };

Deno.test(
  "HttpConnections speaks TLS by name and by address",
  STRICT,
  async () => {
    const server = helloServer(serverPair);
    const table: readonly [host: string, how: string, Partial<TlsOptions>][] = [
      ["127.0.0.1", "Deno", trusting],
      ["localhost", "Deno", trusting],
      ["127.0.0.1", "certified", certified],
      ["localhost", "certified", certified],
      ["127.0.0.1", "node", throughNode],
      ["localhost", "node", throughNode],
      ["localhost", "insecure", { insecure: true }],
      ["127.0.0.1", "insecure", { insecure: true }],
    ];
    for (const [host, how, options] of table) {
      const harness = wireHarness(`https://${host}:${server.port}`, {
        tls: options,
      });
      for (const turn of [1, 2, 3]) {
        const response = await harness.exchange();
        const where = `${host} ${how} ${turn}: ${response.failure?.message}`;
        assert.equal(response.failure, undefined, where);
        assert.equal(new TextDecoder().decode(response.body), "hello", where);
        const { connect, tls, firstByte } = response.marks;
        if (turn === 1) assert.ok(connect <= tls && tls <= firstByte, where);
        else assert.ok(isNaN(connect) && isNaN(tls), where);
      }
      harness.close();
    }
    assert.equal(server.accepted, table.length);
    await server.close();
  },
);

Deno.test(
  "HttpConnections refuses a certificate it has no reason to trust",
  STRICT,
  async () => {
    const table: readonly [
      what: string,
      KeyPair,
      Partial<TlsOptions>,
      RegExp,
    ][] = [
      ["unknown authority", serverPair, {}, /not signed by a known authority/],
      [
        "unknown authority, certified",
        serverPair,
        client,
        /not signed by a known authority/,
      ],
      ["self-signed", selfSigned, trusting, /not signed by a known authority/],
      ["another name", otherServer, trusting, /not for this host/],
      ["another name, certified", otherServer, certified, /not for this host/],
      ["expired", expiredServer, trusting, /has expired/],
      ["expired, certified", expiredServer, certified, /has expired/],
    ];
    for (const [what, pair, options, message] of table) {
      const server = helloServer(pair);
      for (const host of ["localhost", "127.0.0.1"]) {
        const harness = wireHarness(`https://${host}:${server.port}`, {
          tls: options,
        });
        const response = await harness.exchange();
        assert.equal(response.failure?.code, "tls", `${what} ${host}`);
        assert.match(
          response.failure!.message,
          message,
          `${what} ${host}: ${response.failure!.message}`,
        );
        assert.match(response.failure!.message, new RegExp(`\`${host}\``));
        assert.equal(response.bytesSent, 0, what);
        harness.close();
      }
      await server.close();
    }
  },
);

Deno.test(
  "HttpConnections takes a self-signed certificate that is trusted itself, and for its own hosts only",
  STRICT,
  async () => {
    const trusted = { caCerts: [selfSigned.cert] };
    const table: readonly [host: string, Partial<TlsOptions>, RegExp?][] = [
      ["127.0.0.1", trusted],
      ["localhost", trusted],
      ["localhost", { ...trusted, ...client }],
      ["127.0.0.2", trusted, /not for this host/],
      ["localhost", { caCerts: [authority] }, /not signed by a known/],
      ["localhost", { caCerts: [otherServer.cert] }, /not signed by a known/],
    ];
    for (const [host, options, refusal] of table) {
      await using server = rawServer(async (connection) => {
        while (await connection.request()) await connection.send(HELLO);
      }, { tls: selfSigned, hostname: host });
      using harness = wireHarness(`https://${host}:${server.port}`, {
        tls: options,
      });
      for (const turn of [1, 2]) {
        const { failure } = await harness.exchange();
        if (refusal) assert.match(failure!.message, refusal, host);
        else assert.equal(failure?.message, undefined, `${host} ${turn}`);
      }
    }
  },
);

Deno.test(
  "HttpConnections learns once that a certificate is its own authority",
  STRICT,
  async () => {
    await using server = rawServer(async (connection) => {
      await connection.request();
      await connection.send(HELLO.replace("OK", "OK\r\nConnection: close"));
    }, { tls: selfSigned });
    using harness = wireHarness(server.url, {
      tls: { caCerts: [selfSigned.cert] },
    });
    for (const handshakes of [2, 3, 4]) {
      assert.equal((await harness.exchange()).failure, undefined);
      assert.equal(server.accepted, handshakes);
    }
  },
);

Deno.test(
  "HttpConnections takes no body for whole that ends without close_notify, whatever does TLS",
  STRICT,
  async () => {
    const head = "HTTP/1.1 200 OK\r\n\r\n";
    const ways: Record<string, [KeyPair, Partial<TlsOptions>]> = {
      Deno: [serverPair, trusting],
      certified: [serverPair, certified],
      node: [serverPair, throughNode],
      insecure: [serverPair, { insecure: true }],
      "own authority": [selfSigned, { caCerts: [selfSigned.cert] }],
    };
    for (const [name, [pair, options]] of Object.entries(ways)) {
      for (const body of ["hello", "x".repeat(300_000)]) {
        const whole = await closingServer(pair, head + body, "close_notify");
        const harness = wireHarness(whole.url, { tls: options });
        const response = await harness.exchange();
        const where = `${name}, ${body.length} bytes`;
        assert.equal(response.failure?.message, undefined, where);
        assert.equal(new TextDecoder().decode(response.body), body, where);
        harness.close();
        await whole.close();

        const cut = await closingServer(pair, head + body, "bare close");
        const other = wireHarness(cut.url, { tls: options });
        const { failure, body: kept } = await other.exchange();
        assert.equal(failure?.code, "reset", where);
        assert.match(
          failure!.message,
          /^The server closed the connection after \d+ bytes of an incomplete response \(TLS ended without close_notify, as when a response is cut off\)$/,
          where,
        );
        assert.equal(kept.length, 0);
        other.close();
        await cut.close();
      }
    }
  },
);

Deno.test(
  "HttpConnections skips verification only where that is asked for",
  STRICT,
  async () => {
    for (const pair of [selfSigned, otherServer, expiredServer]) {
      await using server = helloServer(pair);
      const url = `https://localhost:${server.port}`;
      using insecure = wireHarness(url, { tls: { insecure: true } });
      using secure = wireHarness(url, { tls: trusting });
      const [response, refusal, later] = await Promise.all([
        insecure.exchange(),
        secure.exchange(),
        insecure.exchange().then(() => secure.exchange()),
      ]);
      assert.equal(response.failure?.message, undefined);
      assert.equal(response.status, 200);
      assert.equal(refusal.failure?.code, "tls");
      assert.equal(later.failure?.code, "tls");
    }
  },
);

Deno.test(
  "a run without verification leaves the objects of others alone",
  async () => {
    await using server = helloServer(selfSigned);
    using harness = wireHarness(`https://localhost:${server.port}`, {
      tls: { insecure: true },
    });
    assert.equal((await harness.exchange()).status, 200);
    const options: { rejectUnauthorized?: boolean } = {};
    assert.equal(options.rejectUnauthorized, undefined);
    options.rejectUnauthorized = true;
    assert.deepEqual({ ...options }, { rejectUnauthorized: true });
    assert.deepEqual(JSON.stringify(options), '{"rejectUnauthorized":true}');
    for (const name in {}) assert.fail(name);
  },
);

Deno.test(
  "HttpConnections without verification takes certificates that change from one connection to the next",
  STRICT,
  async () => {
    const closing = HELLO.replace("OK", "OK\r\nConnection: close");
    const pairs = [serverPair, selfSigned, otherServer, expiredServer];
    await using behind = new AsyncDisposableStack();
    const servers = pairs.map((pair) =>
      behind.use(rawServer(async (connection) => {
        await connection.request();
        await connection.send(closing);
      }, { tls: pair }))
    );
    await using front = rawServer(async ({ conn }, index) => {
      const { port } = servers[index % servers.length]!;
      const other = await Deno.connect({ hostname: "127.0.0.1", port });
      await Promise.all([
        conn.readable.pipeTo(other.writable),
        other.readable.pipeTo(conn.writable),
      ]);
    });
    using harness = wireHarness(`https://127.0.0.1:${front.port}`, {
      tls: { insecure: true },
    });
    for (const _ of [...pairs, ...pairs]) {
      const { failure, status } = await harness.exchange();
      assert.equal(failure?.message, undefined);
      assert.equal(status, 200);
    }
    assert.equal(front.accepted, 2 * pairs.length);
  },
);

Deno.test(
  "HttpConnections says when the server does not speak TLS",
  STRICT,
  async () => {
    for (const options of [trusting, certified, throughNode]) {
      await using server = rawServer(async (connection) => {
        await connection.send(
          "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
        );
        await connection.conn.read(new Uint8Array(1000));
      });
      using harness = wireHarness(`https://127.0.0.1:${server.port}`, {
        tls: options,
      });
      const { failure } = await harness.exchange();
      assert.equal(failure?.code, "tls");
      assert.match(failure!.message, /does not speak TLS/);
    }
  },
);

Deno.test(
  "HttpConnections says when the server closes in the handshake",
  STRICT,
  async () => {
    for (const options of [trusting, certified, throughNode]) {
      await using server = rawServer(async (connection) => {
        await connection.conn.read(new Uint8Array(2000));
      });
      using harness = wireHarness(`https://127.0.0.1:${server.port}`, {
        tls: options,
      });
      const { failure } = await harness.exchange();
      assert.equal(failure?.code, "tls");
      assert.match(failure!.message, /the server closed the connection/);
    }
  },
);

Deno.test(
  "HttpConnections says what the alert of a server that ends the handshake means",
  STRICT,
  async () => {
    // RFC 8446 section 6: handshake_failure, protocol_version, no_application_protocol.
    const alerts: readonly (readonly [number, RegExp])[] = [
      [40, /found nothing that both sides speak .* or it requires a certif/],
      [70, /the server takes neither TLS 1\.3 nor TLS 1\.2$/],
      [120, /does not speak the HTTP version that was asked for; see `--http`/],
      // bad_certificate, certificate_revoked, certificate_expired, unknown_ca,
      // access_denied, certificate_required: all of them are about this side's.
      [42, /refused this side's certificate, or requires one; see `--cert`/],
      [44, /says that this side's certificate \(`--cert`\) was revoked$/],
      [45, /says that this side's certificate \(`--cert`\) has expired$/],
      [48, /does not know the authority that signed this side's certificate/],
      [49, /denies access to the owner of this side's certificate/],
      [
        116,
        /requires a certificate from this side; see `--cert` and `--key`$/,
      ],
    ];
    for (const [alert, says] of alerts) {
      for (const options of [trusting, certified, throughNode]) {
        await using server = rawServer(async ({ conn }) => {
          await conn.read(new Uint8Array(2000));
          await conn.write(Uint8Array.of(21, 3, 3, 0, 2, 2, alert));
          await conn.read(new Uint8Array(2000));
        });
        using harness = wireHarness(`https://127.0.0.1:${server.port}`, {
          tls: options,
        });
        const { failure } = await harness.exchange();
        assert.equal(failure?.code, "tls");
        assert.match(failure!.message, says);
      }
    }
  },
);

Deno.test(
  "HttpConnections says that a server which closes after the handshake may want a certificate",
  STRICT,
  async () => {
    await using server = rawServer(async ({ conn }) => {
      await conn.read(new Uint8Array(2000));
    }, { tls: serverPair });
    using harness = wireHarness(server.url, { tls: throughNode });
    const { failure } = await harness.exchange();
    assert.equal(failure?.code, "reset");
    assert.match(failure!.message, /a server that requires a certificate/);
  },
);

Deno.test("HttpConnections shows its client certificate", STRICT, async () => {
  const names: unknown[] = [];
  const server = tls.createServer({
    ...serverPair,
    ca: [authority],
    requestCert: true,
    rejectUnauthorized: true,
  }, (socket) => {
    names.push((socket as tls.TLSSocket & { servername: unknown }).servername);
    socket.on("error", () => {});
    socket.on("data", () => socket.write(HELLO));
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const host of ["localhost", "127.0.0.1"]) {
    for (const options of [certified, throughNode]) {
      using harness = wireHarness(`https://${host}:${port}`, { tls: options });
      const { failure, status } = await harness.exchange();
      assert.deepEqual([failure?.message, status], [undefined, 200]);
    }
    using without = wireHarness(`https://${host}:${port}`, { tls: trusting });
    const refused = await without.exchange();
    assert.ok(refused.failure, "a server that wants a certificate gets none");
  }
  // A server name is never an address (RFC 6066 section 3).
  assert.deepEqual(names, ["localhost", "localhost", null, null]);
  await new Promise((resolve) => server.close(resolve));
});

Deno.test(
  "connections do not hold back what is small, with a client certificate either",
  { ...STRICT, ignore: Deno.build.os === "windows" },
  async () => {
    using noDelay = NoDelay.open()!;
    const ports: number[] = [];
    await using server = rawServer(async (connection) => {
      ports.push((connection.conn.remoteAddr as Deno.NetAddr).port);
      while (await connection.request()) await connection.send(HELLO);
    }, { tls: serverPair });
    for (const options of [trusting, certified, throughNode]) {
      using harness = wireHarness(server.url, { tls: options });
      const { failure } = await harness.exchange();
      assert.equal(failure?.message, undefined);
      // It finds those that do not have it.
      const ends = { local: ports.at(-1)!, remote: server.port };
      assert.equal(noDelay.set(0, ends), false);
    }
    const without = await Deno.connect({ port: server.port });
    const ends = { local: without.localAddr.port, remote: server.port };
    // Found below the number that is likely, too.
    const next = noDelay.next();
    assert.deepEqual(
      [noDelay.set(next, ends), noDelay.set(next, ends)],
      [true, false],
    );
    without.close();
  },
);

Deno.test(
  "Network.dial hands out a raw stream with its marks",
  STRICT,
  async () => {
    await using server = helloServer(serverPair);
    const url = `https://localhost:${server.port}`;
    using harness = wireHarness(url, { tls: trusting });

    const { stream, marks } = await harness.network.dial(
      parseOrigin(url),
      5000,
      ["http/1.1"],
    );
    assert.ok(marks.start <= marks.dns && marks.dns <= marks.connect);
    assert.ok(marks.connect <= marks.tls && isNaN(marks.firstByte));
    await stream.write(new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"));
    const buffer = new Uint8Array(100);
    const count = await stream.read(buffer);
    assert.equal(new TextDecoder().decode(buffer.subarray(0, count!)), HELLO);
    stream.close();
    await assert.rejects(
      harness.network.dial(parseOrigin("https://localhost:1"), 5000),
      { name: "WireError", code: "forbidden-host" },
    );
  },
);
