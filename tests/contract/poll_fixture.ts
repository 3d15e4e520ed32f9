import { http2Server } from "./http2_server.ts";
import { httpServer } from "./http_server.ts";
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
    httpServer(manner, (authorization) => ({ done: true, authorization })),
  startHttp2: (manner) =>
    http2Server(manner, (authorization) => ({ done: true, authorization })),
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
