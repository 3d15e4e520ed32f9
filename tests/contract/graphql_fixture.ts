import { http2Peer } from "./http2_peer.ts";
import { httpPeer } from "./http_peer.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** A query; the peer resolves its one field to what it was sent. */
export const fixture: ProtocolFixture = {
  kind: "graphql",
  step: (url = "") =>
    `graphql:
  url: "${url}/graphql"
  query: "{ authorization }"`,
  start: (manner) =>
    httpPeer(manner, (authorization) => ({ data: { authorization } })),
  startHttp2: (manner) =>
    http2Peer(manner, (authorization) => ({ data: { authorization } })),
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
