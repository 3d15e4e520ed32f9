import { http2Server } from "./http2_server.ts";
import { httpServer } from "./http_server.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** An HTTP request; the server responds with what it was sent. */
export const fixture: ProtocolFixture = {
  kind: "call",
  step: (url = "") => `call: "GET ${url}/thing"`,
  start: (manner) => httpServer(manner, (authorization) => ({ authorization })),
  startHttp2: (manner) =>
    http2Server(manner, (authorization) => ({ authorization })),
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
