import { concatenated } from "../../base/values/bytes.ts";
import type { Clock } from "../../base/time/clock.ts";
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
/** The form of `Host` (RFC 9110 section 7.2): a name or address, a port. */
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

/** Where a response goes: resolves when all of the bytes are handed over. */
type Write = (bytes: Uint8Array) => Promise<void>;

const UTF8 = new TextEncoder();
const LAST_CHUNK = UTF8.encode("0\r\n\r\n");
const NO_BYTES = new Uint8Array(0);
const TURNS = 10;
/** Statuses whose response has no body (RFC 9110 section 6.4.1). */
const BODILESS = new Set([204, 304]);

/**
 * Writes a response to a request. A body that is one piece goes with its length,
 * a longer one in chunks, as it comes.
 *
 * @param clock for `Date`, and lets the event loop have a turn
 * @returns whether the connection can take another request
 * @throws when the client is gone, or the body breaks: the connection must close,
 *   so that half a response is not taken for a whole one
 */
export async function writeResponse(
  response: Response,
  asked: ReadRequest,
  clock: Clock,
  write: Write,
): Promise<boolean> {
  const reader = response.body?.getReader();
  try {
    const first = await next(reader);
    const second = first ? next(reader) : Promise.resolve(undefined);
    second.catch(() => {});
    const whole = await endsNow(second, clock);
    const stays = asked.keepAlive && (whole || asked.chunks);
    const head = headOf(response, [
      ...framing(response, asked, whole ? first?.length ?? 0 : undefined),
      `date: ${new Date(clock.wall()).toUTCString()}`,
      ...stays ? [] : ["connection: close"],
    ]);
    if (asked.request.method === "HEAD" || BODILESS.has(response.status)) {
      await write(head);
    } else if (whole) await write(concatenated([head, first ?? NO_BYTES]));
    else {
      await write(concatenated([head, ...framed(first!, asked.chunks)]));
      await writeRest(await second, reader!, asked.chunks, write);
    }
    return stays;
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/** Whether there is no second piece. One that is yet to be made is not waited for. */
async function endsNow(
  second: Promise<Uint8Array | undefined>,
  clock: Clock,
): Promise<boolean> {
  let ended: boolean | undefined;
  second.then((piece) => ended = piece === undefined, () => ended = false);
  // A body that is a text ends after a few turns of the queue of promises.
  for (let turn = 0; turn < TURNS && ended === undefined; turn++) await null;
  if (ended === undefined) await clock.sleep(0);
  return ended === true;
}

async function writeRest(
  second: Uint8Array | undefined,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  chunks: boolean,
  write: Write,
): Promise<void> {
  for (let piece = second; piece; piece = await next(reader)) {
    await write(concatenated(framed(piece, chunks)));
  }
  if (chunks) await write(LAST_CHUNK);
}

/** How the client knows where the body ends. */
function framing(
  { status }: Response,
  { chunks }: ReadRequest,
  length: number | undefined,
): string[] {
  if (BODILESS.has(status)) return [];
  if (length !== undefined) return [`content-length: ${length}`];
  return chunks ? ["transfer-encoding: chunked"] : [];
}

/** The next piece that is not empty; undefined at the end. */
async function next(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await reader?.read() ?? { done: true };
    if (done) return undefined;
    if (value!.length > 0) return value;
  }
}

function headOf(
  { status, statusText, headers }: Response,
  more: readonly string[],
): Uint8Array {
  const own = [...headers]
    .filter(([name]) => name !== "content-length" && name !== "connection")
    .map(([name, value]) => `${name}: ${value}`);
  return UTF8.encode(
    `HTTP/1.1 ${status} ${statusText || REASONS[status] || "Status"}\r\n${
      [...own, ...more].join("\r\n")
    }\r\n\r\n`,
  );
}

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  421: "Misdirected Request",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
};

function framed(piece: Uint8Array, chunks: boolean): Uint8Array[] {
  if (!chunks) return [piece];
  const size = `${piece.length.toString(16)}\r\n`;
  return [UTF8.encode(size), piece, UTF8.encode("\r\n")];
}
