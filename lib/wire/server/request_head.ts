import { latin1 } from "../net/ascii.ts";

/** The longest request line and header fields together. */
export const MAX_HEAD_BYTES: number = 16 * 1024;

/** A request that is not one, and the status that says so. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
  constructor(readonly status: 400 | 405 | 431 | 505, message: string) {
    super(message);
  }
}

/** A request, and what it says of its connection. */
export interface ReadRequest {
  readonly request: Request;
  /** The client takes more responses on this connection. */
  readonly keepAlive: boolean;
  /** Chunked bodies are understood: HTTP/1.1. */
  readonly chunks: boolean;
}

const LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/(\d)\.(\d)$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;
/** What `Host` may hold (RFC 9110 section 7.2): a name or address, a port. */
const HOST = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;

/** Where the head ends, behind its empty line; -1 when it is not all there. */
export function headEnd(bytes: Uint8Array, length: number): number {
  for (let at = 3; at < length; at++) {
    if (
      bytes[at] === 10 && bytes[at - 1] === 13 && bytes[at - 2] === 10 &&
      bytes[at - 3] === 13
    ) return at + 1;
  }
  return -1;
}

/**
 * Reads the head of a request (RFC 9112 section 3). What is asked for has no body
 * here, so that one ends the connection.
 *
 * @throws {BadRequest}
 */
export function readRequest(bytes: Uint8Array): ReadRequest {
  const [line = "", ...fields] = latin1(bytes, 0, bytes.length - 4)
    .split("\r\n");
  const [, method, target, major, minor] = LINE.exec(line) ??
    refuse(400, "the request line is not HTTP");
  if (major !== "1") return refuse(505, "this server speaks HTTP/1.1");
  const headers = new Headers();
  for (const field of fields) {
    const [, name, value] = FIELD.exec(field) ??
      refuse(400, "a header field is not HTTP");
    append(headers, name!, value!);
  }
  const chunks = minor !== "0";
  const connection = (headers.get("connection") ?? "").toLowerCase();
  const hasBody = headers.has("transfer-encoding") ||
    Number(headers.get("content-length") ?? 0) !== 0;
  return {
    request: requestOf(method!, urlOf(target!, headers), headers),
    keepAlive: chunks && !hasBody && !/\bclose\b/.test(connection),
    chunks,
  };
}

function append(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value);
  } catch {
    refuse(400, "a header field is not HTTP");
  }
}

function urlOf(target: string, headers: Headers): string {
  const host = headers.get("host") ?? "";
  if (!HOST.test(host)) return refuse(400, "`Host` names no host");
  const url = target.startsWith("/") ? `http://${host}${target}` : target;
  return URL.canParse(url) ? url : refuse(400, "the target is no URL");
}

function requestOf(method: string, url: string, headers: Headers): Request {
  try {
    return new Request(url, { method, headers });
  } catch {
    return refuse(405, `\`${method}\` is not for this server`);
  }
}

function refuse(status: BadRequest["status"], message: string): never {
  throw new BadRequest(status, message);
}
