import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import type { CapturedMessage } from "../../model/result/response.ts";
import { type Trace, trace, withMessages } from "../../model/result/trace.ts";
import type { Secrets } from "./secrets.ts";
import type { GenericSchema } from "valibot";
import { runMeta } from "../../model/result/run.ts";

declare const scrubbed: unique symbol;

/** A value that no registered secret is in. Only this file makes one. */
export type Redacted<T> = T & { readonly [scrubbed]: true };

/** Parts of a share that are the flow and its places, as the author wrote them. */
const WRITTEN = new Set(["facts", "plan", "places"]);

/**
 * A copy of `value`, plain JSON data, with the secrets of every string replaced.
 * Keys, numbers and booleans stay, and so do fields that hold the words of the
 * program or of the author of the flow.
 */
export function redact<T>(value: T, secrets: Secrets): Redacted<T> {
  return (secrets.size === 0 ? value : walk(value, "", secrets)) as Redacted<T>;
}

function walk(value: unknown, field: string, secrets: Secrets): unknown {
  if (typeof value === "string") {
    return isOwn(field) ? value : secrets.scrub(value);
  }
  if (Array.isArray(value)) {
    return value.map((each) => walk(each, field, secrets));
  }
  if (typeof value !== "object" || value === null) return value;
  if (isHistogramSet(value)) return value;
  if (isMessage(value)) return redactMessage(value, secrets);
  const step = stepOf(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      WRITTEN.has(key)
        ? each
        : step !== undefined && (key === "key" || key === "group")
        ? redactKey(String(each), step, secrets)
        : walk(each, key, secrets),
    ]),
  );
}

/** The step of a failure, or of the failure that a trace was kept for. */
function stepOf(value: object): string | undefined {
  const { step, group } = value as {
    readonly step?: unknown;
    readonly group?: unknown;
  };
  if (typeof step === "string") return step;
  return typeof group === "string" && "item" in value
    ? group.split("|", 1)[0]
    : undefined;
}

/** The key of a failure begins with the id of its step. */
function redactKey(key: string, step: string, secrets: Secrets): string {
  return key.startsWith(step)
    ? step + secrets.scrub(key.slice(step.length))
    : secrets.scrub(key);
}

/** Counts of the program, as HdrHistogram V2 in base64, where a short secret may be by chance. */
function isHistogramSet(value: object): boolean {
  const { service, response, throttled } = value as Readonly<
    Record<string, unknown>
  >;
  return [service, response, throttled].every((each) =>
    typeof each === "string" && /^HISTF[A-Za-z\d+/]+=*$/.test(each)
  );
}

function isMessage(value: object): value is CapturedMessage {
  return "line" in value && "headers" in value;
}

function redactMessage(
  { line, headers, body, ...rest }: CapturedMessage,
  secrets: Secrets,
): CapturedMessage {
  return {
    line: redactLine(line, secrets),
    headers: headers.map(([name, value]) => [
      secrets.scrub(name),
      secrets.scrub(value),
    ]),
    ...(body !== undefined && redactBody(body, rest, secrets)),
    ...rest,
  };
}

/** The method and the version of HTTP are no one's data. */
function redactLine(line: string, secrets: Secrets): string {
  const [, method, target, version] =
    /^(\S+ )(.*)( HTTP\/[\d.]+)$/s.exec(line) ?? [];
  return target === undefined
    ? secrets.scrub(line)
    : method + secrets.scrub(target) + version;
}

/**
 * A body that cannot be stored without its secrets is left out, with its hash.
 * One that is not text is looked at as bytes.
 */
function redactBody(
  body: string,
  { body_encoding, body_truncated }: CapturedMessage | Partial<CapturedMessage>,
  secrets: Secrets,
): Pick<CapturedMessage, "body" | "body_sha256"> {
  const cut = body_truncated === true;
  if (body_encoding !== "base64") {
    const clean = secrets.cleaned(body, cut);
    return clean === undefined
      ? { body_sha256: hash("sha256", body) }
      : { body: clean };
  }
  const bytes = Buffer.from(body, "base64");
  return secrets.isInBytes(bytes, cut)
    ? { body_sha256: hash("sha256", bytes) }
    : { body };
}

/**
 * A trace without secrets. Bodies are what a target sent: one that cannot be
 * redacted is left out, and ends no run.
 */
export function redactTrace(
  trace: Trace,
  secrets: Secrets,
): Redacted<Trace> {
  try {
    return redact(trace, secrets);
  } catch (error) {
    const body = `(not stored: ${(error as Error).name})`;
    const spans = withMessages(trace.spans, ({ body: _, ...message }) => ({
      ...message,
      body,
    }));
    return redact({ ...trace, spans }, secrets);
  }
}

/** Bytes of a captured body that are stored, a side, as UTF-8. */
const LIMIT = 64 * 1024;
const encoder = new TextEncoder();

/**
 * The trace with long bodies cut. Cutting comes after redaction, so that no
 * secret is cut in half and overlooked; what ends like the beginning of one since
 * then is redacted as well.
 */
export function cutBodies(
  trace: Redacted<Trace>,
  secrets: Secrets,
): Redacted<Trace> {
  return trace.spans.some(({ request, response }) =>
      isLong(request) || isLong(response)
    )
    ? {
      ...trace,
      spans: withMessages(
        trace.spans,
        (message) =>
          isLong(message) ? redactMessage(cut(message), secrets) : message,
      ),
    }
    : trace;
}

/** A trace as it is stored. */
export function storedTrace(
  trace: Trace,
  secrets: Secrets,
): Redacted<Trace> {
  return cutBodies(redactTrace(trace, secrets), secrets);
}

function isLong(message: CapturedMessage | undefined): boolean {
  const { body = "" } = message ?? {};
  // No character of UTF-16 takes more than three.
  return body.length * 3 > LIMIT && Buffer.byteLength(body) > LIMIT;
}

function cut(message: CapturedMessage): CapturedMessage {
  // As many whole characters as fit. The limit is a multiple of four, so that base64
  // stays whole groups.
  const { read } = encoder.encodeInto(message.body!, new Uint8Array(LIMIT));
  const body = message.body!.slice(0, read);
  return { ...message, body, body_truncated: true };
}

/**
 * JSON text that was stored, looked through once more: undefined when there is
 * nothing to redact in it. What is no JSON is one value.
 */
export function rescan(
  text: string,
  secrets: Secrets,
): Redacted<string> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const clean = secrets.scrub(text);
    return clean === text ? undefined : clean as Redacted<string>;
  }
  const clean = JSON.stringify(redact(value, secrets));
  return clean === JSON.stringify(value)
    ? undefined
    : clean as Redacted<string>;
}

/** The attributes of a span that the protocols and checks of a step write. */
const ATTRIBUTES = ["call", "check", "kind", "method", "operation", "session"];
/** Of a counted failure and of a share, which have no schema here. */
const COUNTED = ["pointer", "reason"];

const own = new Set([...ATTRIBUTES, ...COUNTED]);
const data = new Set<string>();
for (const schema of [runMeta, trace]) read(schema, "");

/**
 * Whether the strings of a field are the words of the program, or of the author of
 * the flow: step ids, expressions, paths, names of spans. Fields that no schema
 * says this of hold what came from elsewhere.
 */
export function isOwn(field: string): boolean {
  return own.has(field) && !data.has(field);
}

/** A schema as `valibot` makes it, as far as it has others inside. */
type Inside = Partial<{
  readonly type: string;
  readonly entries: Readonly<Record<string, GenericSchema>>;
  readonly options: readonly (GenericSchema | string)[];
  readonly item: GenericSchema;
  readonly items: readonly GenericSchema[];
  readonly wrapped: GenericSchema;
  readonly pipe: readonly { readonly type: string; metadata?: unknown }[];
}>;

/** @param field what a value of the schema is under, through any lists */
function read(schema: GenericSchema, field: string): void {
  const { type, entries = {}, options = [], item, items = [], wrapped, pipe } =
    schema as Inside;
  for (const [name, each] of Object.entries(entries)) read(each, name);
  for (const each of [...options, ...items, item, wrapped]) {
    if (typeof each === "object") read(each, field);
  }
  if (type === "picklist" || type === "literal") own.add(field);
  if (type !== "string") return;
  const isKnown = pipe?.some(({ type, metadata }) =>
    type === "iso_timestamp" || (metadata as { own?: boolean })?.own === true
  );
  (isKnown ? own : data).add(field);
}
