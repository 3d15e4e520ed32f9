import * as v from "valibot";
import { anyJson } from "../../model/ir/json_value.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { describe, type Entry, type Node } from "../../language/source/node.ts";
import {
  either,
  type Form,
  listOf,
  mappingOf,
  TEXT,
} from "../../language/source/form.ts";
import {
  readPayload,
  readTemplated,
  readTemplatedText,
} from "../../language/source/payload.ts";
import type { Offer } from "../../language/source/offer.ts";
import type { Reader } from "../../language/source/reader.ts";
import type { TemplatedField } from "../protocol.ts";

/** The fields every HTTP request block has; strings may hold templates. */
export const HTTP_FIELDS = {
  method: v.pipe(v.string(), v.regex(/^[A-Z]+$/)),
  url: v.pipe(v.string(), v.minLength(1)),
  headers: v.exactOptional(v.record(v.string(), v.string())),
  query: v.exactOptional(
    v.record(v.string(), v.union([v.string(), v.array(v.string())])),
  ),
  body: v.exactOptional(anyJson),
};

/** `"METHOD /path"` to an editor. */
export const CALL_FORM: Form = {
  type: "string",
  pattern: "^[A-Z]+ ([^\\s{]|\\{\\{[^}]*\\}\\}|\\{)+$",
};
/** How one begins, by the methods of RFC 9110 and RFC 5789 that have a use here. */
export const CALL_OFFER: Offer = {
  words: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
    .map((method) => `${method} /`),
};

export const HEADERS_FORM: Form = mappingOf(TEXT);
export const QUERY_FORM: Form = mappingOf(either(TEXT, listOf(TEXT)));

/** One HTTP request as the IR says it. */
export type HttpBlock = v.InferOutput<
  ReturnType<typeof v.strictObject<typeof HTTP_FIELDS>>
>;

/** The nodes an HTTP request is read from. */
export interface HttpSource {
  /** The `"METHOD /path"` shorthand. */
  readonly call: Node;
  readonly headers: Entry | undefined;
  readonly query: Entry | undefined;
  readonly body: Entry | undefined;
  /** JSON Pointer of the block. */
  readonly pointer: string;
}

/** Reads a request; every mistake is reported. */
export function readHttpBlock(
  source: HttpSource,
  reader: Reader,
): HttpBlock | undefined {
  const line = readCall(source, reader);
  const headers = readDeclaredHeaders(source.headers, source.pointer, reader);
  const query = source.query &&
    readQuery(source.query, child(source.pointer, "query"), reader);
  const body = source.body &&
    readPayload(source.body.value, child(source.pointer, "body"), reader);
  return line && {
    ...line,
    ...headers,
    ...(notEmpty(query) && { query }),
    ...(body !== undefined && { body }),
  };
}

/** The call as it is written, for traces. */
export function callFacts(
  { method, url }: Pick<HttpBlock, "method" | "url">,
): Readonly<Record<string, string>> {
  return { call: `${method} ${url}` };
}

/** Every string of the block that templates may stand in. */
export function httpTemplates(block: HttpBlock): TemplatedField[] {
  const fields: TemplatedField[] = [{ pointer: "/url", value: block.url }];
  for (const part of ["headers", "query"] as const) {
    for (const [name, value] of Object.entries(block[part] ?? {})) {
      fields.push({ pointer: child(`/${part}`, name), value });
    }
  }
  if (block.body !== undefined) {
    fields.push({ pointer: "/body", value: block.body });
  }
  return fields;
}

function readCall(
  { call, pointer }: HttpSource,
  reader: Reader,
): { method: string; url: string } | undefined {
  const at = child(pointer, "url");
  const text = readTemplated(call, "`call`", at, reader);
  reader.place(at, call.at);
  reader.place(child(pointer, "method"), call.at);
  if (text === undefined) return;
  const match = /^([A-Z]+) (\S.*)$/.exec(text);
  if (!match) {
    reader.report({ at: call.at, code: "bad-call", ...explainCall(text) });
    return;
  }
  const [, method = "", url = ""] = match;
  if (/\s/.test(url.replaceAll(/\{\{.*?\}\}/g, ""))) {
    reader.report({
      at: call.at,
      code: "bad-call",
      message: `the URL "${url}" has a space in it`,
      hint: "write a space as %20, or put values into `query`",
    });
    return;
  }
  return { method, url };
}

/** Why a text is no `"METHOD /path"`, and the way out. */
function explainCall(text: string): { message: string; hint: string } {
  const message = `\`call\` must be "METHOD /path", but it is "${text}"`;
  const [first = "", second] = text.trim().split(/\s+/);
  const isWord = /^[A-Za-z]+$/.test(first);
  const method = first.toUpperCase();
  const hint = second === undefined
    ? isWord
      ? `add the path: ${method} /path`
      : `put the method in front: GET ${first}`
    : isWord
    ? `did you mean "${method} ${second}"?`
    : "the method is upper case letters, then one space, then the URL";
  return { message, hint };
}

/**
 * The `headers` of a block: absent when none are declared.
 *
 * @param pointer JSON Pointer of the block
 */
export function readDeclaredHeaders(
  entry: Entry | undefined,
  pointer: string,
  reader: Reader,
): Pick<HttpBlock, "headers"> {
  const headers = entry &&
    readHeaders(entry, child(pointer, "headers"), reader);
  return notEmpty(headers) ? { headers } : {};
}

/** A mapping of header names to scalars. */
export function readHeaders(
  entry: Entry,
  pointer: string,
  reader: Reader,
): Record<string, string> {
  const headers: Record<string, string> = {};
  readPairs(entry, "`headers`", pointer, reader, (key, value, at) => {
    const text = readTemplatedText(value, `header \`${key}\``, at, reader);
    if (text !== undefined) headers[key] = text;
  });
  return headers;
}

function readQuery(
  entry: Entry,
  pointer: string,
  reader: Reader,
): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  readPairs(entry, "`query`", pointer, reader, (key, value, at) => {
    const what = `query parameter \`${key}\``;
    if (value.kind !== "list") {
      const text = readTemplatedText(value, what, at, reader);
      if (text !== undefined) query[key] = text;
      return;
    }
    query[key] = value.items.flatMap((item, index) =>
      readTemplatedText(item, what, child(at, index), reader) ?? []
    );
  });
  return query;
}

function readPairs(
  { value: node }: Entry,
  what: string,
  pointer: string,
  reader: Reader,
  each: (key: string, value: Node, pointer: string) => void,
): void {
  reader.place(pointer, node.at);
  if (node.kind !== "map" || node.unquotedTemplate) {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `${what} must be a mapping of names to values, but it is ${
        describe(node)
      }`,
    });
    return;
  }
  for (const { key, keyAt, value } of node.entries) {
    const at = child(pointer, key);
    reader.place(at, keyAt);
    each(key, value, at);
  }
}

function notEmpty(value: JsonObject | undefined): value is JsonObject {
  return value !== undefined && Object.keys(value).length > 0;
}
