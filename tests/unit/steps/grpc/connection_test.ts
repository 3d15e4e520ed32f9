import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { AddressInfo } from "node:net";
import * as tls from "node:tls";
import { Deadline } from "../../../../lib/wire/net/deadlines.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { grpcServer } from "../../../support/grpc_server.ts";
import * as certificates from "../../../support/tls/certificates.ts";
import { fine, grpcHarness, grpcTest as test } from "./harness.ts";
import { freePort } from "../../../support/free_port.ts";

test("gives up at the deadline with DEADLINE_EXCEEDED, and goes on after it", async () => {
  let silent = false;
  await using server = await grpcServer((call) => {
    if (!silent) fine(call);
  });
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  strictEqual((await harness.ask()).signal, "ok");
  silent = true;
  const late = await harness.ask({}, { timeoutMs: 50 });
  silent = false;
  deepStrictEqual(
    [late.signal, late.status, late.failure?.code],
    ["failure", 4, "timeout"],
  );
  strictEqual((await harness.ask()).signal, "ok");
  strictEqual(server.connections, 1);
});

/** TLS between two sockets of one process does not always keep it alive, from the handshake to the close. */
function keptAlive(): Disposable {
  const alive = setInterval(() => {}, 1_000);
  return { [Symbol.dispose]: () => clearInterval(alive) };
}

/** Passes bytes on once a test says so, and holds every connection until then. */
function heldBack(port: number) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const serving = (async () => {
    const near = await listener.accept();
    listener.close();
    accepted.resolve();
    await open.promise;
    const far = await Deno.connect({ hostname: "127.0.0.1", port });
    await Promise.allSettled([
      near.readable.pipeTo(far.writable),
      far.readable.pipeTo(near.writable),
    ]);
  })();
  return {
    port: listener.addr.port,
    accepted: accepted.promise,
    open: open.resolve,
    async [Symbol.asyncDispose]() {
      await serving;
    },
  };
}

test("the deadline of a first call runs from the dial, whatever other VUs do", async () => {
  const { authority, server } = certificates;
  using _alive = keptAlive();
  await using target = await grpcServer(() => {}, server);
  await using between = heldBack(target.port);
  const clock = new ManualClock();
  const url = `https://127.0.0.1:${between.port}`;
  await using harness = grpcHarness(url, [authority], clock);
  const begun = clock.now();
  const pending = harness.ask({}, { timeoutMs: 300 });
  await between.accepted;
  await clock.pass(100);
  // Another VU asks with the same bound while the handshake is under way.
  const other = new Deadline({ expire() {} });
  harness.context.deadlines.start(other, clock.now(), 300);
  between.open();
  await target.asked;
  await clock.pass(500);
  const late = await pending;
  deepStrictEqual(
    [late.failure?.code, late.marks.end - begun],
    ["timeout", 300],
  );
});

test("keeps one connection for all calls of a VU", async () => {
  await using server = await grpcServer(fine);
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  await harness.ask();
  const second = await harness.ask();
  strictEqual(server.connections, 1);
  ok(Number.isNaN(second.marks.connect), "no dial, no phase");
});

test("dials again after the server said that it goes away", async () => {
  await using server = await grpcServer((call) => {
    if (server.calls.length === 1) call.stream.session!.goaway(0);
    fine(call);
  });
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  strictEqual((await harness.ask()).signal, "ok");
  strictEqual((await harness.ask()).signal, "ok");
  strictEqual(server.connections, 2);
});

test("a connection that broke is a reset, and the next call dials", async () => {
  await using server = await grpcServer((call) => {
    if (server.calls.length === 1) call.socket.destroy();
    else fine(call);
  });
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  const broken = await harness.ask();
  deepStrictEqual(
    [broken.status, broken.failure?.code],
    [undefined, "reset"],
  );
  strictEqual((await harness.ask()).signal, "ok");
  strictEqual(server.calls.length, 2, "nothing is sent twice");
});

test("a refused connection has no status", async () => {
  await using harness = grpcHarness(`http://127.0.0.1:${freePort()}`);
  const got = await harness.ask();
  deepStrictEqual([got.status, got.failure?.code], [undefined, "refused"]);
  strictEqual(got.capturedResponse(), undefined);
});

test("a server that speaks HTTP/1.1, TLS or neither is a failure with a reason", async () => {
  const text = (written: string) => new TextEncoder().encode(written);
  const spoken: readonly (readonly [Uint8Array<ArrayBuffer>, string])[] = [
    [
      text("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
      "the server does not speak HTTP/2: it sends HTTP/1",
    ],
    // An alert of OpenSSL: the record is of no version that it knows.
    [
      Uint8Array.of(21, 3, 1, 0, 2, 2, 70),
      "the server speaks TLS; see `grpcs://` and `https://`",
    ],
    [
      text("SSH-2.0-OpenSSH_9.6\r\n"),
      "the server does not speak HTTP/2: its first bytes are no SETTINGS frame",
    ],
  ];
  for (const [bytes, why] of spoken) {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const serving = (async () => {
      const connection = await listener.accept();
      await connection.read(new Uint8Array(1_000));
      await connection.write(bytes);
      connection.close();
    })();
    await using harness = grpcHarness(
      `http://127.0.0.1:${listener.addr.port}`,
    );
    const got = await harness.ask();
    deepStrictEqual(
      [got.status, got.failure],
      [undefined, { code: "protocol", message: `protocol: ${why}` }],
    );
    await serving;
    listener.close();
  }
});

test("a call under way ends as aborted when its VU lets go", async () => {
  await using server = await grpcServer(() => {});
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  const pending = harness.ask();
  await server.asked;
  harness.context.connections.close();
  strictEqual((await pending).failure?.code, "aborted");
});

test("speaks TLS to a server named by its address", async () => {
  await using server = await grpcServer(fine, certificates.server);
  await using harness = grpcHarness(`https://127.0.0.1:${server.port}`, [
    certificates.authority,
  ]);
  const got = await harness.ask();
  strictEqual(got.signal, "ok", String(got.failure?.message));
  ok(got.marks.tls > got.marks.connect);
  strictEqual(server.calls[0]!.headers[":scheme"], "https");
});

test("does not talk to a server without a trusted certificate", async () => {
  await using server = await grpcServer(fine, certificates.selfSigned);
  await using harness = grpcHarness(`https://127.0.0.1:${server.port}`);
  strictEqual((await harness.ask()).failure?.code, "tls");
});

test("a server that wants a certificate says so, and not that a pipe broke", async () => {
  const server = tls.createServer({
    ...certificates.server,
    ca: [certificates.authority],
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ["h2"],
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await using harness = grpcHarness(`https://127.0.0.1:${port}`, [
    certificates.authority,
  ]);
  const got = await harness.ask();
  match(got.failure!.message, /certificate.*; see `--cert` and `--key`$/);
  await new Promise((resolve) => server.close(resolve));
});
