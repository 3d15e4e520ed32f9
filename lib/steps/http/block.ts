import * as v from "valibot";
import { isCredentialField, isInCookie } from "../../base/values/headers.ts";
import {
  compileAsText,
  compileText,
  joinedText,
  type Names,
  parseTemplate,
  partOf,
  quote,
  type Scope,
  type TextPart,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import { optional, type Value } from "../../language/fields/field.ts";
import { list } from "../../language/fields/list.ts";
import { filled, names } from "../../language/fields/scalars.ts";
import {
  noteTemplateInKey,
  templatedHeader,
  templatedText,
  templatedUrl,
} from "../../language/fields/templates.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { Authorizer, Pair } from "../auth/scheme.ts";
import type { OpenTools } from "../protocol.ts";
import { BODY_FIELDS, type BodyBlock } from "./body_fields.ts";

/** Where a request goes; it may hold templates, and is not empty. */
export const url: Value<string> = {
  ...filled(templatedUrl, "bad-url"),
  form: { type: "string", pattern: "\\S" },
};

/** `headers` of a step: each a line of text that may hold templates. */
export const headers = names(templatedHeader, {
  role: "headers",
  examples: [
    ...["Accept", "Accept-Language", "Content-Type", "Idempotency-Key"],
    ...["If-Match", "If-None-Match", "Origin", "Referer", "User-Agent"],
    ...["X-Request-Id", "X-Requested-With"],
  ],
  what: (key) => `header \`${key}\``,
});

const texts = list(templatedText);

/** A list of one sends what its item alone does. */
function oneOrMore<T>(values: T | T[]): T | T[] {
  return Array.isArray(values) && values.length === 1 ? values[0]! : values;
}

/** One value of a query parameter, or several. */
const parameter: Value<string | string[]> = {
  schema: v.pipe(
    v.union([templatedText.schema, texts.schema]),
    v.transform(oneOrMore),
  ),
  form: { anyOf: [templatedText.form, texts.form] },
  inside: { item: templatedText },
  parts: (value, pointer) => templatedText.parts!(value as string, pointer),
  read(slot) {
    const { node, pointer, reader } = slot;
    if (node.kind !== "list") return templatedText.read(slot);
    const [only, ...others] = node.items;
    if (only && others.length === 0) reader.locate(pointer, only.at);
    const read = texts.read(slot);
    return read && oneOrMore(read);
  },
};

const query = names(parameter, {
  role: "query",
  what: (key) => `query parameter \`${key}\``,
  noteKey: noteTemplateInKey,
});

/** The parts of a request besides method and URL. */
export const REQUEST_FIELDS = {
  headers: optional(headers, "request headers: names to scalars"),
  query: optional(
    query,
    "URL query parameters: names to scalars, or to lists of them",
  ),
  ...BODY_FIELDS,
};

/** One HTTP request as the IR says it. */
export interface HttpBlock extends BodyBlock {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string | string[]>;
}

/** The call as it is written, for traces. */
export function callFacts(
  { method, url }: Pick<HttpBlock, "method" | "url">,
): Readonly<Record<string, string>> {
  return { call: `${method} ${url}` };
}

/** The header fields that a step and its auth declare. */
interface DeclaredFields {
  readonly fields: readonly Pair[];
  /** Which of them cookies that a VU keeps join; -1 when they are not sent. */
  readonly cookieAt: number;
  /** Whether the default of this name, in lower case, is not sent. */
  isTaken(name: string): boolean;
  /** Whether it carries a credential: no proxy on the way should keep it in a table. */
  isSecret(name: string): boolean;
}

/** The field that names the trace of a request (W3C Trace Context): the iteration's. */
const TRACEPARENT = "traceparent";
const traceParent: Pair = [TRACEPARENT, {
  render: ({ traceparent = "" }: Scope) => traceparent,
}];

/**
 * Prepares declared fields in the order in which they travel: those of the step
 * (sorted, as in the IR), auth, trace. One that is empty is not sent, and takes
 * its default with it; where a template makes it so, `requestHead` and
 * its like leave it out.
 */
export function declaredFields(
  { headers = {} }: Pick<HttpBlock, "headers">,
  { names, authorizer, traceparent, keepsCookies = false }: OpenTools,
): DeclaredFields {
  const own = new Set(
    [
      ...(authorizer?.headers ?? []).map(([name]) => name),
      ...authorizer?.signs ?? [],
    ].map((name) => name.toLowerCase()),
  );
  const written = Object.keys(headers).sort();
  const taken = own.union(new Set(written.map((name) => name.toLowerCase())));
  const declared = written
    .map((name): Pair => [
      name,
      withoutOuterSpace(compileField(name, headers[name]!, names)),
    ])
    .filter(([, { constant }]) => constant !== "");
  if (authorizer?.cookie) own.add("cookie");
  const withAuth = withCookie(declared, authorizer?.cookie);
  // A `Cookie` that is declared empty sends none.
  const joins = keepsCookies && (authorizer?.cookie || !taken.has("cookie") ||
    cookieIn(withAuth) >= 0);
  const sent = joins && cookieIn(withAuth) < 0
    ? [...withAuth, NO_COOKIES]
    : withAuth;
  return {
    cookieAt: joins ? cookieIn(sent) : -1,
    fields: [
      ...sent,
      ...(authorizer?.headers ?? []).map(([name, value]): Pair => [
        name,
        withoutOuterSpace(value),
      ]),
      ...traceparent && !taken.has(TRACEPARENT) ? [traceParent] : [],
    ],
    isTaken: (name) => taken.has(name),
    isSecret: (name) => own.has(name.toLowerCase()) || isCredentialField(name),
  };
}

/** White space around a value is no part of it (RFC 9110 section 5.5). */
function withoutOuterSpace({ constant, render }: TextTemplate): TextTemplate {
  const inner = (text: string) =>
    text === text.trim() ? text : text.replace(/^[ \t]+|[ \t]+$/g, "");
  if (constant === undefined) {
    return { render: (scope) => inner(render(scope)) };
  }
  const text = inner(constant);
  return { constant: text, render: () => text };
}

function compileField(
  name: string,
  text: string,
  names: Names,
): TextTemplate {
  if (name.toLowerCase() !== "cookie") return compileText(text, names);
  let before = "";
  return joinedText(
    parseTemplate(text).map((part): TextPart => {
      if (typeof part === "string") {
        before += part;
        return part;
      }
      const value = compileAsText(part, names);
      return isInCookie(before) ? oneCookie(value, quote(part)) : value;
    }),
  );
}

/**
 * A value that cannot begin another cookie.
 *
 * @param what it is, for the message
 * @throws {RequestError} when a value that is known already would
 */
function oneCookie(value: TextPart, what: string): TextPart {
  if (typeof value !== "string") {
    return (scope) => oneCookie(value(scope), what) as string;
  }
  if (!value.includes(";")) return value;
  throw new RequestError(
    `The value of ${what} holds \`;\`, which would begin another cookie`,
  );
}

const NO_COOKIES: Pair = ["Cookie", { constant: "", render: () => "" }];

function cookieIn(fields: readonly Pair[]): number {
  return fields.findIndex(([name]) => name.toLowerCase() === "cookie");
}

/** One `Cookie` field, from a step or its auth (RFC 6265 section 5.4). */
function withCookie(
  declared: readonly Pair[],
  cookie: Authorizer["cookie"],
): readonly Pair[] {
  if (!cookie) return declared;
  const [name, value] = cookie;
  const own = [`${name}=`, oneCookie(partOf(value), `the cookie \`${name}\``)];
  const index = cookieIn(declared);
  const before = declared[index];
  if (!before) return [...declared, ["Cookie", joinedText(own)]];
  const joined = joinedText([partOf(before[1]), "; ", ...own]);
  return declared.with(index, [before[0], joined]);
}
