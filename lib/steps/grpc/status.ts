/**
 * Status codes by number, with their HTTP counterparts (google.rpc.Code); retry
 * and throttle lists hold HTTP statuses.
 */
const CODES: readonly (readonly [name: string, http: number])[] = [
  ["OK", 200],
  ["CANCELLED", 499],
  ["UNKNOWN", 500],
  ["INVALID_ARGUMENT", 400],
  ["DEADLINE_EXCEEDED", 504],
  ["NOT_FOUND", 404],
  ["ALREADY_EXISTS", 409],
  ["PERMISSION_DENIED", 403],
  ["RESOURCE_EXHAUSTED", 429],
  ["FAILED_PRECONDITION", 400],
  ["ABORTED", 409],
  ["OUT_OF_RANGE", 400],
  ["UNIMPLEMENTED", 501],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["DATA_LOSS", 500],
  ["UNAUTHENTICATED", 401],
];

/** Codes by name, as assertions may use them. */
export const STATUS_NAMES: ReadonlyMap<string, number> = new Map(
  CODES.map(([name], code) => [name, code]),
);

/** A code in the words of a message, such as `NOT_FOUND (5)`. */
export function statusText(code: number): string {
  return `${CODES[code]?.[0] ?? "an unknown code"} (${code})`;
}

/** The HTTP status a code stands for. */
export function httpStatusOf(code: number): number {
  return CODES[code]?.[1] ?? 500;
}

/**
 * `grpc-status` as a code. What is no code is UNKNOWN.
 *
 * gRPC over HTTP/2, "Responses".
 */
export function parseStatus(text: string): number {
  const code = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  return code in CODES ? code : 2;
}

/** The code for an HTTP response without `grpc-status` ("HTTP to gRPC Status Code Mapping"). */
export function codeOfHttp(status: number): number {
  switch (status) {
    case 400:
      return 13;
    case 401:
      return 16;
    case 403:
      return 7;
    case 404:
      return 12;
    case 429:
    case 502:
    case 503:
    case 504:
      return 14;
    default:
      return 2;
  }
}

/** The code for a stream the server reset (gRPC over HTTP/2, "Errors"). */
export function codeOfReset(reset: number): number {
  switch (reset) {
    case 7: // REFUSED_STREAM
      return 14;
    case 8: // CANCEL
      return 1;
    case 11: // ENHANCE_YOUR_CALM
      return 8;
    case 12: // INADEQUATE_SECURITY
      return 7;
    default:
      return 13;
  }
}
