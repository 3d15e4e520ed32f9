import type { Secrets } from "./secrets.ts";
import { isFixedKey, isFixedValue } from "./vocabulary.ts";

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

/** The same text with those literals scrubbed. */
export function redactJsonText(text: string, secrets: Secrets): string {
  if (secrets.size === 0) return text;
  let out = "";
  let copied = 0;
  eachLiteral(text, (literal) => {
    if (!hides(literal, secrets)) return;
    out += text.slice(copied, literal.at) +
      JSON.stringify(secrets.scrub(literal.value));
    copied = literal.at + literal.length;
  });
  return out + text.slice(copied);
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
