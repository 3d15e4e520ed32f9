import { shellQuoted } from "../../lib/base/text/display.ts";
import { headerValue } from "../../lib/base/values/headers.ts";
import {
  type CapturedMessage,
  TEXT_FRAME,
} from "../../lib/model/result/response.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { SENT } from "../../lib/results/failures/exchange.ts";
import type { WaterfallRow } from "./waterfall.ts";

/** Characters of a frame that stand for it. */
const FRAME = 60;

/** A span in a line of text; empty where its name says everything. */
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
const UNTOLD = new Set(["kind", "attempts", "throttle_is_error"]);

/** `GET /items/{{ id }}`, `shop.Catalog/Get`: what its protocol calls it. */
function stepGist({ attributes = {} }: Span): string {
  return Object.entries(attributes)
    .filter(([name, value]) => !UNTOLD.has(name) && value !== "")
    .map(([, value]) => String(value)).join(" ");
}

/** `GET /items/1 → 200 OK`; what was sent and what came on a session. */
export function exchangeGist(span: Span): string {
  const { kind, request, response, failure } = span;
  if (kind === "frames") {
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
  if (body === undefined || line !== TEXT_FRAME) {
    return body === undefined ? line : `${line} ${cut(body)}`;
  }
  return cut(body);
}

/** `$.id == 7: integer 8`; `token = eyJh ($.token)`. */
function checkGist({ kind, label, attributes = {}, failure }: Span): string {
  if (kind === "contract" && failure) return failure.message;
  const { check, type, value } = attributes;
  const seen = failure?.actual ??
    (type === undefined ? undefined : { type, text: value ?? "" });
  const text = seen && cut(
    seen.text === "" ? String(seen.type) : String(seen.text),
  );
  if (kind === "extract") {
    const path = check === undefined ? "" : ` (${check})`;
    return text === undefined ? `${label}${path}` : `${label} = ${text}${path}`;
  }
  if (check === undefined) return failure?.message ?? "";
  return text === undefined ? String(check) : `${check}: ${text}`;
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > FRAME ? `${line.slice(0, FRAME)}…` : line;
}

/** A line of a trace for each part of a multipart body, whose bytes are not kept. */
const PART =
  /^name="([^"]*)"(?:; filename="([^"]*)")?(?:; (.+))?; (\d+ bytes?)$/;

/** A part of a multipart body, as HAR calls its facts. */
interface PartFacts {
  readonly name: string;
  readonly fileName?: string;
  readonly contentType?: string;
  /** Its size. */
  readonly comment: string;
}

/** The parts that a captured multipart body lists in place of its bytes; undefined for any other. */
export function partsOf(
  { headers, body = "" }: CapturedMessage,
): PartFacts[] | undefined {
  const type = headerValue(headers, "content-type") ?? "";
  if (!type.startsWith("multipart/form-data")) return;
  const lines = body.split("\n");
  const parts = lines.flatMap((line) => {
    const [, name, fileName, contentType, comment] = PART.exec(line) ?? [];
    if (name === undefined || comment === undefined) return [];
    return [{
      name,
      ...(fileName !== undefined && { fileName }),
      ...(contentType !== undefined && { contentType }),
      comment,
    }];
  });
  return parts.length === lines.length ? parts : undefined;
}

/** Headers that curl writes by itself. */
const WRITTEN_BY_CURL = new Set(["host", "content-length"]);

/**
 * A captured request as a curl command for a POSIX shell. What was redacted
 * stays `[redacted]`. Undefined for a request that is not HTTP, or whose body
 * is not text as it was sent.
 *
 * @param origin where it went, such as `https://host:8443`
 */
export function curlOf(
  request: CapturedMessage,
  origin: string,
): string | undefined {
  const { body, headers } = request;
  // The body of a gRPC call is kept as JSON, and not as it was sent.
  const match = /^([A-Z]+) (\S+) HTTP\/1\.\d$/.exec(request.line);
  if (!match) return;
  if (request.body_encoding === "base64" || request.body_truncated) return;
  if (request.headers_truncated || partsOf(request)) return;
  if (body === undefined && request.body_bytes) return;
  const [, method = "", path = ""] = match;
  const parts = [
    `curl${methodOption(method, body)}`,
    ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ["--path-as-is"] : []),
    // Else curl takes `[redacted]` for a range of addresses.
    ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
    shellQuoted(origin + path),
    ...headers.filter(([name]) => !WRITTEN_BY_CURL.has(name.toLowerCase()))
      .map(([name, value]) =>
        `-H ${shellQuoted(value === "" ? `${name};` : `${name}: ${value}`)}`
      ),
    ...(body === undefined ? [] : [
      // Else curl says that it is a form.
      ...(headerValue(headers, "content-type") === undefined
        ? ["-H 'Content-Type:'"]
        : []),
      `--data-raw ${shellQuoted(body)}`,
    ]),
  ];
  return parts.join(" \\\n  ");
}

/** With `-X HEAD` curl would wait for a body, and with data alone it sends POST. */
function methodOption(method: string, body: string | undefined): string {
  if (body === undefined && method === "GET") return "";
  return body === undefined && method === "HEAD" ? " --head" : ` -X ${method}`;
}

/** The trace without what was sent and received in bodies and frames. */
export function withoutBodies(trace: Trace): Trace {
  return {
    ...trace,
    spans: trace.spans.map(({ request, response, ...span }) => ({
      ...span,
      ...(request && { request: bodiless(request) }),
      ...(response && { response: bodiless(response) }),
    })),
  };
}

/** Its size stays. */
function bodiless(
  message: CapturedMessage,
): CapturedMessage {
  const {
    body: _,
    body_encoding: _e,
    body_truncated: _t,
    body_sha256: _h,
    ...rest
  } = message;
  return rest;
}

/** The metadata of a run without the bodies and frames that show its failures. */
export function withoutExcerpts(meta: RunMeta): RunMeta {
  return {
    ...meta,
    failures: meta.failures.map(({ exchange, ...failure }) => {
      const { request, response } = exchange ?? {};
      const lines = {
        // That of a frame is its text.
        ...(request !== undefined && !request.startsWith(SENT) && { request }),
        ...(response !== undefined && { response }),
      };
      return exchange ? { ...failure, exchange: lines } : failure;
    }),
  };
}

/** The traces as they are, or without bodies. */
export async function* maybeWithoutBodies(
  traces: AsyncIterable<Trace>,
  bodies: boolean,
): AsyncGenerator<Trace> {
  for await (const trace of traces) yield bodies ? trace : withoutBodies(trace);
}
