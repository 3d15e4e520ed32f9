import type { Failure } from "../../model/result/failure.ts";

/*
 * Why an exchange has no whole response, in the same words whatever it travels
 * on: HTTP/1.1, HTTP/2, or the handshake of a WebSocket.
 */

/** Bytes of a body that are kept; a longer one is a failure. */
export const MAX_BODY_BYTES: number = 16 * 1024 * 1024;

export const TOO_LARGE: Failure = {
  code: "too-large",
  message: `The body is longer than the ${MAX_BODY_BYTES} bytes that are kept`,
};

/** This side closed the connection, because the run has to end. */
export const GIVEN_UP: Failure = {
  code: "aborted",
  message: "The connection was closed before the response was complete",
};

/** @param doing what was under way, such as `connecting` */
export function timedOut(timeoutMs: number, doing: string): Failure {
  return {
    code: "timeout",
    message: `No complete response within ${timeoutMs} ms: timed out ${doing}`,
  };
}
