import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { wsServer } from "../support/ws_server.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** A session and its first frame; the server sends what it was shown. */
export const fixture: ProtocolFixture = {
  kind: "ws",
  step: (url = "") => `ws:\n  url: ${quoted(url)}\n  receive:`,
  codes: { timeout: "timeout", refused: "refused", brokenOff: "closed" },
  async start(manner) {
    const credentials: (string | undefined)[] = [];
    const asked = Promise.withResolvers<void>();
    const server = await wsServer({
      upgrade(request: IncomingMessage, socket: Duplex) {
        credentials.push(request.headers.authorization);
        asked.resolve();
        if (manner === "stays silent") return false;
        if (manner !== "throttles") return true;
        socket.end(
          "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n",
        );
        return false;
      },
      session({ socket, stream }, request) {
        const { authorization } = request.headers;
        if (manner === "responds") {
          socket.send(JSON.stringify({ authorization }));
        } // A frame of 20 bytes whose last ones never come.
        else stream.end(new Uint8Array([0x81, 20, 0x7b, 0x22]));
      },
    });
    return {
      url: server.url,
      credentials,
      asked: asked.promise,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

/** The step's URL as YAML; a template comes quoted. */
function quoted(url: string): string {
  return url.startsWith('"') ? url : `"${url}/"`;
}
