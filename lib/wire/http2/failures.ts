import type { Failure } from "../../model/result/failure.ts";
import { brokenBy, MAY_WANT_CERTIFICATE } from "../net/connect_error.ts";
import { protocolError } from "../net/wire_error.ts";
import { errorName, type Http2Error } from "./frames/error.ts";

/** What came is not HTTP/2, or more than is accepted. */
export function unreadable({ message, tooLarge }: Http2Error): Failure {
  return tooLarge
    ? { code: "too-large", message: `The response is too large: ${message}` }
    : protocolError(message).failure;
}

/** The connection ended before the response did. */
export function connectionLost({ begun, unheard, goneAway, error }: {
  /** The head of the response came. */
  readonly begun: boolean;
  /** TLS, and the server has not sent a byte inside it. */
  readonly unheard: boolean;
  /** What a GOAWAY said. */
  readonly goneAway: string | undefined;
  readonly error: unknown;
}): Failure {
  const when = begun
    ? "before the response was complete"
    : "before any of the response was received";
  const said = error === undefined ? undefined : brokenBy(error);
  const plain = said === undefined || /broken pipe|reset/i.test(said);
  const why = unheard && plain ? MAY_WANT_CERTIFICATE : said;
  return {
    code: "reset",
    message: `connection closed ${when}${why ? `: ${why}` : ""}${
      saidBefore(goneAway)
    }`,
  };
}

/** The server ended the stream before its response was complete. */
export function streamReset(
  reset: number,
  goneAway: string | undefined,
): Failure {
  const hint = errorName(reset) === "HTTP_1_1_REQUIRED"
    ? "; `--http 1.1` speaks that version"
    : "";
  return {
    code: "reset",
    message: `the server reset the stream with ${errorName(reset)}${
      saidBefore(goneAway)
    }${hint}`,
  };
}

function saidBefore(goneAway: string | undefined): string {
  return goneAway === undefined
    ? ""
    : `; it had sent GOAWAY with ${goneAway} before`;
}
