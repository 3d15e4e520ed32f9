import { compilePayload } from "../../language/expressions/payload.ts";
import {
  type Names,
  NO_SCOPE,
  type Scope,
} from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import {
  joinedText,
  partOf,
  type TextTemplate,
} from "../../language/expressions/text_template.ts";
import {
  type Authorizer,
  fieldNames,
  type RequestDraft,
} from "../auth/scheme.ts";
import { RequestError, requestHead } from "../../wire/http1/request_head.ts";
import {
  encodeQueryValue,
  type ResolvedUrl,
  resolveUrl,
} from "../../wire/net/url.ts";
import type { HttpBlock } from "./block.ts";
import { compileUrl } from "./url_template.ts";
import type { OpenTools } from "../protocol.ts";

/** Bytes ready to be written, and where to. */
export interface ReadyRequest {
  readonly url: ResolvedUrl;
  /** Head and body. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Makes the request for one attempt. */
export type RequestMaker = (scope: Scope) => ReadyRequest;

type Pair = readonly [name: string, value: TextTemplate];

const encoder = new TextEncoder();

/**
 * Prepares a request: everything that is the same for every attempt is
 * computed here, down to the finished bytes when nothing changes at all.
 *
 * Fields travel in this order: Host, declared headers (sorted, as in the IR),
 * auth, User-Agent, Content-Type, Content-Length (design section 7).
 *
 * @param body the text of the body, where it is not the block's as JSON
 * @throws {RequestError} when a constant part cannot stand in a request
 */
export function prepareRequest(
  block: HttpBlock,
  tools: OpenTools,
  body: TextTemplate | undefined = bodyOf(block, tools),
): RequestMaker {
  const parts = prepareParts(block, tools, body !== undefined);
  const make: RequestMaker = (scope) => {
    const text = body?.render(scope) ?? "";
    const { url, target, fields } = parts.make(scope, text);
    if (body || ALWAYS_FRAMED.has(block.method)) {
      fields.push(["Content-Length", String(byteLength(text))]);
    }
    const head = requestHead(block.method, target, fields);
    return { url, bytes: encoder.encode(head + text) };
  };
  const constant = parts.constant &&
    (body === undefined || body.constant !== undefined);
  if (!constant) return make;
  const ready = make(NO_SCOPE);
  return () => ready;
}

/** A request's head as parts. */
export interface RequestParts {
  readonly url: ResolvedUrl;
  /** Path and query as they are sent. */
  readonly target: string;
  /** `Host` first; without what frames a body. */
  readonly fields: [name: string, value: string][];
}

/** Prepares the parts of a head; they are not checked for what may be sent. */
export function prepareParts(
  block: Omit<HttpBlock, "body">,
  tools: OpenTools,
  hasBody: boolean,
): {
  /** The same for every attempt. */
  readonly constant: boolean;
  /** @param body what is signed along with the head */
  make(scope: Scope, body: string): RequestParts;
} {
  const url = prepareUrl(block, tools);
  const headers = prepareHeaders(block, tools, hasBody);
  const { authorizer } = tools;
  return {
    constant: url.constant && !authorizer?.sign &&
      headers.declared.every(([, value]) => value.constant !== undefined),
    make(scope, body) {
      const where = url(scope);
      const fields: [string, string][] = [["Host", where.origin.hostHeader]];
      for (const [name, value] of headers.declared) {
        fields.push([name, value.render(scope)]);
      }
      if (authorizer?.sign) {
        const draft = draftOf(block.method, where, body);
        for (const [name, value] of authorizer.sign(draft, scope)) {
          fields.push([name, value]);
        }
      }
      fields.push(...headers.defaults);
      const { path, query } = where;
      const target = query === "" ? path : `${path}?${query}`;
      return { url: where, target, fields };
    },
  };
}

function bodyOf(
  { body }: HttpBlock,
  { names }: OpenTools,
): TextTemplate | undefined {
  return body === undefined ? undefined : compilePayload(body, names);
}

/** A body may be expected with these, so an empty one is said (RFC 9110 8.6). */
const ALWAYS_FRAMED: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

function draftOf(
  method: string,
  url: ResolvedUrl,
  body: string,
): RequestDraft {
  return {
    method,
    path: url.path,
    query: url.query,
    body: encoder.encode(body),
  };
}

function byteLength(text: string): number {
  // deno-lint-ignore no-control-regex -- the question is whether it is ASCII
  return /^[\x00-\x7f]*$/.test(text)
    ? text.length
    : encoder.encode(text).length;
}

interface PreparedUrl {
  (scope: Scope): ResolvedUrl;
  readonly constant: boolean;
}

/** The URL with the step's `query` and the auth scheme's parameter appended. */
function prepareUrl(
  block: Pick<HttpBlock, "url" | "query">,
  tools: OpenTools,
): PreparedUrl {
  const url = compileUrl(block.url, tools.names);
  const pairs = [
    ...queryPairs(block.query, tools.names),
    ...tools.authorizer?.query ?? [],
  ].map(([name, value]): Pair => [encodeQueryValue(name), value]);
  const resolve = (scope: Scope): ResolvedUrl => {
    const resolved = locate(url.render(scope), tools);
    if (pairs.length === 0) return resolved;
    const added = pairs.map(([name, value]) =>
      `${name}=${encodeQueryValue(value.render(scope))}`
    ).join("&");
    const query = resolved.query === "" ? added : `${resolved.query}&${added}`;
    return { origin: resolved.origin, path: resolved.path, query };
  };
  const constant = url.constant !== undefined &&
    pairs.every(([, value]) => value.constant !== undefined);
  if (!constant) return Object.assign(resolve, { constant });
  const resolved = resolve(NO_SCOPE);
  return Object.assign(() => resolved, { constant });
}

/** A template can make a URL that is none; that is the step's failure. */
function locate(rendered: string, { base }: OpenTools): ResolvedUrl {
  try {
    return resolveUrl(rendered, base);
  } catch (error) {
    throw new RequestError((error as Error).message);
  }
}

function queryPairs(query: HttpBlock["query"], names: Names): Pair[] {
  return Object.keys(query ?? {}).sort().flatMap((name) => {
    const value = query![name]!;
    const values = typeof value === "string" ? [value] : value;
    return values.map((each): Pair => [name, compileText(each, names)]);
  });
}

/**
 * Declared and auth fields, and the defaults that neither has. A field
 * declared empty is not sent, and takes its default with it.
 */
function prepareHeaders(
  block: Pick<HttpBlock, "headers">,
  { names, authorizer, userAgent }: OpenTools,
  hasBody: boolean,
): { declared: Pair[]; defaults: [string, string][] } {
  const written = Object.keys(block.headers ?? {}).sort();
  const taken = new Set([
    ...written.map((name) => name.toLowerCase()),
    ...fieldNames(authorizer),
  ]);
  const declared = written
    .filter((name) => block.headers![name] !== "")
    .map((name): Pair => [name, compileText(block.headers![name]!, names)]);
  const defaults: [string, string][] = [];
  if (!taken.has("user-agent")) {
    defaults.push(["User-Agent", userAgent]);
  }
  if (hasBody && !taken.has("content-type")) {
    defaults.push(["Content-Type", "application/json"]);
  }
  return {
    declared: [
      ...joinCookie(declared, authorizer),
      ...authorizer?.headers ?? [],
    ],
    defaults,
  };
}

/** One `Cookie` field, whoever asked for it (RFC 6265 section 5.4). */
function joinCookie(
  declared: readonly Pair[],
  authorizer: Authorizer | undefined,
): Pair[] {
  if (!authorizer?.cookie) return [...declared];
  const [name, value] = authorizer.cookie;
  const own = [`${name}=`, partOf(value)];
  const index = declared.findIndex(([each]) => each.toLowerCase() === "cookie");
  const before = declared[index];
  if (!before) return [...declared, ["Cookie", joinedText(own)]];
  const joined = joinedText([partOf(before[1]), "; ", ...own]);
  return declared.with(index, [before[0], joined]);
}
