import type { Pair, RequestDraft } from "../auth/scheme.ts";
import { declaredFields } from "../http/block.ts";
import type { Scope } from "../../language/expressions/template.ts";
import { TOKEN } from "../../base/values/headers.ts";
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
  const { authorizer, timeoutMs, userAgent } = tools;
  const { fields, isTaken, isSecret } = declaredFields(block, tools);
  const fixed: RequestField[] = [
    { name: "te", value: "trailers" },
    { name: "content-type", value: "application/grpc" },
    { name: "grpc-timeout", value: timeoutValue(timeoutMs) },
  ];
  if (!isTaken("user-agent")) {
    fixed.push({ name: "user-agent", value: userAgent });
  }
  const late: (readonly [...Pair, secret: boolean])[] = [];
  for (const [name, value] of fields) {
    const { constant } = value;
    const secret = isSecret(name);
    if (constant === undefined) late.push([name, value, secret]);
    else fixed.push(field(name, constant, secret));
  }
  const regular = new FieldBlock(fixed);
  const pseudo = pseudoFields("POST", path);
  if (late.length === 0 && !authorizer?.sign) {
    return (origin) => [pseudo(origin), regular];
  }
  return (origin, message, scope) => {
    const made: (FieldBlock | RequestField)[] = [pseudo(origin), regular];
    for (const [name, value, secret] of late) {
      const text = value.render(scope);
      if (text !== "") made.push(field(name, text, secret, "once"));
    }
    const signed = authorizer?.sign?.(draft(path, message), scope) ?? [];
    for (const [name, value] of signed) {
      if (value !== "") made.push(field(name, value, true));
    }
    return made;
  };
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
