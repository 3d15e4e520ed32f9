import { TRACEPARENT, traceParent } from "../trace_context.ts";
import {
  type Authorizer,
  fieldNames,
  type RequestDraft,
} from "../auth/scheme.ts";
import type { Scope } from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import {
  joinedText,
  partOf,
  type TextPart,
  type TextTemplate,
} from "../../language/expressions/text_template.ts";
import { isCredentialField, TOKEN } from "../../base/values/field_names.ts";
import {
  FieldBlock,
  type RequestField,
} from "../../wire/http2/hpack/encoder.ts";
import { pseudoFields, type RequestFields } from "../../wire/http2/request.ts";
import type { Origin } from "../../wire/net/origin.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { GrpcBlock } from "./block.ts";
import type { OpenTools } from "../protocol.ts";

/** Makes the header fields of one call, pseudo-header fields first. */
type MetadataMaker = (
  origin: Origin,
  message: Uint8Array,
  scope: Scope,
) => RequestFields;

type Pair = readonly [name: string, value: TextTemplate];

/**
 * Prepares the header fields of a call (gRPC over HTTP/2, "Requests"). What is
 * the same for every call is put together once.
 *
 * @throws {RequestError} when a constant value cannot be in metadata
 */
export function prepareMetadata(
  block: GrpcBlock,
  path: string,
  tools: OpenTools,
): MetadataMaker {
  const { authorizer } = tools;
  const secret = credentialNames(authorizer);
  const fixed: RequestField[] = [];
  const late: Pair[] = [];
  for (const [name, value] of merged(pairsOf(block, tools))) {
    const { constant } = value;
    if (constant === undefined) late.push([name, value]);
    else fixed.push(field(name, constant, secret.has(name)));
  }
  const regular = new FieldBlock([...defaults(block, tools), ...fixed]);
  const pseudo = pseudoFields("POST", path);
  if (late.length === 0 && !authorizer?.sign) {
    return (origin) => [pseudo(origin), regular];
  }
  return (origin, message, scope) => {
    const fields: (FieldBlock | RequestField)[] = [pseudo(origin), regular];
    for (const [name, value] of late) {
      fields.push(field(name, value.render(scope), secret.has(name), "once"));
    }
    const signed = authorizer?.sign?.(draft(path, message), scope) ?? [];
    for (const [name, value] of signed) fields.push(field(name, value, true));
    return fields;
  };
}

/** What every call says; its own fields may replace the User-Agent. */
function defaults(
  { headers = {} }: GrpcBlock,
  { authorizer, timeoutMs, userAgent }: OpenTools,
): RequestField[] {
  const taken = [
    ...Object.keys(headers).map((name) => name.toLowerCase()),
    ...fieldNames(authorizer),
  ];
  const fields: RequestField[] = [
    { name: "te", value: "trailers" },
    { name: "content-type", value: "application/grpc" },
    { name: "grpc-timeout", value: timeoutValue(timeoutMs) },
  ];
  if (!taken.includes("user-agent")) {
    fields.push({ name: "user-agent", value: userAgent });
  }
  return fields;
}

function pairsOf(
  { headers = {} }: GrpcBlock,
  { authorizer, names, traceparent }: OpenTools,
): Pair[] {
  const declared = Object.keys(headers).sort()
    .filter((name) => headers[name] !== "")
    .map((name): Pair => [name, compileText(headers[name]!, names)]);
  return [
    ...declared,
    ...authorizer?.headers ?? [],
    ...cookiePair(authorizer),
    ...traceparent &&
        !Object.keys(headers).some((each) => each.toLowerCase() === TRACEPARENT)
      ? [[TRACEPARENT, traceParent] as const]
      : [],
  ];
}

function cookiePair(authorizer: Authorizer | undefined): Pair[] {
  if (!authorizer?.cookie) return [];
  const [name, value] = authorizer.cookie;
  return [["cookie", joinedText([`${name}=`, partOf(value)])]];
}

/** A name that is given twice, such as `cookie`, is one list. */
function merged(pairs: readonly Pair[]): Pair[] {
  const parts = new Map<string, TextPart[]>();
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    const before = parts.get(lower);
    const comma = lower === "cookie" ? "; " : ", ";
    if (before) before.push(comma, partOf(value));
    else parts.set(lower, [partOf(value)]);
  }
  return [...parts].map(([name, each]): Pair => [name, joinedText(each)]);
}

/** Fields whose value no proxy on the way should keep in a table. */
function credentialNames(authorizer: Authorizer | undefined): {
  has(name: string): boolean;
} {
  const own = new Set(fieldNames(authorizer));
  if (authorizer?.cookie) own.add("cookie");
  return { has: (name) => own.has(name) || isCredentialField(name) };
}

/** The message alone is signed, without the five bytes that frame it. */
function draft(path: string, message: Uint8Array): RequestDraft {
  return { method: "POST", path, query: "", body: message };
}

function field(
  name: string,
  value: string,
  secret: boolean,
  literal?: "once",
): RequestField {
  const lower = name.toLowerCase();
  const checked = { name: lower, value: checkedValue(lower, value) };
  if (secret) return { ...checked, literal: "never" };
  return literal ? { ...checked, literal } : checked;
}

function checkedValue(name: string, value: string): string {
  if (!TOKEN.test(name)) {
    throw new RequestError(`\`${name}\` is not a metadata name`);
  }
  const error = metadataError(name, value);
  if (error) throw new RequestError(error);
  return name.endsWith("-bin") ? value.replace(/=+$/, "") : value.trim();
}

/** Why a value cannot be sent under `name`; undefined when it can. */
export function metadataError(
  name: string,
  value: string,
): string | undefined {
  if (name.toLowerCase().endsWith("-bin")) {
    return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(value)
      ? undefined
      : `the value of \`${name}\` must be base64, as every name that ends in -bin`;
  }
  return /^[\x20-\x7e]*$/.test(value)
    ? undefined
    : `the value of \`${name}\` has a character that metadata cannot hold: it takes printable ASCII`;
}

/** At most eight digits and a unit. */
function timeoutValue(ms: number): string {
  const micros = Math.round(ms * 1_000);
  const units: readonly (readonly [number, string])[] = [
    [1_000, "m"],
    [1, "u"],
    [1_000_000, "S"],
  ];
  for (const [size, unit] of units) {
    const count = micros / size;
    if (Number.isInteger(count) && count < 1e8) return `${count}${unit}`;
  }
  return `${Math.min(99_999_999, Math.ceil(ms / 1_000))}S`;
}
