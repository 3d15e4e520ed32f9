import { percentDecoded } from "../../../lib/base/values/percent.ts";
import {
  child,
  isDeeper,
  type JsonLeaf,
  type JsonValue,
  leavesOf,
  withLeaves,
} from "../../../lib/base/values/json.ts";
import {
  bodyOf,
  cookiesIn,
  type FormPart,
  type HttpRequest,
  MOST_LEVELS,
  type MultipartField,
  multipartOf,
  type RequestBody,
} from "../draft/http_request.ts";
import type { Exchange } from "./recording.ts";
import { readJson } from "../../../lib/base/values/read_json.ts";
import type { DraftSource } from "../draft/draft.ts";
import { Parser } from "htmlparser2";
import { TOKEN } from "../../../lib/base/values/headers.ts";

/** A text or a number; one beyond 2^53 keeps its digits. */
export type PlainValue = string | number | bigint;

function isPlain(value: JsonValue): value is PlainValue {
  return ["string", "number", "bigint"].includes(typeof value);
}

/** A place in a request that holds a value. */
export interface SentValue {
  /** `path/2`, `query/q/0`, `cookie/sid`, `header/x-a`, `bearer`, `form/0`, `body/items/0/id`, `text/7`. */
  readonly at: string;
  readonly kind:
    | "path"
    | "query"
    | "cookie"
    | "header"
    | "bearer"
    | "form"
    | "body"
    | "text";
  /** The name of the value there. */
  readonly key: string;
  /** The names that lead to a value of a body. */
  readonly path?: readonly (string | number)[];
  readonly value: PlainValue;
}

/** Every place of a request that a value from elsewhere may be in. */
export function sentValues(exchange: Exchange): SentValue[] {
  const slots: SentValue[] = [];
  const { url, headers } = exchange;
  url.pathname.split("/").forEach((part, index, all) => {
    if (part === "") return;
    const key = all[index - 1] ?? "";
    slots.push({
      at: `path/${index}`,
      kind: "path",
      key,
      value: percentDecoded(part),
    });
  });
  [...url.searchParams].forEach(([key, value], index) => {
    slots.push({ at: `query/${index}`, kind: "query", key, value });
  });
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === "cookie") {
      for (const [key, each] of cookiesIn(value)) {
        slots.push({ at: `cookie/${key}`, kind: "cookie", key, value: each });
      }
    } else if (lower === "authorization") {
      const token = /^(?:bearer|token|jwt)\s+(.+)$/i.exec(value)?.[1];
      if (token === undefined) continue;
      slots.push({ at: "bearer", kind: "bearer", key: "token", value: token });
    } else {
      slots.push({ at: `header/${lower}`, kind: "header", key: name, value });
    }
  }
  const body = sentBody(exchange);
  formFields(body).forEach(([key, part], index) => {
    const value = textOf(part);
    if (value === undefined) return;
    slots.push({ at: `form/${index}`, kind: "form", key, value });
  });
  if (body && "text" in body) {
    wordsIn(body.text).forEach((value, index) => {
      slots.push({ at: `text/${index}`, kind: "text", key: "", value });
    });
  }
  if (!body || !("json" in body)) return slots;
  for (const leaf of leavesOf(body.json)) {
    const { value, key, path } = leaf;
    if (!isPlain(value)) continue;
    slots.push({ at: placeOf(leaf), kind: "body", key, path, value });
  }
  return slots;
}

/**
 * The words of a text between spaces, quotes and angle brackets, and behind each its
 * parts between marks: of `:112233}` in a line of JSON, the number.
 */
function wordsIn(text: string): string[] {
  return text.split(/[\s<>"']+/, MOST_WORDS).filter((each) => each !== "")
    .flatMap((word) => {
      const parts = word.split(/[=:,;&|/()[\]{}]+/).filter((each) =>
        each !== ""
      );
      return parts[0] === word ? [word] : [word, ...parts];
    }).slice(0, MOST_WORDS);
}

/** Words of one text that are looked at. */
const MOST_WORDS = 20_000;

/** The fields of a form, whichever way it is sent. */
function formFields(body: RequestBody | undefined): readonly MultipartField[] {
  if (!body) return [];
  return "form" in body ? body.form : "multipart" in body ? body.multipart : [];
}

/** Undefined for a file. */
function textOf(part: string | FormPart): string | undefined {
  if (typeof part === "string") return part;
  return "text" in part ? part.text : undefined;
}

function placeOf({ path }: JsonLeaf): string {
  return path.reduce<string>(child, "body");
}

function sentBody({ body }: Exchange): RequestBody | undefined {
  if (!body) return;
  if (body.parts && /^multipart\/form-data\b/i.test(body.type)) {
    return multipartOf(body.parts);
  }
  // Recordings have text alone: of such a body not the bytes that were sent.
  if (OF_BYTES.test(body.type)) {
    return { unsendable: "a file: write it as `file`" };
  }
  return body.text.includes("\ufffd")
    ? { unsendable: "a body that is no text: write it as `file`" }
    : bodyOf(body.text, body.type);
}

const OF_BYTES =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:octet-stream|pdf|zip|gzip|x-protobuf|vnd\.openxml))/i;

/**
 * The request with other values in some of its places.
 *
 * @param templates by place; `url` replaces all of the URL
 */
export function withTemplates(
  exchange: Exchange,
  templates: ReadonlyMap<string, string>,
): HttpRequest {
  const { method, url, headers } = exchange;
  const sent = sentBody(exchange);
  const whole = templates.get("url");
  return {
    method,
    url: whole ?? urlWith(url, templates),
    origin: url.origin,
    headers: headers.filter(([name]) => !FROM_BROWSERS.test(name)).map((
      [name, value],
    ): [string, string] => [name, headerWith(name, value, templates)]),
    ...(sent && {
      body: bodyWith(sent, templates),
    }),
  };
}

function bodyWith(
  sent: RequestBody,
  templates: ReadonlyMap<string, string>,
): RequestBody {
  if ("form" in sent) {
    return {
      form: sent.form.map(([name, value], index) =>
        [name, templates.get(`form/${index}`) ?? value] as const
      ),
    };
  }
  if ("multipart" in sent) {
    return {
      multipart: sent.multipart.map(([name, part], index) => {
        const text = templates.get(`form/${index}`);
        if (text === undefined) return [name, part] as const;
        return [name, typeof part === "string" ? text : { ...part, text }];
      }),
    };
  }
  if (!("json" in sent)) return sent;
  const json = withLeaves(
    sent.json,
    (leaf) => templates.get(placeOf(leaf)) ?? leaf.value,
  );
  return { json };
}

/** Headers in which a browser says things of itself and of the page it is on. */
const FROM_BROWSERS =
  /^(?:user-agent|accept-language|accept-encoding|referer|origin|cache-control|connection|content-length|host|pragma|sec-.*|upgrade-insecure-requests|dnt|priority|te|if-none-match|if-modified-since|x-requested-with-page)$/i;

function urlWith(url: URL, templates: ReadonlyMap<string, string>): string {
  const path = url.pathname.split("/")
    .map((part, index) => templates.get(`path/${index}`) ?? part).join("/");
  const raw = url.search.slice(1).split("&").filter((each) => each !== "");
  const query = raw.map((part, index) => {
    const template = templates.get(`query/${index}`);
    return template === undefined ? part : `${part.split("=")[0]}=${template}`;
  });
  return url.origin + path + (query.length > 0 ? `?${query.join("&")}` : "");
}

function headerWith(
  name: string,
  value: string,
  templates: ReadonlyMap<string, string>,
): string {
  const lower = name.toLowerCase();
  if (lower === "authorization") {
    const template = templates.get("bearer");
    return template === undefined
      ? value
      : `${value.split(/\s/)[0]} ${template}`;
  }
  if (lower !== "cookie") return templates.get(`header/${lower}`) ?? value;
  return value.split(/;\s*/).map((part) => {
    const [[key, each] = []] = cookiesIn(part);
    return key === undefined
      ? part
      : `${key}=${templates.get(`cookie/${key}`) ?? each}`;
  }).join("; ");
}

/** A value of a response, and how a flow takes it. */
export interface Source {
  /** Index of the exchange. */
  readonly exchange: number;
  readonly kind: "body" | "header" | "cookie" | "page";
  /** Its name there. */
  readonly key: string;
  readonly value: PlainValue;
  readonly from: DraftSource;
}

/** Values of one response that are looked at. */
const MOST_VALUES = 20_000;
/** Fields that say how, not what. */
const OF_TRANSPORT =
  /^(?:date|server|content-.*|connection|keep-alive|transfer-encoding|vary|cache-control|expires|pragma|strict-.*|x-powered-by|x-frame-.*|x-content-.*|x-xss-.*|access-control-.*|alt-svc|set-cookie|age|via|accept-ranges|last-modified)$/i;

/** Every value of a response that a later request may send. */
export function sourcesOf(exchange: Exchange, index: number): Source[] {
  const found: Source[] = [];
  const body = responseJson(exchange);
  for (const { value, path, key } of leavesOf(body)) {
    if (found.length >= MOST_VALUES) break;
    if (value === "" || !isPlain(value)) continue;
    const from = `$${path.map(member).join("")}`;
    found.push({ exchange: index, kind: "body", key, value, from });
  }
  for (const [name, value] of exchange.responseHeaders) {
    if (/^set-cookie$/i.test(name)) {
      const pair = value.split(";")[0]!;
      const at = pair.indexOf("=");
      const key = pair.slice(0, at).trim();
      const content = pair.slice(at + 1).trim();
      if (!TOKEN.test(key) || content === "") continue;
      const from = `cookie.${key}`;
      found.push({
        ...{ exchange: index, kind: "cookie", key },
        ...{ value: content, from },
      });
    } else if (
      TOKEN.test(name) && !OF_TRANSPORT.test(name) && value !== ""
    ) {
      const from = `header.${name}`;
      found.push({ exchange: index, kind: "header", key: name, value, from });
    }
  }
  return [...found, ...pageSources(exchange, index)];
}

/** The values that a page hands to the next request: hidden fields and `<meta>`. */
function pageSources(
  { responseText = "", responseType }: Exchange,
  exchange: number,
): Source[] {
  if (!/html/.test(responseType)) return [];
  const found: Source[] = [];
  new Parser({
    onopentag(tag, { name = "", value, content, type }) {
      const isField = tag === "input" &&
        /^(?:hidden|)$/i.test(type ?? "");
      if (!isField && tag !== "meta") return;
      const [attribute, text] = isField
        ? ["value", value]
        : ["content", content];
      if (!text || !NAME_IN_PAGE.test(name)) return;
      if (found.length >= MOST_VALUES) return;
      found.push({
        ...{ exchange, kind: "page", key: name, value: text },
        from: { css: `${tag}[name="${name}"]`, attribute: attribute! },
      });
    },
  }).end(responseText);
  return found;
}

/** Needs no escape in a selector. */
const NAME_IN_PAGE = /^[\w.:[\]-]{1,100}$/;

/** The response as JSON, whatever its media type says; null when it is none. */
function responseJson({ responseText, responseType }: Exchange): JsonValue {
  if (responseText === undefined) return null;
  if (!/json/.test(responseType) && !/^\s*[[{]/.test(responseText)) return null;
  try {
    const body = readJson(responseText);
    return isDeeper(body, MOST_LEVELS) ? null : body;
  } catch {
    return null;
  }
}

/** An index or a name in a path (RFC 9535 section 2.5). */
function member(name: string | number): string {
  if (typeof name === "number") return `[${name}]`;
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `.${name}`;
  const inside = JSON.stringify(name.toWellFormed()).slice(1, -1)
    .replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `['${inside}']`;
}
