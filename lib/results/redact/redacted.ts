import { redactJsonText } from "./scan.ts";
import { MARK, type Secrets } from "./secrets.ts";
import { isFixedKey, isFixedValue } from "./vocabulary.ts";

declare const scrubbed: unique symbol;

/** A value that no registered secret is in. Only this file makes one. */
export type Redacted<T> = T & { readonly [scrubbed]: true };

/**
 * A copy of `value`, plain JSON data, with every secret replaced by
 * `[redacted]` in strings and object keys. Numbers and booleans stay, and so
 * do the format's own words (`vocabulary.ts`).
 */
export function redact<T>(value: T, secrets: Secrets): Redacted<T> {
  return (secrets.size === 0 ? value : walk(value, "", secrets)) as Redacted<T>;
}

/** JSON text likewise; everything outside its string literals stays as it is. */
export function redactText(json: string, secrets: Secrets): Redacted<string> {
  return redactJsonText(json, secrets) as Redacted<string>;
}

function walk(value: unknown, field: string, secrets: Secrets): unknown {
  if (typeof value === "string") {
    return isFixedValue(field, value, secrets.words)
      ? value
      : secrets.scrub(value);
  }
  if (Array.isArray(value)) {
    return value.map((each) => walk(each, field, secrets));
  }
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    const kept = isFixedKey(key, secrets.words)
      ? key
      : freeKey(copy, secrets.scrub(key));
    // `__proto__` is a key like any other in captured JSON.
    Object.defineProperty(copy, kept, {
      value: key === "body" && typeof each === "string"
        ? scrubBody(value, each, secrets)
        : walk(each, key, secrets),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

/** Two keys may read the same without their secrets; neither value is lost. */
function freeKey(taken: object, key: string): string {
  let free = key;
  for (let n = 2; Object.hasOwn(taken, free); n++) free = `${key} (${n})`;
  return free;
}

function scrubBody(message: object, body: string, secrets: Secrets): string {
  const { body_encoding, body_truncated } = message as {
    readonly body_encoding?: unknown;
    readonly body_truncated?: unknown;
  };
  const edges = { start: false, end: body_truncated === true };
  const scrub = (text: string) => secrets.scrub(text, edges);
  if (body_encoding !== "base64") return scrub(body);
  return scrub(insideBase64(body, scrub));
}

/** Rewrites what base64 text holds; text that is no base64 stays. */
function insideBase64(body: string, scrub: (text: string) => string): string {
  let binary: string;
  try {
    binary = atob(body);
  } catch {
    return body;
  }
  const clean = scrub(binary);
  return clean === binary || !clean.includes(MARK) ? body : btoa(clean);
}
