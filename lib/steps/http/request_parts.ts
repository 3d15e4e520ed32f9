import type { HeaderList } from "../../base/values/headers.ts";
import {
  compileText,
  type Names,
  NO_SCOPE,
  type Scope,
} from "../../language/expressions/template.ts";
import {
  checkField,
  checkMethod,
  checkName,
  checkTarget,
  checkValue,
  RequestError,
} from "../../wire/http1/request_head.ts";
import {
  FieldBlock,
  type RequestField,
} from "../../wire/http2/hpack/encoder.ts";
import { pseudoFields, type RequestFields } from "../../wire/http2/request.ts";
import type { Origin } from "../../wire/net/origin.ts";
import {
  encodeQueryValue,
  type ResolvedUrl,
  resolveUrl,
} from "../../wire/net/url.ts";
import type { Pair } from "../auth/scheme.ts";
import type { Cookies } from "../cookie_jar.ts";
import type { OpenTools } from "../protocol.ts";
import { compileUrl } from "../url_template.ts";
import { declaredFields, type HttpBlock } from "./block.ts";

/** A field as it is known before the run. */
interface PlannedField {
  readonly name: string;
  /** Absent when it is another one for each request. */
  readonly value?: string;
  /** A credential: no proxy on the way should keep it in a table. */
  readonly secret: boolean;
  /** Cookies that a VU keeps join it. */
  readonly isCookie: boolean;
  render(scope: Scope): string;
}

/**
 * Prepares the fields of a request for HTTP/2: those next to each other that are
 * the same for every request are one block, and what changes stays out of the
 * table. `Host` is `:authority` there (RFC 9113 section 8.3.1).
 *
 * @param target absent when it is another one for each request
 * @param planned the fields that come after `Host`; behind them are signatures
 * @param last the fields at the end
 * @returns makes them from those a request would have in HTTP/1.1
 */
function prepareHttp2Fields(
  method: string,
  target: string | undefined,
  planned: readonly PlannedField[],
  last: HeaderList,
): (origin: Origin, target: string, fields: HeaderList) => RequestFields {
  const pseudo = pseudoFields(method, target);
  const parts = planParts(planned);
  const end = new FieldBlock(
    last.map(([name, value]) => ({ name: name.toLowerCase(), value })),
  );
  return (origin, path, fields) => {
    const out: (FieldBlock | RequestField)[] = [pseudo(origin)];
    if (target === undefined) {
      out.push({ name: ":path", value: path, literal: "once" });
    }
    for (const part of parts) {
      if (typeof part !== "number") {
        out.push(part);
        continue;
      }
      const field = fields[1 + part]!;
      // As in HTTP/1.1, a field without a value is not sent.
      if (field[1] !== "") out.push(late(field, planned[part]!.secret));
    }
    const signed = fields.slice(
      1 + planned.length,
      fields.length - last.length,
    );
    for (const field of signed) {
      if (field[1] !== "") out.push(late(field, true));
    }
    out.push(end);
    return out;
  };
}

/** Blocks, and the positions of fields that change. */
function planParts(planned: readonly PlannedField[]): (FieldBlock | number)[] {
  const parts: (FieldBlock | number)[] = [];
  let known: RequestField[] = [];
  const flush = () => {
    if (known.length > 0) parts.push(new FieldBlock(known));
    known = [];
  };
  planned.forEach(({ name, value, secret }, at) => {
    if (value === undefined) {
      flush();
      parts.push(at);
      return;
    }
    const field = { name: name.toLowerCase(), value };
    known.push(secret ? { ...field, literal: "never" } : field);
  });
  flush();
  return parts;
}

function late(
  [name, value]: readonly [string, string],
  secret: boolean,
): RequestField {
  return {
    name: name.toLowerCase(),
    value,
    literal: secret ? "never" : "once",
  };
}

const encoder = new TextEncoder();

/** A request's head as parts, which are checked. */
export interface RequestParts {
  readonly method: string;
  readonly url: ResolvedUrl;
  /** Path and query as they are sent. */
  readonly target: string;
  /** `Host` first; without what frames a body. */
  readonly fields: HeaderList;
}

/** Makes the parts of each request. */
interface PreparedParts {
  /** Whether the parts are the same for every attempt, but for cookies that VUs keep. */
  readonly constant: boolean;
  /**
   * The step's own cookies, which those that a VU keeps join; absent when none
   * join, or when they are other ones for each request.
   */
  readonly cookies?: string | undefined;
  /**
   * @param body what is signed along with the head
   * @param jar of the VU; without it only cookies of the step are sent
   * @throws {RequestError} when a part that is new cannot be in a request
   */
  make(
    scope: Scope,
    body: string | Uint8Array,
    jar?: Cookies,
  ): RequestParts;
  /** The fields for HTTP/2. */
  http2(parts: RequestParts): RequestFields;
}

/**
 * Prepares the parts of a head. Those that are the same for every request are checked here.
 *
 * @throws {RequestError} when one of them cannot be in a request
 */
export function prepareParts(
  block: Pick<HttpBlock, "method" | "url" | "headers" | "query">,
  tools: OpenTools,
  /** The type of the body, when there is one. */
  bodyType: string | undefined,
): PreparedParts {
  const url = prepareUrl(block, tools);
  const declared = declaredFields(block, tools);
  const { authorizer, userAgent } = tools;
  const defaults: [string, string][] = [];
  if (!declared.isTaken("user-agent")) {
    defaults.push(["User-Agent", userAgent]);
  }
  if (bodyType !== undefined && !declared.isTaken("content-type")) {
    defaults.push(["Content-Type", bodyType]);
  }
  const { fields: own, cookieAt } = declared;
  const planned = own.map(([name, { constant, render }], at): PlannedField => ({
    name,
    ...(constant !== undefined && at !== cookieAt && { value: constant }),
    secret: declared.isSecret(name),
    isCookie: at === cookieAt,
    render,
  }));
  const { method } = block;
  const target = url.constant && targetOf(url.constant);
  checkMethod(method);
  if (target !== undefined) checkTarget(target);
  const makeFields = prepareFields(planned, defaults);
  const http2 = prepareHttp2Fields(method, target, planned, defaults);
  return {
    http2: ({ url: { origin }, target, fields }) =>
      http2(origin, target, fields),
    constant: url.constant !== undefined && !authorizer?.sign &&
      own.every(([, value]) => value.constant !== undefined),
    cookies: own[cookieAt]?.[1].constant,
    make(scope, body, jar) {
      const where = url.render(scope);
      const path = target ?? targetOf(where);
      if (target === undefined) checkTarget(path);
      const fields = makeFields(scope, where, jar);
      if (authorizer?.sign) {
        const { path, query } = where;
        const bytes = typeof body === "string" ? encoder.encode(body) : body;
        const draft = { method, path, query, body: bytes };
        const signed = authorizer.sign(draft, scope);
        for (const [name, value] of signed) checkField(name, value);
        fields.splice(1 + own.length, 0, ...signed);
      }
      return { method, url: where, target: path, fields };
    },
  };
}

type Field = readonly [name: string, value: string];

/**
 * Prepares the fields of a request, `Host` first: those that are the same for every
 * request are checked here, and the others when they are made.
 *
 * @param planned the fields that come after `Host`
 * @param last the fields at the end
 */
function prepareFields(
  planned: readonly PlannedField[],
  last: HeaderList,
): (scope: Scope, where: ResolvedUrl, jar: Cookies | undefined) => Field[] {
  const pattern = [
    HOST,
    ...planned.map(({ name, value = "" }): Field => [name, value]),
    ...last,
  ];
  for (const [name, value] of pattern) {
    checkName(name);
    checkValue(name, value);
  }
  const late = planned.map((field, at) => ({ ...field, at: 1 + at }))
    .filter(({ value }) => value === undefined);
  const host = hostFields();
  return (scope, where, jar) => {
    const fields = pattern.slice();
    fields[0] = host(where.origin);
    for (const { name, at, render, isCookie } of late) {
      const text = render(scope);
      const value = isCookie && jar ? jar.field(where, text) : text;
      checkValue(name, value);
      fields[at] = [name, value];
    }
    return fields;
  };
}

/** In the place of the field that the URL of each request decides. */
const HOST: Field = ["Host", ""];

/** Makes the field `Host`: one for as long as requests go to the same origin. */
function hostFields(): (origin: Origin) => Field {
  let last: Origin | undefined;
  let field = HOST;
  return (origin) => {
    if (origin !== last) {
      last = origin;
      field = [HOST[0], origin.hostHeader];
    }
    return field;
  };
}

/** Path and query as they are sent. */
function targetOf({ path, query }: ResolvedUrl): string {
  return query === "" ? path : `${path}?${query}`;
}

/** The URL of each attempt. */
interface PreparedUrl {
  /** Where it is the same for all. */
  readonly constant?: ResolvedUrl;
  render(scope: Scope): ResolvedUrl;
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
  const render = (scope: Scope): ResolvedUrl => {
    const resolved = locate(url.render(scope), tools);
    if (pairs.length === 0) return resolved;
    const added = pairs.map(([name, value]) =>
      `${name}=${encodeQueryValue(value.render(scope))}`
    ).join("&");
    const query = resolved.query === "" || resolved.query.endsWith("&")
      ? resolved.query + added
      : `${resolved.query}&${added}`;
    return { origin: resolved.origin, path: resolved.path, query };
  };
  const known = [url, ...pairs.map(([, value]) => value)]
    .every(({ constant }) => constant !== undefined);
  if (!known) return { render };
  const constant = render(NO_SCOPE);
  return { constant, render: () => constant };
}

/** A template can make a URL that is not one; that is the step's failure. */
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
