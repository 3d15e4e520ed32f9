import type { Failure } from "../../model/result/failure.ts";
import { brokenBy, MAY_WANT_CERTIFICATE } from "../net/connect_error.ts";

/** What the library resets a stream with whose fields are too many or too large. */
const ENHANCE_YOUR_CALM = 11;
/** A header block that fills a frame: what the library gave up on is its length. */
const LARGE_FIELDS = 16 * 1024;

/**
 * The library gave up a stream because of what came.
 *
 * @param code what it reset the stream with; the peer did not
 * @param headerBytes of the header block that came
 * @param error what the library said of the connection
 */
export function unreadable(
  code: number,
  headerBytes: number,
  error: Error | undefined,
): Failure {
  if (code === ENHANCE_YOUR_CALM || headerBytes >= LARGE_FIELDS) {
    return {
      code: "too-large",
      message: "The answer has more or longer header fields than are read",
    };
  }
  const why = error ? `: ${error.message}` : "";
  return {
    code: "protocol",
    message: `protocol: the answer cannot be read as HTTP/2${why}`,
  };
}

/**
 * The connection ended before the answer did.
 *
 * @param begun some of the answer came
 * @param unheard TLS, and the peer has not sent a byte inside it
 */
export function connectionLost(
  begun: boolean,
  unheard: boolean,
  error: Error | undefined,
): Failure {
  const came = begun
    ? "before the answer was whole"
    : "before any of the answer came";
  const said = error && brokenBy(error);
  const plain = said === undefined || /broken pipe|reset/i.test(said);
  const why = unheard && plain ? MAY_WANT_CERTIFICATE : said;
  return {
    code: "reset",
    message: `The peer closed the connection ${came}${why ? `: ${why}` : ""}`,
  };
}
