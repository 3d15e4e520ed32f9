import type { JsonValue } from "../../../lib/base/values/json.ts";
import { readJson } from "../../../lib/base/values/read_json.ts";
import type { DraftSource } from "../draft/draft.ts";
import { MOST_LEVELS } from "../draft/http_request.ts";
import { TOKEN } from "../../../lib/base/values/field_names.ts";
import { isDeeper, leavesOf } from "../../../lib/base/values/json_leaves.ts";
import type { Exchange } from "./har_file.ts";

/** A value of a response, and how a flow takes it. */
export interface Source {
  /** Index of the exchange. */
  readonly exchange: number;
  readonly kind: "body" | "header" | "cookie";
  /** What it is called there. */
  readonly key: string;
  readonly value: string | number;
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
    if (value === "") continue;
    if (typeof value !== "string" && typeof value !== "number") continue;
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
      const from = { from: "cookie", name: key } as const;
      found.push({
        exchange: index,
        kind: "cookie",
        key,
        value: content,
        from,
      });
    } else if (
      TOKEN.test(name) && !OF_TRANSPORT.test(name) && value !== ""
    ) {
      const from = { from: "header", name } as const;
      found.push({ exchange: index, kind: "header", key: name, value, from });
    }
  }
  return found;
}

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
