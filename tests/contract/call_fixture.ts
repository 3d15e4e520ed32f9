import { http2Peer } from "./http2_peer.ts";
import { httpPeer } from "./http_peer.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** An HTTP request; the peer answers with what it was sent. */
export const fixture: ProtocolFixture = {
  kind: "call",
  step: (url = "") => `call: "GET ${url}/thing"`,
  start: (manner) => httpPeer(manner, (authorization) => ({ authorization })),
  startHttp2: (manner) =>
    http2Peer(manner, (authorization) => ({ authorization })),
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
