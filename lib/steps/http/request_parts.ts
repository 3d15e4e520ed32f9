import { isCredentialField } from "../../base/values/field_names.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { NO_SCOPE, type Scope } from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import {
  joinedText,
  partOf,
  type TextTemplate,
} from "../../language/expressions/text_template.ts";
import type { RequestFields } from "../../wire/http2/request.ts";
import type { ResolvedUrl } from "../../wire/net/url.ts";
import {
  type Authorizer,
  fieldNames,
  type RequestDraft,
} from "../auth/scheme.ts";
import type { OpenTools } from "../protocol.ts";
import { TRACEPARENT, traceParent } from "../trace_context.ts";
import type { HttpBlock } from "./block.ts";
import { type PlannedField, prepareHttp2Fields } from "./http2_fields.ts";
import { prepareUrl } from "./request_url.ts";

type Pair = readonly [name: string, value: TextTemplate];

const encoder = new TextEncoder();

/** A request's head as parts. */
export interface RequestParts {
  readonly url: ResolvedUrl;
  /** Path and query as they are sent. */
  readonly target: string;
  /** `Host` first; without what frames a body. */
  readonly fields: HeaderList;
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
  /** The same fields for HTTP/2. */
  http2(parts: RequestParts): RequestFields;
} {
  const url = prepareUrl(block, tools);
  const headers = prepareHeaders(block, tools, hasBody);
  const { authorizer } = tools;
  const http2 = prepareHttp2Fields(
    block.method,
    url.constant ? targetOf(url(NO_SCOPE)) : undefined,
    plannedFields(headers.declared, authorizer),
    headers.defaults,
  );
  return {
    http2: ({ url: { origin }, target, fields }) =>
      http2(origin, target, fields),
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
      return { url: where, target: targetOf(where), fields };
    },
  };
}

/** Path and query as they are sent. */
export function targetOf({ path, query }: ResolvedUrl): string {
  return query === "" ? path : `${path}?${query}`;
}

function plannedFields(
  declared: readonly Pair[],
  authorizer: Authorizer | undefined,
): PlannedField[] {
  const own = new Set(fieldNames(authorizer));
  if (authorizer?.cookie) own.add("cookie");
  return declared.map(([name, { constant }]) => ({
    name,
    ...(constant !== undefined && { value: constant }),
    secret: own.has(name.toLowerCase()) || isCredentialField(name),
  }));
}

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

/**
 * Declared and auth fields, and the defaults that neither has. A field
 * declared empty is not sent, and takes its default with it.
 */
function prepareHeaders(
  block: Pick<HttpBlock, "headers">,
  { names, authorizer, userAgent, traceparent }: OpenTools,
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
      ...traceparent && !taken.has(TRACEPARENT)
        ? [[TRACEPARENT, traceParent] as const]
        : [],
    ],
    defaults,
  };
}

/** One `Cookie` field, from a step or its auth (RFC 6265 section 5.4). */
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
