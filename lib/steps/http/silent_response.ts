import { startMarks, type StepResponse } from "../../model/result/response.ts";

/** The response of a step that exchanged nothing. */
export function exchangeless(start: number, end: number): StepResponse {
  return {
    signal: "ok",
    marks: { ...startMarks(start), end },
    bytesSent: 0,
    bytesReceived: 0,
    heldBytes: 0,
    retryAfter: () => undefined,
    header: () => undefined,
    json: () => undefined,
    detach() {},
    capturedRequest: () => undefined,
    capturedResponse: () => undefined,
  };
}
