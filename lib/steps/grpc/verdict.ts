import { Buffer } from "node:buffer";
import { shortened } from "../../base/text/display.ts";
import { GRPC_CODES } from "../../base/values/grpc_codes.ts";
import { headerValue } from "../../base/values/headers.ts";
import type { Failure } from "../../model/result/failure.ts";
import { timedOut, TOO_LARGE } from "../../wire/net/wire_error.ts";
import type { WireResponse } from "../../wire/net/wire_response.ts";
import type { Decoded } from "./protobuf/json_writer.ts";
import { CompressionError, unframeMessage } from "./request.ts";

/** Codes by name, as assertions may use them. */
export const STATUS_NAMES: ReadonlyMap<string, number> = new Map(
  GRPC_CODES.map(([name], code) => [name, code]),
);

/** A code in the words of a message, such as `NOT_FOUND (5)`. */
function statusText(code: number): string {
  return `${GRPC_CODES[code]?.[0] ?? "an unknown code"} (${code})`;
}

/** The HTTP status a code stands for. */
function httpStatusOf(code: number): number {
  return GRPC_CODES[code]?.[1] ?? 500;
}

/**
 * `grpc-status` as a code. What is no code is UNKNOWN.
 *
 * gRPC over HTTP/2, "Responses".
 */
function parseStatus(text: string): number {
  const code = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  return code in GRPC_CODES ? code : 2;
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

function codeOfHttp(status: number): number {
  return OF_HTTP[status] ?? 2;
}

/** The codes of streams the server reset (gRPC over HTTP/2, "Errors"). */
const OF_RESET: Readonly<Record<number, number>> = {
  7: 14, // REFUSED_STREAM
  8: 1, // CANCEL
  11: 8, // ENHANCE_YOUR_CALM
  12: 7, // INADEQUATE_SECURITY
};

function codeOfReset(reset: number): number {
  return OF_RESET[reset] ?? 13;
}

/** The result of a gRPC response. */
export interface Verdict {
  readonly signal: "ok" | "throttle" | "failure";
  /** The gRPC code; absent when no response came. */
  readonly code?: number;
  /** The status that retry and throttle lists are compared with. */
  readonly httpStatus?: number;
  readonly failure?: Failure;
  /** The client's own deadline is a status of gRPC's as well. */
  readonly failedByStatus?: true;
  /** The status for a message. */
  readonly statusText?: string;
  readonly message?: Decoded;
}

const RESOURCE_EXHAUSTED = 8;
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;
/** INTERNAL: the status of a message with a compression that this side cannot read (gRPC, "Compression"). */
const INTERNAL = 13;

/**
 * Reads a response as gRPC over HTTP/2 ("Responses") says: a status in the
 * trailers, or in the header fields of a response that has nothing else; without
 * one, the code that the HTTP status or the reset stream stands for.
 *
 * @param decode the response message; throws when the bytes are not one
 * @param timeoutMs the deadline, which the server got too
 */
export function judgeGrpc(
  response: WireResponse,
  decode: (bytes: Uint8Array) => Decoded,
  timeoutMs: number,
): Verdict {
  const { failure, reset } = response;
  if (failure && reset === undefined) {
    return failure.code === "timeout"
      ? tooLate(failure)
      : { signal: "failure", failure };
  }
  if (response.tooLarge) return { signal: "failure", failure: TOO_LARGE };
  const status = ending(response, "grpc-status");
  if (status !== undefined) {
    const number = parseStatus(status);
    if (number === 0) return ok(response, decode);
    const { start, end } = response.marks;
    // Which side ends the call first is chance, and servers count whole milliseconds.
    if (number === DEADLINE_EXCEEDED && end - start > timeoutMs - 1) {
      return tooLate(timedOut(timeoutMs, "on both sides"));
    }
    return bad(number, decodeMessage(ending(response, "grpc-message") ?? ""));
  }
  if (reset !== undefined) {
    return bad(codeOfReset(reset), failure?.message ?? "");
  }
  return withoutStatus(response);
}

function tooLate(failure: Failure): Verdict {
  return {
    signal: "failure",
    ...code(DEADLINE_EXCEEDED),
    failure,
    failedByStatus: true,
  };
}

/** A field of the trailers, or of the head where there is nothing else. */
function ending(response: WireResponse, name: string): string | undefined {
  return headerValue(response.trailers, name) ?? response.header(name);
}

function ok(
  response: WireResponse,
  decode: (bytes: Uint8Array) => Decoded,
): Verdict {
  try {
    return { signal: "ok", ...code(0), message: messageOf(response, decode) };
  } catch (error) {
    if (error instanceof CompressionError) {
      const broken = protocolFailure(
        `INTERNAL: the response status was OK, but ${error.message}`,
      );
      return { ...broken, ...code(INTERNAL) };
    }
    const why = error instanceof SyntaxError
      ? error.message
      : `its message is not of the method's type: ${(error as Error).message}`;
    return protocolFailure(`the response status was OK, but ${why}`);
  }
}

/** The message of a response whose status is OK. */
export function messageOf(
  response: WireResponse,
  decode: (bytes: Uint8Array) => Decoded,
): Decoded {
  const encoding = response.header("grpc-encoding");
  return decode(unframeMessage(response.body, encoding));
}

function bad(number: number, why: string): Verdict {
  const text = `${statusText(number)}${
    why === "" ? "" : `: ${shortened(why)}`
  }`;
  const status = { ...code(number), statusText: `status ${text}` };
  if (number === RESOURCE_EXHAUSTED) return { signal: "throttle", ...status };
  return {
    signal: "failure",
    ...status,
    failure: { code: "status", message: `response status was ${text}` },
  };
}

const NO_STATUS = (status: number) => `HTTP ${status} without a grpc-status`;

/** A proxy in between, or a server that does not speak gRPC. */
function withoutStatus(response: WireResponse): Verdict {
  const { status } = response;
  if (status === 429) {
    const { failure: _, ...throttle } = bad(UNAVAILABLE, NO_STATUS(status));
    return { ...throttle, signal: "throttle", httpStatus: status };
  }
  if (status !== 200) {
    const number = codeOfHttp(status);
    return {
      ...bad(number, NO_STATUS(status)),
      httpStatus: status,
    };
  }
  const type = response.header("content-type") ?? "";
  return protocolFailure(
    isGrpc(type)
      ? "the response has no grpc-status"
      : `the response is not gRPC: its content-type is \`${type}\``,
  );
}

/** Whether a media type is that of gRPC messages. */
export function isGrpc(type: string): boolean {
  return /^application\/grpc(?:[+;]|$)/i.test(type);
}

function protocolFailure(why: string): Verdict {
  return {
    signal: "failure",
    failure: { code: "protocol", message: `protocol: ${why}` },
  };
}

function code(number: number) {
  return {
    code: number,
    httpStatus: httpStatusOf(number),
    statusText: `status ${statusText(number)}`,
  };
}

/**
 * `grpc-message` is percent-encoded UTF-8; what is not an escape stays as it came
 * (gRPC over HTTP/2, "Responses").
 */
function decodeMessage(text: string): string {
  const bytes = Buffer.from(text).toString("latin1").replace(
    /%([0-9a-f]{2})/gi,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
