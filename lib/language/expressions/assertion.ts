import { canonical } from "../../model/ir/canonical.ts";
import type { Assertion, Operator, Subject } from "../../model/ir/flow.ts";
import { OPERATORS } from "../../model/ir/flow.ts";
import { nearest } from "../../base/text/suggest.ts";
import { exactDuration, parseDuration } from "../../base/values/duration.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { pathEnd } from "../json_path/json_path.ts";
import { PathSyntaxError } from "../json_path/syntax.ts";
import { ExpressionError } from "./syntax_error.ts";
import { checkTypes, latencyHint } from "./assertion_types.ts";

/*
 * assertion := subject ws ( operator ws value | "exists" | "not_exists" )
 * subject   := "status" | "latency" | "header." name | path | variable
 * operator  := "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "matches"
 * value     := JSON scalar, list or object | quoted string | bare words
 *
 * `exists` is `!= null`, `not_exists` is `== null` (spec, Assertions 1 and 3).
 */

/** The rough shape of an assertion as a regular expression, for editors. */
export const ASSERTION_PATTERN = "^(?![\\s\\S]*\\{\\{)\\s*(" +
  "latency\\s*(==|!=|<=?|>=?)\\s*(null|['\"]?\\d+(\\.\\d+)?(us|ms|s|m|h)['\"]?)\\s*$|" +
  "(\\$.*|(?!latency\\b)[A-Za-z_][^\\s=!<>]*)\\s*" +
  "(==|!=|<=?|>=?|contains|matches)\\s*\\S|" +
  "(\\$.*|[A-Za-z_]\\S*)\\s(exists|not_exists)\\s*$" +
  ")";

/** The statuses of a protocol by name, such as `NOT_FOUND` of gRPC. */
export type StatusNames = ReadonlyMap<string, number>;

/**
 * Reads one assertion.
 *
 * @param statuses names that stand for a status; the assertion gets its number
 * @throws {ExpressionError} with the offset of the mistake
 */
export function parseAssertion(
  text: string,
  statuses?: StatusNames,
): Assertion {
  const start = text.length - text.trimStart().length;
  const [subject, end] = readSubject(text, start);
  const [op, opEnd, opStart] = parseOperator(text, end);
  const rest = text.slice(opEnd).trim();
  const valueStart = text.length - text.slice(opEnd).trimStart().length;
  if (op === "exists" || op === "not_exists") {
    if (rest !== "") {
      throw new ExpressionError(
        "assertion-value",
        `\`${op}\` takes no value`,
        valueStart,
        `remove \`${rest}\``,
      );
    }
    const sugar = { subject, op: op === "exists" ? "!=" : "==", value: null };
    return checkTypes(sugar as Assertion, opStart, opStart);
  }
  if (rest === "") {
    throw new ExpressionError(
      "assertion-value",
      `no value after \`${op}\``,
      opStart,
      "to YAML, a # after a space starts a comment: quote the assertion if the value has one",
    );
  }
  if (rest.includes("{{")) {
    throw new ExpressionError(
      "assertion-template",
      "assertions are not templated: the value is compared as it is written",
      text.indexOf("{{", opEnd),
      "extract the value into a variable and assert on the variable",
    );
  }
  const written = parseValue(subject, op, rest, valueStart);
  checkSayable(written, rest, valueStart);
  const value = subject.kind === "status" && statuses
    ? statuses.get(String(written)) ?? written
    : written;
  return checkTypes({ subject, op, value }, opStart, valueStart, statuses);
}

/** The assertion in its one spelling. */
export function formatAssertion(assertion: Assertion): string {
  const { subject, op, value } = assertion;
  return `${formatSubject(subject)} ${op} ${formatValue(subject, value)}`;
}

/** The subject as it is written. */
export function formatSubject(subject: Subject): string {
  switch (subject.kind) {
    case "body":
      return subject.path;
    case "header":
      return `header.${subject.name}`;
    case "variable":
      return subject.name;
    default:
      return subject.kind;
  }
}

function formatValue(subject: Subject, value: JsonValue): string {
  return subject.kind === "latency" && typeof value === "number"
    ? exactDuration(value)
    : JSON.stringify(value);
}

/** Returns the subject with where it ends. */
function readSubject(text: string, start: number): [Subject, number] {
  if (text[start] === "$") return readPathSubject(text, start);
  const length = text.slice(start).search(/[\s=!<>]|$/);
  const end = start + length;
  return [parseSubject(text.slice(start, end), start), end];
}

function readPathSubject(text: string, start: number): [Subject, number] {
  try {
    const end = pathEnd(text, start);
    return [{ kind: "body", path: text.slice(start, end) }, end];
  } catch (error) {
    if (!(error instanceof PathSyntaxError)) throw error;
    const { message, offset, hint } = error;
    throw new ExpressionError("json-path", message, offset, hint);
  }
}

function parseSubject(text: string, offset: number): Subject {
  if (text === "status" || text === "latency") return { kind: text };
  if (/^header\./i.test(text)) {
    const name = text.slice("header.".length);
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      return { kind: "header", name };
    }
    throw new ExpressionError(
      "assertion-subject",
      `"${name}" is not a header name`,
      offset,
    );
  }
  if (/^[A-Za-z_][A-Za-z0-9_-]*(\.[^\s.]+)*$/.test(text)) {
    return { kind: "variable", name: text };
  }
  throw new ExpressionError(
    "assertion-subject",
    text === ""
      ? "an assertion is `<subject> <operator> <value>`, but this one is empty"
      : `"${text}" is not something to assert on`,
    offset,
    text.startsWith(".") ? `did you mean \`$${text}\`?` : SUBJECTS,
  );
}

const SUBJECTS =
  "subjects: status, latency, header.<Name>, a JSON path starting with $, or an extracted variable";

const WORDS = [...OPERATORS, "exists", "not_exists"] as const;
type Word = Operator | "exists" | "not_exists";

/** Returns the operator with where it ends and starts. */
function parseOperator(text: string, from: number): [Word, number, number] {
  const start = text.length - text.slice(from).trimStart().length;
  const token = /^(?:[=!<>~]+|[^\s=!<>]+)/.exec(text.slice(start))?.[0] ?? "";
  const word = WORDS.find((each) => each === token);
  if (word) return [word, start + token.length, start];
  const near = token === "=" || token === "==="
    ? "=="
    : token === "!=="
    ? "!="
    : token === "=~" || token === "~"
    ? "matches"
    : nearest(token, WORDS);
  throw new ExpressionError(
    "assertion-operator",
    token === ""
      ? `no operator after \`${text.trim()}\``
      : `unknown operator \`${token}\``,
    token === "" ? from : start,
    near ? `did you mean \`${near}\`?` : `operators: ${WORDS.join(", ")}`,
  );
}

/** JSON.parse reads more than JSON can say: 1e400, and half of a surrogate pair. */
function checkSayable(value: JsonValue, text: string, offset: number): void {
  try {
    canonical(value);
  } catch (error) {
    const half = /surrogate/.test((error as Error).message);
    throw new ExpressionError(
      "assertion-value",
      half
        ? `${text} has half a surrogate pair in it, which is no character`
        : `${text} holds a number too large for JSON`,
      offset,
    );
  }
}

function parseValue(
  subject: Subject,
  op: string,
  text: string,
  offset: number,
): JsonValue {
  const unquoted = stripQuotes(text);
  if (subject.kind === "latency" && text !== "null") {
    try {
      return parseDuration(unquoted ?? text);
    } catch (error) {
      throw new ExpressionError(
        "bad-duration",
        `\`latency\` compares with a duration: ${(error as Error).message}`,
        offset,
        latencyHint(unquoted ?? text),
      );
    }
  }
  if (unquoted !== undefined) return unquoted;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A class such as [a-z] begins a pattern, not a list.
    const bare = op === "matches" ? /^[^"']/ : /^[^"'[{]/;
    if (bare.test(text)) return text;
    throw new ExpressionError(
      "assertion-value",
      `${text} is neither a bare word nor JSON`,
      offset,
      'quote a string as "..." or write valid JSON',
    );
  }
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
