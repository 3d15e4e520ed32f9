import type { OutgoingHttpHeaders } from "node:http2";
import {
  type Authorizer,
  fieldNames,
  type RequestDraft,
} from "../auth/scheme.ts";
import type { Scope } from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import { TOKEN } from "../../base/values/field_names.ts";
import type { Origin } from "../../wire/net/origin.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { GrpcBlock } from "./block.ts";
import type { OpenTools } from "../protocol.ts";

/** Makes the header fields of one call, pseudo-header fields first. */
export type MetadataMaker = (
  origin: Origin,
  message: Uint8Array,
  scope: Scope,
) => OutgoingHttpHeaders;

type Pair = readonly [name: string, value: TextTemplate];

/**
 * Prepares the header fields of a call (gRPC over HTTP/2, "Requests"). What is
 * the same for every call is written once.
 *
 * @throws {RequestError} when a constant value cannot stand in metadata
 */
export function prepareMetadata(
  block: GrpcBlock,
  path: string,
  tools: OpenTools,
): MetadataMaker {
  const { authorizer, names, timeoutMs, userAgent } = tools;
  const fixed: Record<string, string> = {
    te: "trailers",
    "content-type": "application/grpc",
    "grpc-timeout": timeoutValue(timeoutMs),
  };
  const headers = block.headers ?? {};
  const declared = Object.keys(headers).sort();
  const taken = [
    ...declared.map((name) => name.toLowerCase()),
    ...fieldNames(authorizer),
  ];
  if (!taken.includes("user-agent")) {
    fixed["user-agent"] = userAgent;
  }
  const pairs: Pair[] = [
    ...declared.filter((name) => headers[name] !== "")
      .map((name): Pair => [name, compileText(headers[name]!, names)]),
    ...authorizer?.headers ?? [],
    ...cookiePair(authorizer),
  ];
  const late: Pair[] = [];
  for (const [name, value] of pairs) {
    if (value.constant === undefined) late.push([name.toLowerCase(), value]);
    else put(fixed, name, value.constant);
  }
  return (origin, message, scope) => {
    const fields: Record<string, string> = {
      ":method": "POST",
      ":scheme": origin.family,
      ":path": path,
      ":authority": origin.hostHeader,
      ...fixed,
    };
    for (const [name, value] of late) put(fields, name, value.render(scope));
    if (authorizer?.sign) {
      for (
        const [name, value] of authorizer.sign(draft(path, message), scope)
      ) {
        put(fields, name, value);
      }
    }
    return fields;
  };
}

/** The message alone is signed, without the five bytes that frame it. */
function draft(path: string, message: Uint8Array): RequestDraft {
  return { method: "POST", path, query: "", body: message };
}

function cookiePair(authorizer: Authorizer | undefined): Pair[] {
  if (!authorizer?.cookie) return [];
  const [name, value] = authorizer.cookie;
  return [["cookie", {
    ...(value.constant !== undefined &&
      { constant: `${name}=${value.constant}` }),
    render: (scope) => `${name}=${value.render(scope)}`,
  }]];
}

/** A name that stands twice, such as `cookie`, is one list. */
function put(
  fields: Record<string, string>,
  name: string,
  value: string,
): void {
  const lower = name.toLowerCase();
  const checked = checkedValue(lower, value);
  const before = fields[lower];
  fields[lower] = before === undefined
    ? checked
    : `${before}${lower === "cookie" ? "; " : ", "}${checked}`;
}

function checkedValue(name: string, value: string): string {
  if (!TOKEN.test(name)) {
    throw new RequestError(`\`${name}\` is not a metadata name`);
  }
  const mistake = metadataMistake(name, value);
  if (mistake) throw new RequestError(mistake);
  return name.endsWith("-bin") ? value.replace(/=+$/, "") : value.trim();
}

/** Why a value cannot be sent under `name`; undefined when it can. */
export function metadataMistake(
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
