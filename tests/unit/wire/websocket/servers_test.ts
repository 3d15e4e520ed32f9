import { contentOf } from "../../../support/ws_message.ts";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { requestHead } from "../../../../lib/wire/http1/request_head.ts";
import type { Closing } from "../../../../lib/wire/websocket/frame.ts";
import { WebSocketConnection } from "../../../../lib/wire/websocket/connection.ts";
import {
  handshakeFields,
  handshakeRefusal,
  newKey,
} from "../../../../lib/wire/websocket/handshake.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { pythonHas, pythonServer } from "../../../support/python_server.ts";
import type { TlsOptions } from "../../../../lib/wire/net/network.ts";
import { rawServer } from "../../../support/raw_server.ts";
import {
  authority,
  server as serverPair,
} from "../../../support/tls/certificates.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { type ServerSession, wsServer } from "../../../support/ws_server.ts";

/** An open connection, with what came on it. */
interface Client {
  readonly connection: WebSocketConnection;
  next(): Promise<string | Uint8Array | Closing>;
}

type Case = readonly [says: string, run: (client: Client) => Promise<void>];

const echoed = async ({ connection, next }: Client, text: string) => {
  connection.send(text);
  strictEqual(await next(), text);
};

/** The cases of the Autobahn suite that a client can be asked for by a server's echo. */
const CASES: readonly Case[] = [
  ...[0, 1, 2, 3, 4, 5, 125, 126, 127, 65_535, 65_536, 1_000_000].map(
    (length): Case => [
      `a text of ${length} characters`,
      (client) => echoed(client, "*".repeat(length)),
    ],
  ),
  ["a text of every width of UTF-8", (client) => echoed(client, "κόσμε $¢€𐍈")],
  ["many messages in a row", async ({ connection, next }) => {
    for (let at = 0; at < 500; at++) connection.send(`message ${at}`);
    for (let at = 0; at < 500; at++) strictEqual(await next(), `message ${at}`);
  }],
  ["a ping of the server", async ({ connection, next }) => {
    connection.send("ping");
    strictEqual(await next(), "pong came");
  }],
  ["a close of the server, with its code and reason", async (client) => {
    client.connection.send("close 4001");
    deepStrictEqual(await client.next(), { code: 4001, reason: "as you say" });
  }],
  ["a close of this side, returned in kind", async (client) => {
    client.connection.close(1000);
    strictEqual((await client.next() as Closing).code, 1000);
  }],
];

const FRAGMENTS: Case = ["a message in fragments", async (client) => {
  client.connection.send("fragments");
  strictEqual(await client.next(), "one two thréé");
}];

async function withClient(
  url: string,
  run: Case[1],
  tls?: Partial<TlsOptions>,
): Promise<void> {
  const harness = wireHarness(url, tls && { tls });
  const { origin } = parseBaseUrl(url);
  const key = newKey();
  const head = requestHead("GET", "/", [
    ["Host", origin.hostHeader],
    ...handshakeFields(key, ["chat"]),
  ]);
  const { response: received, upgraded } = await harness.connections.upgrade(
    origin,
    new TextEncoder().encode(head),
    5_000,
  );
  strictEqual(received.failure, undefined);
  strictEqual(handshakeRefusal(received.headers(), key, ["chat"]), undefined);
  const come: (string | Uint8Array | Closing)[] = [];
  let waiting: ((it: string | Uint8Array | Closing) => void) | undefined;
  const gone = Promise.withResolvers<void>();
  const take = (it: string | Uint8Array | Closing) => {
    if (!waiting) return void come.push(it);
    waiting(it);
    waiting = undefined;
  };
  const { stream, rest } = upgraded!;
  const connection = new WebSocketConnection(stream, rest, harness.network, {
    message: (...message) => take(contentOf(...message)),
    handedOn() {},
    broken: (error) => {
      throw error;
    },
    closing() {},
    closed: (how) => {
      take(how);
      gone.resolve();
    },
  });
  connection.start();
  await run({
    connection,
    next: () =>
      come.length > 0
        ? Promise.resolve(come.shift()!)
        : new Promise((resolve) => waiting = resolve),
  });
  connection.close(1000);
  await gone.promise;
  harness.close();
}

function session({ socket }: ServerSession): void {
  socket.on("message", (data) => {
    const text = new TextDecoder().decode(data);
    if (text === "ping") {
      socket.on("pong", () => socket.send("pong came"));
      socket.ping("still there?");
    } else if (text.startsWith("close ")) {
      socket.close(Number(text.slice(6)), "as you say");
    } else socket.send(text);
  });
}

for (const [says, run] of CASES) {
  Deno.test(`WebSocket and the ws library: ${says}`, async () => {
    await using server = await wsServer({ session });
    await withClient(server.url, run);
  });
}

Deno.test("WebSocket over TLS, on either TLS implementation", async (t) => {
  await using server = await wsServer({ session });
  await using tunnel = rawServer(async ({ conn }) => {
    const behind = await Deno.connect({ port: server.port });
    await Promise.all([
      conn.readable.pipeTo(behind.writable),
      behind.readable.pipeTo(conn.writable),
    ]);
  }, { tls: serverPair });
  for (const tls of [{ caCerts: [authority] }, { insecure: true }]) {
    for (const [says, run] of CASES) {
      await t.step(says, () => withClient(tunnel.url, run, tls));
    }
  }
});

Deno.test({
  name: "WebSocket and Python's websockets",
  ignore: !pythonHas("websockets"),
  async fn(t) {
    await using server = await pythonServer("websockets_server.py");
    const url = `http://127.0.0.1:${server.port}`;
    for (const [says, run] of [...CASES, FRAGMENTS]) {
      await t.step(says, () => withClient(url, run));
    }
  },
});
