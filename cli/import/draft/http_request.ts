import {
  hasHalfCharacter,
  isDeeper,
  isObject,
  type JsonObject,
  type JsonValue,
  leavesOf,
} from "../../../lib/base/values/json.ts";
import type { HeaderList } from "../../../lib/base/values/headers.ts";
import { jsonError, readJson } from "../../../lib/base/values/read_json.ts";
import * as documentRules from "../../../lib/steps/graphql/document_rules.ts";
import { problemsOf } from "../../../lib/steps/graphql/graphql.ts";
import { isError } from "../../../lib/base/text/diagnostic.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { looksLikeCredential } from "./credentials.ts";
import {
  afterTemplate,
  beginsWithTemplate,
  hasTemplate,
  referenceOf,
} from "./template_text.ts";
import { betweenWords } from "./names.ts";

/** A request as it was seen or described, before it is a step. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute; may hold templates. */
  readonly url: string;
  /** Where a URL goes that a template begins. */
  readonly origin?: string;
  readonly headers: HeaderList;
  readonly body?: RequestBody;
}

/** The body of a request, or in words why it is left out. */
export type RequestBody =
  | { readonly json: JsonValue }
  | { readonly form: readonly FormField[] }
  | { readonly multipart: readonly MultipartField[] }
  | { readonly text: string }
  | { readonly file: string }
  | { readonly unsendable: string };

/** A field of a form, decoded; may hold templates. */
type FormField = readonly [name: string, value: string];

/** A part of a multipart form: its text, a text of a type, or a file as a flow names it. */
export type MultipartField = readonly [name: string, part: string | FormPart];
export type FormPart =
  | { readonly text: string; readonly type: string }
  | { readonly file: string; readonly type?: string; readonly name?: string };

/** Levels of lists and objects in a body: a flow file says no more. */
export const MOST_LEVELS = 60;

/** A body, by its media type and its text. */
export function bodyOf(
  text: string,
  mediaType: string | undefined,
): RequestBody | undefined {
  if (text === "") return;
  const type = (mediaType ?? "").split(";")[0]!.trim().toLowerCase();
  if (type === "multipart/form-data") return multipartOf(partsIn(text));
  if (type.startsWith("multipart/")) {
    return { unsendable: `a body of \`${type}\`` };
  }
  const json = jsonOf(text);
  const declaredForm = type === "application/x-www-form-urlencoded";
  if (json !== undefined && !declaredForm) {
    // A flow would send other bytes.
    if (!isKeptAsValue(text)) return { text };
    return hasHalfCharacter(json)
      ? { unsendable: "JSON with half a surrogate pair in it" }
      : { json };
  }
  if (declaredForm || (type === "" && /^[^\s={}]+=/.test(text))) {
    const fields = queryPairs(text) ?? [];
    const isForm = fields.length > 0 && isInOrder(fields);
    return isForm ? { form: fields } : { text };
  }
  return { text };
}

/**
 * Whether a text of JSON is one template and nothing else, of a variable that `is` so. A
 * request of GraphQL has none: its variables have types of their own.
 */
export function hasLeaf(
  json: JsonValue,
  is: (reference: string) => boolean,
): boolean {
  if (isObject(json) && typeof json["query"] === "string") return false;
  return leavesOf(json).some(({ value }) => {
    const reference = typeof value === "string"
      ? referenceOf(value)
      : undefined;
    return reference !== undefined && is(reference);
  });
}

/** A part of a multipart form as it was sent. */
export interface SentPart {
  /** Absent when the part does not say it. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly type?: string | undefined;
  readonly isFile: boolean;
}

/** The form of its parts; of a file only the name is certain, so such a form is left out. */
export function multipartOf(parts: readonly SentPart[]): RequestBody {
  const fields = parts.flatMap(({ name, text, type, isFile }) =>
    name === undefined || isFile || text.includes("\ufffd")
      ? []
      : [[name, type === undefined ? text : { text, type }] as const]
  );
  const isWhole = fields.length > 0 && fields.length === parts.length;
  return isWhole && isInOrder(fields) ? { multipart: fields } : {
    unsendable: `a multipart form${
      shownNames(parts.flatMap(({ name = [] }) => name))
    }: write it as \`multipart\``,
  };
}

/** The parts of a body (RFC 7578), which begins with its boundary. */
function partsIn(text: string): SentPart[] {
  const [boundary] = /^--[^\r\n]{1,70}/.exec(text) ?? [];
  if (boundary === undefined) return [];
  return `\n${text}`.split(`\n${boundary}`).slice(1)
    .filter((each) => !/^--\s*$/.test(each))
    .map((each) => {
      const [, head = "", content = ""] =
        /^[ \t]*\r?\n(?:([^]*?)\r?\n)?\r?\n([^]*?)\r?$/.exec(each) ?? [];
      const said = (pattern: RegExp) => pattern.exec(head)?.[1];
      return {
        name: said(PART_NAME)?.replaceAll(/\\(["\\])/g, "$1")
          .replaceAll("%22", '"'),
        text: content,
        type: said(/^content-type:[ \t]*(.*?)\r?$/im),
        isFile: /;[ \t]*filename\*?=/i.test(head),
      };
    });
}

const PART_NAME =
  /^content-disposition:[ \t]*form-data\b[^\r\n]*?;[ \t]*name="((?:[^"\\\r\n]|\\.)*)"/im;

/** Whether a flow can name the file: its path is one text, and no template. */
export function isFilePath(path: string): boolean {
  // deno-lint-ignore no-control-regex -- the question is whether it has any
  return path.trim() !== "" && !/[\x00-\x1f\x7f]|\{\{/.test(path) &&
    !hasTemplate(path);
}

/** Whether fields of one name follow each other, as those of a mapping do. */
export function isInOrder(
  fields: readonly (readonly [name: string, value: unknown])[],
): boolean {
  const names = fields.map(([name]) => name);
  return names.every((name, at) =>
    names.indexOf(name) === at || names[at - 1] === name
  );
}

/** ` (a, b, ...)`; nothing when none is sure to be a name. */
export function shownNames(all: readonly string[]): string {
  const names = all.filter((each) =>
    FIELD_NAME.test(each) && !looksLikeCredential(each)
  );
  const shown = names.slice(0, 8).join(", ");
  if (names.length === 0) return "";
  return ` (${shown}${names.length > 8 ? ", ..." : ""})`;
}

/** A text that is longer, or of other letters, may be the content itself. */
const FIELD_NAME = /^[\w.[\]-]{1,40}$/;

/** Whether nothing of JSON is lost in its value: of members of one name the last alone is. */
function isKeptAsValue(json: string): boolean {
  const code = jsonError(json, { keepsIntegers: true })?.code;
  return code !== "duplicate-key" && code !== "number-out-of-range";
}

/** @throws {Refused} for JSON that is nested too deep for a flow */
function jsonOf(text: string): JsonValue | undefined {
  let json: JsonValue;
  try {
    json = readJson(text);
  } catch {
    return;
  }
  if (isDeeper(json, MOST_LEVELS)) {
    throw new Refused(
      `a body has lists and objects more than ${MOST_LEVELS} levels deep`,
      "a flow file cannot say that: leave the request out",
    );
  }
  return json;
}

/** An URL with or without templates, in its parts. */
interface UrlParts {
  /** `https://host:port`; empty when a template begins the URL. */
  readonly origin: string;
  readonly path: string;
  readonly query: string;
  readonly userinfo: string;
}

/** Splits a URL; undefined for one that is not absolute. */
export function splitUrl(url: string): UrlParts | undefined {
  if (beginsWithTemplate(url)) {
    const [, path = "", query = ""] = PATH.exec(afterTemplate(url))!;
    return { origin: "", path: path || "/", query, userinfo: "" };
  }
  const found = /^(https?:\/\/)(?:([^/?#@]*)@)?([^/?#]+)/i.exec(url);
  if (!found) return;
  const [all, scheme = "", userinfo = "", host = ""] = found;
  const [, path = "", query = ""] = PATH.exec(url.slice(all.length))!;
  const origin = scheme + host;
  const known = hasTemplate(host) ? origin : URL.parse(origin)?.origin;
  return known === undefined
    ? undefined
    : { origin: known, path: path || "/", query, userinfo };
}

const PATH = /^([^?#]*)(?:\?([^#]*))?/;

/**
 * Query parameters, decoded. Undefined for what a mapping cannot say: one without `=`, and
 * bytes that are no text.
 */
export function queryPairs(query: string): [string, string][] | undefined {
  const parts = query.split("&").filter((each) => each !== "");
  if (!parts.every((each) => each.includes("="))) return;
  const pairs = [...new URLSearchParams(`?${query}`)];
  return pairs.flat().some((each) => each.includes("\ufffd"))
    ? undefined
    : pairs;
}

/** Name and value of each cookie of a `Cookie` field. */
export function cookiesIn(text: string): [string, string][] {
  return text.split(/;\s*/).filter((each) => each.includes("="))
    .map((each) => {
      const at = each.indexOf("=");
      return [each.slice(0, at).trim(), each.slice(at + 1)];
    });
}

/** How a document of GraphQL begins. */
export const OPERATION =
  /^\s*(?:#.*\n\s*)*(?:(query|mutation)\b\s*(\w+)?|fragment\b|\{)/;

/**
 * The block of a body that is a GraphQL request, and what the step is called. One
 * that a flow would refuse, such as two operations without a choice, is JSON like any.
 */
export function graphqlBlock(
  method: string,
  body: JsonValue | undefined,
  url: string,
): { readonly block: JsonObject; readonly name: string } | undefined {
  if (method !== "POST" || !isObject(body)) return;
  const { query, variables, operationName, ...others } = body;
  if (typeof query !== "string" || Object.keys(others).length > 0) return;
  const found = OPERATION.exec(query);
  // A document is never templated, and neither is the name of an operation.
  if (!found || hasTemplate(query) || query.includes("{{")) return;
  if (operationName !== undefined && !isName(operationName)) return;
  const block = {
    query,
    ...(isObject(variables) && Object.keys(variables).length > 0 &&
      { variables }),
    ...(operationName !== undefined && { operation_name: operationName }),
  };
  if (problemsOf(block, documentRules).some(isError)) return;
  const [, kind = "query", name] = found;
  const operation = operationName ?? name;
  return {
    name: operation === undefined
      ? `graphql-${kind}`
      : betweenWords(operation, "-"),
    block: { url, ...block },
  };
}

function isName(value: JsonValue): value is string {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}
