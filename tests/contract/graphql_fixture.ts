import { http2Server } from "./http2_server.ts";
import { httpServer } from "./http_server.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** A query; the server resolves its one field to what it was sent. */
export const fixture: ProtocolFixture = {
  kind: "graphql",
  step: (url = "") =>
    `graphql:
  url: "${url}/graphql"
  query: "{ authorization }"`,
  start: (manner) =>
    httpServer(manner, (authorization) => ({ data: { authorization } })),
  startHttp2: (manner) =>
    http2Server(manner, (authorization) => ({ data: { authorization } })),
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
