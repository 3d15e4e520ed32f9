/** RFC 9113 section 7. */
const ERROR_CODES = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
] as const;

export type ErrorName = (typeof ERROR_CODES)[number];

/** The number of an error code. */
export function errorCode(name: ErrorName): number {
  return ERROR_CODES.indexOf(name);
}

/** An error code for a person: `CANCEL`, or `the unknown code 99`. */
export function errorName(code: number): string {
  return ERROR_CODES[code] ?? `the unknown code ${code}`;
}

/**
 * The server broke a rule of HTTP/2. What is wrong with one response ends that
 * stream; everything else ends the connection (RFC 9113 section 5.4).
 */
export class Http2Error extends Error {
  override readonly name = "Http2Error";

  /** @param error what the server receives */
  constructor(
    readonly error: ErrorName,
    message: string,
    readonly scope: "connection" | "stream" = "connection",
    /** The frame is not wrong, but longer than is accepted. */
    readonly tooLarge: boolean = false,
  ) {
    super(message);
  }
}

/** @param most bytes of a header list that are accepted */
export function tooManyFields(most: number): Http2Error {
  const message = `its header fields take more than ${most} bytes`;
  return new Http2Error("ENHANCE_YOUR_CALM", message, "connection", true);
}
