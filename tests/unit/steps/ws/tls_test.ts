import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { rawServer } from "../../../support/raw_server.ts";
import { authority, server } from "../../../support/tls/certificates.ts";
import { accept, drain, TEXT, wsHarness } from "./harness.ts";
import { serverFrame as frame } from "../../../support/ws_message.ts";
import { STRICT } from "../../../support/strict.ts";

function secureServer() {
  return rawServer(async (connection) => {
    await accept(connection);
    await connection.send(frame(TEXT, '{"secure":true}'));
    await drain(connection);
  }, { tls: server });
}

Deno.test({
  name: "ws over TLS uses the target's authorities and has a tls phase",
  ...STRICT,
  async fn() {
    const server = secureServer();
    {
      await using harness = wsHarness(server.url, { caCerts: [authority] });
      const url = server.url.replace("https", "wss");
      const response = await harness.step({ url: `${url}/x`, receive: {} });
      deepStrictEqual(response.json(), { secure: true });
      const { connect, tls, firstByte, end } = response.before!.marks;
      ok(connect < tls && tls < firstByte && firstByte <= end);
    }
    await server.close();
  },
});

Deno.test({
  name: "ws over TLS fails on an untrusted certificate",
  ...STRICT,
  async fn() {
    const server = secureServer();
    {
      await using harness = wsHarness(server.url);
      const response = await harness.step({ url: "/", receive: {} });
      strictEqual(response.failure?.code, "tls");
      match(response.failure!.message, /not signed by a known authority/);
    }
    await server.close();
  },
});
