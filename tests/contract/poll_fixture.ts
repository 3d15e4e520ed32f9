import { http2Peer } from "./http2_peer.ts";
import { httpPeer } from "./http_peer.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** A poll whose first round is the last. */
export const fixture: ProtocolFixture = {
  kind: "poll",
  step: (url = "") =>
    `poll:
  call: "GET ${url}/thing"
  interval: 1ms
  max_attempts: 1
  until: [$.done == true]`,
  start: (manner) =>
    httpPeer(manner, (authorization) => ({ done: true, authorization })),
  startHttp2: (manner) =>
    http2Peer(manner, (authorization) => ({ done: true, authorization })),
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
