import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rowText, traceName } from "../../lib/results/report/figures.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { partsOf } from "../model/exchange.ts";
import { rootsOf } from "../model/waterfall.ts";
import { jsonObject } from "./json_stream.ts";
import { momentAt } from "../model/words.ts";
import {
  type HeaderList,
  headerValue,
  headerValues,
} from "../../lib/base/values/headers.ts";

/** The traces of a log. */
interface ExchangeParts {
  readonly entries: readonly TraceEntry[];
  readonly traces: AsyncIterable<Trace>;
}

/**
 * Every exchange of the traces as a HAR 1.2 log: an iteration is a page, an
 * exchange an entry. What HAR has no word for is in fields that begin with an
 * underscore, as its section 2.2 wants.
 */
export async function* har(
  meta: RunMeta,
  { entries, traces }: ExchangeParts,
): AsyncGenerator<string> {
  const startedAt = Date.parse(meta.started_at);
  yield '{"log":';
  yield* jsonObject(
    {
      version: "1.2",
      creator: { name: "bench", version: meta.bench_version },
      comment: `${meta.flow} against ${meta.target}, run ${meta.id}`,
    },
    [
      { name: "pages", items: pages(entries, startedAt) },
      { name: "entries", items: exchanges() },
    ],
  );
  yield "}\n";

  async function* exchanges() {
    for await (const trace of traces) {
      const roots = rootsOf(trace.spans);
      const below = Map.groupBy(trace.spans, (span) => span.parent_id);
      for (const span of trace.spans) {
        if (!span.request || span.kind !== "call") continue;
        const step = roots.get(span.span_id)?.name ?? span.name;
        const messages = socketMessages(
          trace.spans,
          span,
          roots,
          startedAt,
        );
        yield {
          pageref: trace.trace_id,
          ...harEntry(span, below.get(span.span_id) ?? [], startedAt),
          _step: step,
          ...(messages.length > 0 && { _webSocketMessages: messages }),
        };
      }
    }
  }
}

function* pages(
  entries: readonly TraceEntry[],
  startedAt: number,
): Generator<object> {
  for (const entry of entries) {
    const row = entry.row === null ? "" : `, ${rowText(entry.row)}`;
    yield {
      startedDateTime: momentAt(startedAt, entry.start_us),
      id: entry.trace_id,
      title: `${traceName(entry)}${row}, ${entry.outcome}`,
      pageTimings: { onContentLoad: -1, onLoad: entry.duration_us / 1_000 },
    };
  }
}

/** A frame as browsers write it into a HAR log. */
interface SocketMessage {
  readonly type: "send" | "receive";
  /** Seconds since the epoch. */
  readonly time: number;
  /** 1 for text, 2 for binary (RFC 6455 section 5.2). */
  readonly opcode: 1 | 2;
  readonly data: string;
}

/**
 * The frames of the session that `handshake` opened, until its trace ends.
 *
 * @param roots the span of the step that every span belongs to
 */
function socketMessages(
  spans: readonly Span[],
  handshake: Span,
  roots: ReadonlyMap<string, Span>,
  startedAt: number,
): SocketMessage[] {
  const sessionOf = ({ span_id }: Span) =>
    roots.get(span_id)?.attributes?.session;
  const session = sessionOf(handshake);
  if (session === undefined) return [];
  return spans.filter((span) =>
    span.kind === "frames" && sessionOf(span) === session
  ).flatMap((span) => {
    const at = (us: number) => (startedAt + us / 1_000) / 1_000;
    return [
      ...frame("send", span.request, at(span.start_us)),
      ...frame("receive", span.response, at(span.start_us + span.duration_us)),
    ];
  });
}

function frame(
  type: SocketMessage["type"],
  message: CapturedMessage | undefined,
  time: number,
): SocketMessage[] {
  if (message?.body === undefined || !message.line.endsWith(" frame")) {
    return [];
  }
  const binary = message.body_encoding === "base64";
  return [{ type, time, opcode: binary ? 2 : 1, data: message.body }];
}

/**
 * One exchange as an entry of a HAR log. A response that never came has status 0,
 * as browsers write it, and the reason is in the entry's comment.
 *
 * @param phases the spans below it
 * @param startedAt the run's start, milliseconds since the epoch
 */
function harEntry(
  span: Span,
  phases: readonly Span[],
  startedAt: number,
): object {
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
  const text = request.body;
  const parts = partsOf(request);
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
      postData: {
        mimeType: typeOf(request),
        // The text of the body, or its parts.
        ...(parts ? { params: parts } : { text }),
        ...remark(request),
      },
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

/** How a message differs from its bytes on the wire. */
function remark(
  {
    body,
    body_encoding,
    body_sha256,
    body_truncated,
    headers,
    headers_truncated,
    line,
  }: CapturedMessage,
): { comment?: string } {
  const grpc = body !== undefined && / HTTP\/2$|^HTTP\/2 /.test(line) &&
    typeOf({ headers, line }).startsWith("application/grpc");
  const remarks = [
    headers_truncated === true && "Header fields are missing.",
    body_truncated === true && "Only the beginning was kept.",
    body_encoding === "base64" && "Binary, in base64.",
    body_sha256 !== undefined &&
    `Not kept: it hides a secret, or could not be searched for one; SHA-256 ${body_sha256}.`,
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

/** A field of a head, or of a query. */
interface HarField {
  readonly name: string;
  readonly value: string;
}

/** HAR 1.2, "cookies". */
interface HarCookie extends HarField {
  readonly path?: string;
  readonly domain?: string;
  /** ISO 8601. */
  readonly expires?: string;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
}

/** A head's fields. */
function fieldsOf(headers: HeaderList): HarField[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** The query of a request's target, decoded. */
function queryOf(target: string): HarField[] {
  const at = target.indexOf("?");
  if (at < 0) return [];
  return [...new URLSearchParams(target.slice(at + 1))]
    .map(([name, value]) => ({ name, value }));
}

/** The cookies of a request's `Cookie` fields. */
function cookiesOf(headers: HeaderList): HarCookie[] {
  return headerValues(headers, "cookie").flatMap((value) =>
    value.split(";").map((pair) => pair.trim()).filter((pair) => pair !== "")
      .map(pairOf)
  );
}

/** The cookies of a response's `Set-Cookie` fields (RFC 6265 section 4.1). */
function setCookiesOf(headers: HeaderList): HarCookie[] {
  return headerValues(headers, "set-cookie").map((value) => {
    const [pair = "", ...attributes] = value.split(";");
    const said = new Map(
      attributes.map((each) => {
        const { name, value } = pairOf(each.trim());
        return [name.toLowerCase(), value];
      }),
    );
    const expires = Date.parse(said.get("expires") ?? "");
    const path = said.get("path");
    const domain = said.get("domain");
    return {
      ...pairOf(pair.trim()),
      ...(path !== undefined && { path }),
      ...(domain !== undefined && { domain }),
      ...(!Number.isNaN(expires) && {
        expires: new Date(expires).toISOString(),
      }),
      httpOnly: said.has("httponly"),
      secure: said.has("secure"),
    };
  });
}

function pairOf(text: string): HarField {
  const at = text.indexOf("=");
  return at < 0
    ? { name: text, value: "" }
    : { name: text.slice(0, at), value: text.slice(at + 1) };
}
