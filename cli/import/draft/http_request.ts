import type { JsonValue } from "../../../lib/base/values/json.ts";
import { readJson } from "../../../lib/base/values/read_json.ts";
import { withLeaves } from "../../../lib/base/values/json_leaves.ts";

/** A request as it was seen or described, before it is a step. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute; may hold templates. */
  readonly url: string;
  /** Where a URL goes that a template begins. */
  readonly origin?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: RequestBody;
}

/** JSON, or what else it is, in words: a flow sends JSON alone. */
export type RequestBody =
  | { readonly json: JsonValue }
  | { readonly unsendable: string };

/** What a body is, by its media type and its text. */
export function bodyOf(
  text: string,
  mediaType: string | undefined,
): RequestBody | undefined {
  if (text === "") return;
  const type = (mediaType ?? "").split(";")[0]!.trim().toLowerCase();
  if (type.startsWith("multipart/")) return { unsendable: "a multipart form" };
  const json = jsonOf(text);
  const declaredForm = type === "application/x-www-form-urlencoded";
  if (json !== undefined && !declaredForm) return { json };
  if (declaredForm || (type === "" && /^[^\s={}]+=/.test(text))) {
    return { unsendable: describeForm(text) };
  }
  return { unsendable: type === "" ? "text that is not JSON" : `\`${type}\`` };
}

/** A form by the names of its fields; its values may be credentials. */
function describeForm(text: string): string {
  const names = [...new Set(new URLSearchParams(`?${text}`).keys())];
  const shown = names.slice(0, 8).join(", ");
  return `a form (${shown}${names.length > 8 ? ", ..." : ""})`;
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    // Canonical JSON holds doubles: a longer integer keeps its digits as text.
    return withLeaves(
      readJson(text),
      ({ value }) => typeof value === "bigint" ? String(value) : value,
    );
  } catch {
    return;
  }
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
  const found =
    /^(?:(https?:\/\/)(?:([^/?#@]*)@)?([^/?#]+)|(?=\{\{))([^?#]*)(?:\?([^#]*))?/i
      .exec(url);
  if (!found) return;
  const [, scheme = "", userinfo = "", host = "", path = "", query = ""] =
    found;
  if (scheme !== "") {
    const origin = (scheme + host).toLowerCase()
      .replace(/^(http:.*):80$|^(https:.*):443$/, "$1$2");
    return { origin, path: path || "/", query, userinfo };
  }
  const rest = path.replace(/^\{\{[^{}]*\}\}/, "");
  return { origin: "", path: rest || "/", query, userinfo };
}

/** Query parameters, decoded. Undefined when one has no `=`, which a mapping cannot say. */
export function queryPairs(query: string): [string, string][] | undefined {
  const parts = query.split("&").filter((each) => each !== "");
  return parts.every((each) => each.includes("="))
    ? [...new URLSearchParams(`?${query}`)]
    : undefined;
}

/** Name and value of each cookie of a `Cookie` field. */
export function cookiesIn(text: string): [string, string][] {
  return text.split(/;\s*/).filter((each) => each.includes("="))
    .map((each) => {
      const at = each.indexOf("=");
      return [each.slice(0, at).trim(), each.slice(at + 1)];
    });
}
