import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { Span } from "../../lib/model/result/trace.ts";
import type { WaterfallRow } from "./waterfall.ts";

/** Characters of a frame that stand for it. */
const FRAME = 60;

/** What happened in a span, in a line; empty where its name says everything. */
export function gistOf(
  { span, kind }: Pick<WaterfallRow, "span" | "kind">,
): string {
  switch (kind) {
    case "step":
      return stepGist(span);
    case "attempt":
      return span.failure?.message ?? "";
    case "call":
      return exchangeGist(span);
    case "check":
      return checkGist(span);
    case "phase":
    case "backoff":
      return "";
  }
}

/** Attributes of a step that say nothing of what it does. */
const OWN = new Set(["kind", "attempts", "throttle_is_error"]);

/** `GET /items/{{ id }}`, `shop.Catalog/Get`: what its protocol calls it. */
function stepGist({ attributes = {} }: Span): string {
  return Object.entries(attributes)
    .filter(([name, value]) => !OWN.has(name) && value !== "")
    .map(([, value]) => String(value)).join(" ");
}

/** `GET /items/1 → 200 OK`; what was sent and what came on a session. */
export function exchangeGist(span: Span): string {
  const { name, request, response, failure } = span;
  if (name === "frames") {
    const parts = [
      request && `sent ${frameGist(request)}`,
      response && `received ${frameGist(response)}`,
    ].filter((part) => part !== undefined);
    return parts.length === 0 ? failure?.message ?? "" : parts.join(", ");
  }
  const asked = request?.line.replace(/ HTTP\/[\d.]+$/, "");
  const came = statusGist(span) ?? failure?.message ?? "no response";
  return asked === undefined ? came : `${asked} → ${came}`;
}

/** The protocol's own status, where it has one beside that of HTTP. */
function statusGist({ attributes = {}, response }: Span): string | undefined {
  const { status, status_name } = attributes;
  if (status_name !== undefined) return `${status} ${status_name}`;
  if (response) return response.line.replace(/^HTTP\/[\d.]+ /, "");
  return status === undefined ? undefined : `status ${status}`;
}

function frameGist({ line, body }: CapturedMessage): string {
  if (body === undefined || line !== "text frame") {
    return body === undefined ? line : `${line} ${cut(body)}`;
  }
  return cut(body);
}

/** `$.id == 7: integer 8`; `token = eyJh ($.token)`. */
function checkGist({ name, attributes = {}, failure }: Span): string {
  const { check, type, value } = attributes;
  const seen = failure?.actual ??
    (type === undefined ? undefined : { type, text: value ?? "" });
  const text = seen && cut(
    seen.text === "" ? String(seen.type) : String(seen.text),
  );
  const [, variable] = /\.extract@(.*)$/.exec(name) ?? [];
  if (variable !== undefined) {
    const path = check === undefined ? "" : ` (${check})`;
    return text === undefined
      ? `${variable}${path}`
      : `${variable} = ${text}${path}`;
  }
  if (check === undefined) return failure?.message ?? "";
  return text === undefined ? String(check) : `${check}: ${text}`;
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > FRAME ? `${line.slice(0, FRAME)}…` : line;
}
