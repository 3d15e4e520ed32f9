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

/** The codes of HTTP responses without `grpc-status` ("HTTP to gRPC Status Code Mapping"). */
const OF_HTTP: Readonly<Record<number, number>> = {
  400: 13,
  401: 16,
  403: 7,
  404: 12,
  429: 14,
  502: 14,
  503: 14,
  504: 14,
};

export function codeOfHttp(status: number): number {
  return OF_HTTP[status] ?? 2;
}

/** The codes of streams the server reset (gRPC over HTTP/2, "Errors"). */
const OF_RESET: Readonly<Record<number, number>> = {
  7: 14, // REFUSED_STREAM
  8: 1, // CANCEL
  11: 8, // ENHANCE_YOUR_CALM
  12: 7, // INADEQUATE_SECURITY
};

export function codeOfReset(reset: number): number {
  return OF_RESET[reset] ?? 13;
}
