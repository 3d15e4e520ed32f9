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

/** A secret that is where it must not. Says where, never what. */
export interface Finding {
  /** 1-based line of the text. */
  readonly line: number;
  /** The nearest key before it, without secrets; empty when there is none. */
  readonly field: string;
  readonly kind: "key" | "value";
}

/** A string literal of JSON (RFC 8259 section 7), and the colon that makes it a key. */
const LITERAL = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;

/**
 * Finds secrets in the string literals of JSON text, keys and values. Numbers
 * are never looked at, so that a numeric secret does not hit a count. The text
 * may be cut off, as a file is that was being written.
 */
export function scanText(text: string, secrets: Secrets): Finding[] {
  const findings: Finding[] = [];
  let line = 1;
  let counted = 0;
  eachLiteral(text, (literal) => {
    if (!hides(literal, secrets)) return;
    for (; counted < literal.at; counted++) {
      if (text.charCodeAt(counted) === 10) line++;
    }
    const { kind, field } = literal;
    findings.push({ line, field: secrets.scrub(field), kind });
  });
  return findings;
}

/** JSON text with those literals scrubbed; everything else stays as it is. */
export function redactText(text: string, secrets: Secrets): Redacted<string> {
  if (secrets.size === 0) return text as Redacted<string>;
  let out = "";
  let copied = 0;
  eachLiteral(text, (literal) => {
    if (!hides(literal, secrets)) return;
    out += text.slice(copied, literal.at) +
      JSON.stringify(secrets.scrub(literal.value));
    copied = literal.at + literal.length;
  });
  return out + text.slice(copied) as Redacted<string>;
}

interface Literal {
  readonly value: string;
  readonly kind: "key" | "value";
  /** The key this value is under, through any lists; for a key the one before. */
  readonly field: string;
  readonly at: number;
  /** With its quotes. */
  readonly length: number;
}

function eachLiteral(text: string, visit: (literal: Literal) => void): void {
  let field = "";
  for (const match of text.matchAll(LITERAL)) {
    const raw = match[1]!;
    const value = raw.includes("\\") ? decode(raw) : raw;
    const kind = match[2] === undefined ? "value" : "key";
    visit({ value, kind, field, at: match.index, length: raw.length + 2 });
    if (kind === "key") field = value;
  }
}

function decode(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return raw;
  }
}

function hides(literal: Literal, secrets: Secrets): boolean {
  const { kind, field, value } = literal;
  const { words } = secrets;
  const fixed = kind === "key"
    ? isFixedKey(value, words)
    : isFixedValue(field, value, words);
  return !fixed && secrets.scrub(value) !== value;
}
