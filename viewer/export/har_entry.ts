import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import { headerValue } from "../../lib/base/values/headers.ts";
import { cookiesOf, fieldsOf, queryOf, setCookiesOf } from "./har_fields.ts";
import { momentAt } from "../model/words.ts";

/**
 * One exchange as an entry of a HAR log. A response that never came has status 0,
 * as browsers write it, and the reason is in the entry's comment.
 *
 * @param phases the spans below it
 * @param startedAt the run's start, milliseconds since the epoch
 */
export function harEntry(
  span: Span,
  phases: readonly Span[],
  startedAt: number,
): { readonly timings: HarTimings } & Record<string, unknown> {
  const { outcome, failure } = span;
  return {
    startedDateTime: momentAt(startedAt, span.start_us),
    time: span.duration_us / 1_000,
    request: requestOf(span),
    response: responseOf(span),
    cache: {},
    timings: timingsOf(span, phases),
    ...(isSocket(span) && { _resourceType: "websocket" }),
    ...(failure && { comment: failure.message }),
    ...(outcome !== undefined && { _outcome: outcome }),
  };
}

const NO_MESSAGE: CapturedMessage = { line: "", headers: [] };

function requestOf(span: Span): object {
  const { request = NO_MESSAGE, attributes } = span;
  const origin = String(attributes?.origin ?? "http://unknown");
  const [method = "", target = "", httpVersion = ""] = request.line.split(" ");
  const type = typeOf(request);
  const text = request.body;
  return {
    method,
    url: urlOf(
      isSocket(span) ? origin.replace(/^http/, "ws") : origin,
      target,
    ),
    httpVersion,
    cookies: cookiesOf(request.headers),
    headers: fieldsOf(request.headers),
    queryString: queryOf(target),
    ...(text !== undefined && {
      postData: { mimeType: type, text, ...remark(request) },
    }),
    headersSize: -1,
    bodySize: request.body_bytes ?? 0,
  };
}

/** Whether it opened, or tried to open, a WebSocket. */
function isSocket({ request }: Span): boolean {
  return headerValue(request?.headers ?? [], "upgrade") === "websocket";
}

/** `[redacted]` in an address is made fit for one. */
function urlOf(origin: string, target: string): string {
  const path = target.replaceAll(
    /[[\]"<>\\^`{|}]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return origin + (path.startsWith("/") ? path : "/");
}

function responseOf(
  { response = NO_MESSAGE, attributes }: Span,
): object {
  const match = /^(HTTP\/[\d.]+) (\d{3}) ?(.*)$/s.exec(response.line);
  const known = Number(attributes?.status);
  const text = response.body;
  const encoded = headerValue(response.headers, "content-encoding");
  return {
    // The response itself may not have been kept; its status always is.
    status: match ? Number(match[2]) : known >= 100 ? known : 0,
    statusText: match?.[3] ?? "",
    httpVersion: match?.[1] ?? "",
    cookies: setCookiesOf(response.headers),
    headers: fieldsOf(response.headers),
    content: {
      size: response.body_bytes ?? 0,
      mimeType: typeOf(response),
      ...(text !== undefined && { text }),
      ...(text !== undefined && response.body_encoding === "base64" && {
        encoding: "base64",
      }),
      ...remark(response),
    },
    redirectURL: headerValue(response.headers, "location") ?? "",
    headersSize: -1,
    bodySize: match && encoded === undefined ? response.body_bytes ?? 0 : -1,
    ...(attributes?.response_overwritten === true && {
      comment: "Only its status was kept.",
    }),
  };
}

function typeOf({ headers }: CapturedMessage): string {
  return headerValue(headers, "content-type") ?? "";
}

/** What is not as it was on the wire. */
function remark(
  {
    body_encoding,
    body_sha256,
    body_truncated,
    headers,
    headers_truncated,
    line,
  }: CapturedMessage,
): { comment?: string } {
  const grpc = / HTTP\/2$|^HTTP\/2 /.test(line) &&
    typeOf({ headers, line }).startsWith("application/grpc");
  const remarks = [
    headers_truncated === true && "Header fields are missing.",
    body_truncated === true && "Only the beginning was kept.",
    body_encoding === "base64" && "Binary, in base64.",
    body_sha256 !== undefined &&
    `Not kept, since it could not be searched for secrets; SHA-256 ${body_sha256}.`,
    grpc && "The message as JSON.",
  ].filter((each) => each !== false);
  return remarks.length === 0 ? {} : { comment: remarks.join(" ") };
}

/** HAR 1.2, "timings": milliseconds, -1 for what did not happen. */
interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  /** With the TLS handshake, of which `ssl` is the part. */
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/**
 * The phases of an exchange as HAR counts them. All but `ssl` add up to the
 * exchange: what no phase explains is `wait` when no response came, and else
 * `blocked`.
 */
function timingsOf(
  { duration_us }: Span,
  phases: readonly Span[],
): HarTimings {
  const us = (name: string) =>
    phases.find((each) => each.name === name)?.duration_us;
  const dns = us("dns");
  const tcp = us("connect");
  const tls = us("tls");
  const wait = us("ttfb");
  const receive = us("transfer");
  const sum = [dns, tcp, tls, wait, receive]
    .reduce<number>((total, each) => total + (each ?? 0), 0);
  const rest = Math.max(0, duration_us - sum);
  const connected = tcp !== undefined || tls !== undefined;
  return {
    blocked: wait !== undefined && rest > 0 ? rest / 1_000 : -1,
    dns: ms(dns),
    connect: connected ? ms((tcp ?? 0) + (tls ?? 0)) : -1,
    ssl: ms(tls),
    send: 0,
    wait: ms(wait ?? rest),
    receive: (receive ?? 0) / 1_000,
  };
}

function ms(us: number | undefined): number {
  return us === undefined ? -1 : us / 1_000;
}
