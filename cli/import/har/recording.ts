import {
  type HeaderList,
  headerValue,
} from "../../../lib/base/values/headers.ts";
import { isObject } from "../../../lib/base/values/json.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { byNumber } from "../draft/assemble.ts";
import type { SentPart } from "../draft/http_request.ts";
import { jsonOfFile } from "../draft/json_file.ts";
import { joinedLines } from "../draft/step_headers.ts";

/** A body that was sent: its text, or the parts of a multipart form that is recorded so. */
interface SentBody {
  readonly text: string;
  readonly type: string;
  readonly parts?: readonly SentPart[];
}

/** One request of a recording and what came back. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body?: SentBody;
  /** 0 of a request that was cut off; absent where a tool wrote requests alone. */
  readonly status?: number;
  readonly responseHeaders: HeaderList;
  readonly responseType: string;
  /** Absent when the recording does not hold it, or it is not text. */
  readonly responseText?: string;
  /** The kind of resource to a browser: `xhr`, `script`, `document`. */
  readonly resource: string;
  /** Milliseconds since 1970; NaN where the recording does not say it. */
  readonly began: number;
  readonly ended: number;
}

/**
 * The exchanges of a HAR file (1.1 and 1.2), in the order in which they began.
 *
 * @throws {BenchError} when it is not one
 */
export function readHar(text: string, file: string): Exchange[] {
  const har = jsonOfFile(text, file);
  const log = isObject(har) ? har["log"] : undefined;
  const entries = isObject(log) ? log["entries"] : undefined;
  if (!Array.isArray(entries)) {
    throw new Refused(
      `${file} is not a HAR file: it has no \`log.entries\``,
      "browsers write one under Network, Save all as HAR",
    );
  }
  return entries.filter(isObject)
    .sort((a, b) => (beginOf(a) - beginOf(b)) || 0)
    .flatMap((entry) => exchangeOf(entry) ?? []);
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => isObject(value) ? value : {};
const text = (value: unknown): string =>
  typeof value === "string" ? value.toWellFormed() : "";

function beginOf(entry: Fields): number {
  return Date.parse(String(entry["startedDateTime"]));
}

/** Undefined for what was not sent: `data:`, `blob:`. */
function exchangeOf(entry: Fields): Exchange | undefined {
  const request = fields(entry["request"]);
  const response = fields(entry["response"]);
  const url = URL.parse(text(request["url"]));
  if (!url || !/^(?:https?|wss?):$/.test(url.protocol)) return;
  const content = fields(response["content"]);
  const responseText = contentText(content);
  const sent = sentBody(fields(request["postData"]));
  return {
    method: text(request["method"]).toUpperCase() || "GET",
    url,
    headers: joinedLines(headersOf(request["headers"])),
    ...(sent && { body: sent }),
    ...(isObject(entry["response"]) &&
      { status: Number(response["status"]) || 0 }),
    responseHeaders: headersOf(response["headers"]),
    responseType: text(content["mimeType"]).split(";")[0]!.trim().toLowerCase(),
    ...(responseText !== undefined && { responseText }),
    resource: text(entry["_resourceType"]).toLowerCase(),
    began: beginOf(entry),
    ended: beginOf(entry) + Math.max(Number(entry["time"]) || 0, 0),
  };
}

/** HTTP/2 has names in lower case, and pseudo fields, which are not sent. */
function headersOf(list: unknown): [string, string][] {
  if (!Array.isArray(list)) return [];
  return list.map(fields).flatMap((each) => {
    const name = text(each["name"]);
    // Firefox joins cookies that are set with a line break.
    return text(each["value"]).split("\n")
      .map((value): [string, string] => [name, value]);
  }).filter(([name]) => name !== "" && !name.startsWith(":"));
}

function sentBody(post: Fields): SentBody | undefined {
  const type = text(post["mimeType"]);
  const written = text(post["text"]);
  if (written !== "") return { text: written, type };
  const params = Array.isArray(post["params"]) ? post["params"] : [];
  if (params.length === 0) return;
  const parts = params.map(fields).map((each): SentPart => ({
    name: text(each["name"]),
    text: text(each["value"]),
    type: text(each["contentType"]) || undefined,
    isFile: text(each["fileName"]) !== "",
  }));
  const pairs = parts.map(({ name = "", text }) => [name, text]);
  const form = pairs.flat().every((each) => ENCODED.test(each)) &&
      pairs.flat().some((each) => each.includes("%"))
    // Some tools write them as they were sent.
    ? pairs.map((pair) => pair.join("=")).join("&")
    : String(new URLSearchParams(pairs));
  return { text: form, type, parts };
}

/** Nothing that a form would have to escape. */
const ENCODED = /^(?:[\w*.+-]|%[\dA-F]{2})*$/i;

function contentText(content: Fields): string | undefined {
  if (typeof content["text"] !== "string") return;
  if (content["encoding"] !== "base64") return text(content["text"]);
  try {
    return new TextDecoder("utf-8", { fatal: true })
      .decode(Uint8Array.fromBase64(content["text"]));
  } catch {
    return;
  }
}

/** A shorter pause is one of the client, such as to draw a page. */
const SHORTEST_PAUSE_MS = 1_000;

/** The pauses of the user, in milliseconds before the nth exchange, to a tenth of a second. */
export function pausesOf(exchanges: readonly Exchange[]): Map<number, number> {
  let idleSince = Infinity;
  return new Map(exchanges.flatMap(({ began, ended }, index) => {
    const pause = began - idleSince;
    if (index === 0 || ended > idleSince) idleSince = ended;
    return pause >= SHORTEST_PAUSE_MS
      ? [[index, Math.round(pause / 100) * 100] as const]
      : [];
  }));
}

/** The requests of a recording that are the user's. */
interface Journey {
  readonly exchanges: readonly Exchange[];
  /** The requests that were left out, in words. */
  readonly leftOut: readonly string[];
}

const STATIC_RESOURCE =
  /^(?:stylesheet|script|image|imageset|font|media|manifest|texttrack|ping|preflight|beacon|csp-violation-report)$/;
const STATIC_TYPE =
  /^(?:text\/css|(?:text|application)\/(?:x-)?javascript|image\/.*|font\/.*|audio\/.*|video\/.*|application\/(?:wasm|font-.*|x-font-.*|vnd\.ms-fontobject|manifest\+json))$/;
const STATIC_PATH =
  /\.(?:css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm|wasm|webmanifest)$/i;

/**
 * The requests that are the user's: of the site whose page was opened,
 * without static files, checks of browsers (CORS), connections that stay open and
 * what was cut off.
 */
export function journeyOf(all: readonly Exchange[]): Journey {
  const site = mainSite(all);
  const { exchanges = [], other = [], ...groups } = Object.groupBy(
    all,
    (each) => {
      if (siteOf(each.url.hostname) !== site) return "other";
      if (isSocket(each)) return "sockets";
      if (each.resource === "eventsource") return "streams";
      if (isPreflight(each)) return "preflights";
      if (isStatic(each)) return "statics";
      if (!/^[A-Z]+(?:-[A-Z]+)*$/.test(each.method)) return "odd";
      return each.status === 0 ? "broken" : "exchanges";
    },
  );
  const hosts = [...Map.groupBy(other, ({ url }) => url.hostname)]
    .map(([host, { length }]) => `${host} (${length})`).join(", ");
  return {
    exchanges,
    leftOut: [
      ...counted(groups.statics, "static file"),
      ...hosts === "" ? [] : [`left out: requests to other sites: ${hosts}`],
      ...counted(groups.sockets, "WebSocket", ": a `ws` step speaks to one"),
      ...counted(groups.streams, "event stream", ", which has no end"),
      ...counted(groups.preflights, "CORS preflight"),
      ...counted(groups.broken, "request", " without a response"),
      ...counted(groups.odd, "request", " with a method that no flow has"),
    ],
  };
}

/** Of the first page; without one, of most requests that are no static files. */
function mainSite(all: readonly Exchange[]): string {
  const page = all.find(({ resource, status = 0 }) =>
    resource === "document" && status > 0
  );
  if (page) return siteOf(page.url.hostname);
  const dynamic = all.filter((each) => !isStatic(each) && !isSocket(each));
  const [most] = byNumber(
    (dynamic.length > 0 ? dynamic : all).map(({ url }) => siteOf(url.hostname)),
  );
  if (most) return most;
  throw new Refused("there is no request in the recording");
}

function counted(
  { length }: readonly Exchange[] = [],
  what: string,
  how = "",
): string[] {
  const ending = length === 1 ? "" : "s";
  return length > 0 ? [`left out: ${length} ${what}${ending}${how}`] : [];
}

/** Some browsers record the request that opens one, others its `wss://` URL. */
function isSocket({ url, status, resource }: Exchange): boolean {
  return /^wss?:$/.test(url.protocol) || status === 101 ||
    resource === "websocket";
}

function isPreflight({ method, headers }: Exchange): boolean {
  return method === "OPTIONS" &&
    headerValue(headers, "access-control-request-method") !== undefined;
}

function isStatic({ method, url, resource, responseType }: Exchange): boolean {
  if (method !== "GET" && method !== "HEAD") return resource === "ping";
  return STATIC_RESOURCE.test(resource) || STATIC_TYPE.test(responseType) ||
    STATIC_PATH.test(url.pathname);
}

/** `api.shop.example.co.uk` and `www.example.co.uk` are one site. */
function siteOf(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return host;
  const labels = host.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const underCountry = top.length === 2 && second.length <= 3;
  return labels.slice(underCountry ? -3 : -2).join(".");
}
