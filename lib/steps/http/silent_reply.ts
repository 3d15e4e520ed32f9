import { type Reply, startMarks } from "../../model/result/reply.ts";

/** The reply of a step that exchanged nothing. */
export function exchangeless(start: number, end: number): Reply {
  return {
    signal: "ok",
    marks: { ...startMarks(start), end },
    bytesSent: 0,
    bytesReceived: 0,
    retryAfter: () => undefined,
    header: () => undefined,
    json: () => undefined,
    detach() {},
    request: () => undefined,
    response: () => undefined,
  };
}
