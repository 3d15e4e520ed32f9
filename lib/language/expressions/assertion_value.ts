import { ExpressionError } from "../../base/errors/bench_error.ts";
import { durationHint, parseDuration } from "../../base/values/duration.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { walkJson } from "../../base/values/json_walk.ts";
import { type JsonError, jsonError } from "../../base/values/read_json.ts";
import {
  badTemplate,
  badValue,
  GOES_ON,
  isOr,
  type Subject,
  SUBJECTS,
} from "./assertion_ir.ts";
import { type Operator, OPERATORS } from "./operator.ts";
import {
  quote,
  type Reference,
  templatesIn,
  wholeReference,
} from "./template.ts";

const BRACES_AS_TEXT =
  "two braces that are text are a pattern in an assertion: `matches [{][{]`";

/** The template in its one spelling, quoted or not. */
function parseWholeTemplate(text: string, offset: number): string {
  const inside = /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
  let reference: Reference | undefined;
  try {
    reference = wholeReference(inside.trim());
  } catch (error) {
    const { message } = error as Error;
    const closes = /not closed/.test(message) ? "close it with }}; " : "";
    throw badTemplate(message, offset, closes + BRACES_AS_TEXT);
  }
  if (reference) return quote(reference);
  if ([...templatesIn(inside)].every(({ braces }) => braces !== undefined)) {
    throw badTemplate(
      "braces that are text cannot be compared with",
      offset,
      BRACES_AS_TEXT,
    );
  }
  throw badTemplate(
    "the right side of an assertion is one template or none",
    offset,
    "with other text around it, no value is compared: assert on the parts",
  );
}

/**
 * Reads the right side of an assertion.
 *
 * @throws {ExpressionError} with the offset of the error
 */
export function parseValue(
  subject: Subject,
  op: Operator,
  text: string,
  offset: number,
): JsonValue {
  const isPattern = OPERATORS[op].takes === "a pattern";
  const unquoted = stripQuotes(text);
  // What is no JSON may be bare text, whatever else JSON would not carry of it.
  const syntax = unquoted === undefined ? walkJson(text, {}) : undefined;
  if (syntax) {
    const isText = SUBJECTS[subject.kind].type !== "number" &&
      !/^["']|\{\{/.test(text);
    const end = valueEnd(isPattern, text, syntax.offset);
    refuseJoined(text, end, offset, isText);
  }
  if (text.includes("{{")) {
    return parseWholeTemplate(text, offset + text.indexOf("{{"));
  }
  if (subject.kind === "latency" && text !== "null") {
    try {
      return parseDuration(unquoted ?? text);
    } catch (error) {
      throw new ExpressionError(
        "bad-duration",
        `\`latency\` compares with a duration: ${(error as Error).message}`,
        offset,
        durationHint(unquoted ?? text),
      );
    }
  }
  if (unquoted !== undefined) return wellFormed(unquoted, text, offset);
  if (!isPattern && /^\$[.[]/.test(text)) {
    throw badValue(
      "the right side of an assertion is a value, not a path",
      offset,
      `\`extract\` it and compare with a template, or quote it if it is text: ${
        quoted(text)
      }`,
    );
  }
  const error = jsonError(text);
  if (!error) return JSON.parse(text) as JsonValue;
  if (!syntax || error.code === "nesting-too-deep") {
    throw unsayable(error, offset, SUBJECTS[subject.kind].type);
  }
  if (!isPattern) refuseTypographicQuotes(text, offset);
  // A class such as [a-z] begins a pattern, not a list.
  const bare = isPattern ? /^[^"']/ : /^[^"'[{]/;
  if (bare.test(text)) return text;
  throw badValue(
    `${text} is neither a bare word nor JSON`,
    offset,
    (subject.kind === "status"
      ? statusHint(/[1-5]xx/i.exec(text)?.[0] ?? "")
      : undefined) ?? wayOut(text),
  );
}

/** The way out for what begins as a string, a list or an object, and is none. */
function wayOut(text: string): string {
  const [mark = ""] = /^["']/.exec(text) ?? [];
  if (mark !== "") {
    const isClosed = text.length > 1 && text.endsWith(mark);
    const inside = text.slice(1, isClosed ? -1 : undefined)
      .replaceAll(`\\${mark}`, mark);
    return isClosed || !inside.includes(mark)
      ? `write ${quoted(inside)}`
      : `put all of it into quotes: ${quoted(text)}`;
  }
  const words = /^\[\s*([\w.-]+(?:\s*,\s*[\w.-]+)*)\s*\]$/.exec(text)?.[1];
  return words === undefined
    ? 'quote a string as "..." or write valid JSON'
    : `strings in a list have quotes: [${
      words.split(/\s*,\s*/).map(itemOf).join(", ")
    }]`;
}

/** The way out for what is written in place of a status. */
export function statusHint(written: string): string | undefined {
  const [, hundreds, number] = /^(?:([1-5])xx|(\d{3})\s.*)$/i.exec(written) ??
    [];
  return hundreds
    ? `a class is two items: \`status >= ${hundreds}00\` and \`status < ${
      Number(hundreds) + 1
    }00\``
    : number && `did you mean ${number}?`;
}

function itemOf(word: string): string {
  return jsonError(word) ? JSON.stringify(word) : word;
}

/** Refuses quotes that a word processor made: they would be a part of the text. */
function refuseTypographicQuotes(text: string, offset: number): void {
  const [, inside] = /^[“”„‘’«](.*)[“”‘’»]$/s.exec(text) ?? [];
  if (inside === undefined) return;
  throw badValue(
    `${text} is in typographic quotes, which are characters of a text`,
    offset,
    `write ${quoted(inside)}, or ${quoted(text)} if they belong to the text`,
  );
}

/**
 * Refuses text that goes on behind a value: another condition would become a part
 * of the value, and hold.
 *
 * @param from where the value ends at the earliest
 * @param isText all of the text may be meant as a value
 */
export function refuseJoined(
  text: string,
  from: number,
  offset: number,
  isText: boolean,
): void {
  const joint = GOES_ON.exec(text.slice(from));
  if (!joint) return;
  const rest = text.slice(from + joint.index).trimStart();
  const isComment = rest.startsWith("#");
  const shown = `\`${rest.trimEnd()}\``;
  const way = isComment
    ? "put a comment behind the quotes of the assertion"
    : /^[,;]+$/.test(rest.trimEnd())
    ? `remove the ${shown}`
    : "all items of a list have to hold: " +
      (!isOr(rest)
        ? "make it another item"
        : isText
        ? "for one of several texts write `matches ^(a|b)$`"
        : "there is no `or`");
  throw badValue(
    isComment
      ? `${shown} is read as a part of the value, not as a comment`
      : `an assertion is one condition, but ${shown} follows it`,
    offset + text.length - rest.length,
    isText ? `${way}, or quote the value if it is text: ${quoted(text)}` : way,
  );
}

/** Where the value ends that `text` begins with; 0 for bare text. */
function valueEnd(
  isPattern: boolean,
  text: string,
  syntaxErrorAt: number,
): number {
  const marked = /^(?:'[^']*'|["']?\{\{.*?\}\}["']?)/s.exec(text)?.[0];
  if (marked) return marked.length;
  // A class such as [a-z] begins a pattern, not a list.
  if (isPattern || !/^["[{]/.test(text)) return 0;
  const before = text.slice(0, syntaxErrorAt).trimEnd();
  return jsonError(before) ? text.length : before.length;
}

/** `text` in quotes, so that it is read as it is. */
export function quoted(text: string): string {
  return text.includes('"') && !text.includes("'")
    ? `'${text}'`
    : JSON.stringify(text);
}

/** JSON in form, but more than canonical JSON can hold. */
function unsayable(
  { message, number = "" }: JsonError,
  offset: number,
  type: (typeof SUBJECTS)[Subject["kind"]]["type"],
): ExpressionError {
  const hint = type === "number"
    ? undefined
    : /^-?\d+$/.test(number)
    ? `quote it: "${number}" is compared digit by digit`
    : /[1-9]/.test(String(Number(number)))
    ? `a decimal is compared as a double: ${Number(number)}`
    : undefined;
  return badValue(message, offset, hint);
}

function wellFormed(value: string, text: string, offset: number): string {
  if (value.isWellFormed()) return value;
  throw badValue(
    `${text} has half a surrogate pair in it, which is not a character`,
    offset,
  );
}

/** The text between matching quotes; escapes only as JSON has them. */
function stripQuotes(text: string): string | undefined {
  const quote = text[0];
  if (text.length < 2 || text.at(-1) !== quote) return undefined;
  if (quote === "'") {
    const inside = text.slice(1, -1);
    return inside.includes("'") ? undefined : inside;
  }
  if (quote !== '"') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    // A pattern such as "^\d+$" is no JSON string, but it is what was meant.
    const inside = text.slice(1, -1);
    return inside.includes('"') ? undefined : inside;
  }
}
