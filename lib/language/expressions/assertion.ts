import {
  type Assertion,
  badValue,
  type Subject,
  SUBJECTS,
  WORD_PATTERN,
} from "./assertion_ir.ts";
import {
  EXISTENCE,
  type Existence,
  type Operator,
  OPERATOR_NAMES,
  OPERATORS,
} from "./operator.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { exactDuration } from "../../base/values/duration.ts";
import { customaryName, TOKEN } from "../../base/values/headers.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { spellQuery } from "../json_path/one_spelling.ts";
import { pathIn } from "../json_path/path_reader.ts";
import { errorsOf, ExpressionError } from "../../base/errors/bench_error.ts";
import { checkApplies, checkTypes, refuseBareList } from "./assertion_types.ts";
import { parseValue, refuseJoined } from "./assertion_value.ts";
import { elsewhere, offeredBy } from "./elsewhere.ts";
import { formatReference, parseReference } from "./template.ts";

/*
 * assertion := subject ws ( operator ws value | "exists" | "not_exists" )
 * subject   := "status" | "latency" | "header." name | "cookie." name | "body"
 *              | "length(" path ")" | path | variable
 * operator  := a name of OPERATORS
 * value     := JSON scalar, list or object | quoted string | bare words | template
 * template  := "{{" reference "}}", the whole value
 *
 * `exists` is `!= null`, `not_exists` is `== null` (spec, Assertions 1 and 3).
 */

/** The statuses of a protocol by name, such as `NOT_FOUND` of gRPC. */
export type StatusNames = ReadonlyMap<string, number>;

/**
 * Reads one assertion.
 *
 * @param statuses names that stand for a status; the assertion gets its number
 * @param version of the flow file: in the first one `body` is a variable
 * @throws {ExpressionError} with the offset of the error
 */
export function parseAssertion(
  text: string,
  statuses?: StatusNames,
  version: 0 | 1 = 1,
): Assertion {
  const start = text.length - text.trimStart().length;
  const [subject, end] = readSubject(text, start, version);
  const [op, opEnd, opStart] = parseOperator(text, end, version);
  const rest = text.slice(opEnd).trim();
  const valueStart = text.length - text.slice(opEnd).trimStart().length;
  if (isExistence(op)) {
    if (rest !== "") {
      refuseJoined(text.slice(opEnd), 0, opEnd, false);
      throw badValue(
        `\`${op}\` takes no value`,
        valueStart,
        `remove \`${rest}\``,
      );
    }
    const sugar = { subject, op: op === "exists" ? "!=" : "==", value: null };
    return checkTypes(sugar as Assertion, { op: opStart, value: opStart });
  }
  if (rest === "") {
    throw badValue(
      `no value after \`${op}\``,
      opStart,
      "to YAML, a # after a space starts a comment: quote the assertion if the value has one",
    );
  }
  checkApplies({ subject, op }, opStart);
  const at = { op: opStart, value: valueStart, written: rest, version };
  if (OPERATORS[op].takes === "a list") {
    refuseBareList({ subject, op }, at, statuses);
  }
  const written = parseValue(subject, op, rest, valueStart);
  const number = (each: JsonValue) => statuses?.get(String(each)) ?? each;
  const value = subject.kind !== "status"
    ? written
    : Array.isArray(written)
    ? written.map(number)
    : number(written);
  return checkTypes({ subject, op, value }, at, statuses);
}

/**
 * The right side of an assertion as it is written, where it is a bare word that
 * could be a name: `token` or `user.id`, without quotes and braces.
 */
export function bareName(
  text: string,
  { value }: Assertion,
): string | undefined {
  return typeof value === "string" &&
      /^[A-Za-z_][\w-]*(?:\.[^\s."'[\]]+|\[-?\d+\])*$/.test(value) &&
      text.trimEnd().endsWith(value)
    ? value
    : undefined;
}

/** The assertion in its one spelling. */
export function formatAssertion(assertion: Assertion): string {
  const { subject, op, value } = assertion;
  const left = formatSubject(subject);
  if (value === null && (op === "!=" || op === "==")) {
    return `${left} ${op === "!=" ? "exists" : "not_exists"}`;
  }
  return `${left} ${op} ${formatValue(subject, value)}`;
}

export function formatSubject(subject: Subject): string {
  switch (subject.kind) {
    case "body":
      return subject.path;
    case "header":
      return `header.${customaryName(subject.name)}`;
    case "cookie":
      return `cookie.${subject.name}`;
    case "length":
      return `length(${subject.path})`;
    case "variable":
      return subject.name;
    case "text":
      return "body";
    case "status":
    case "latency":
      return subject.kind;
  }
}

function formatValue(subject: Subject, value: JsonValue): string {
  if (subject.kind === "latency" && typeof value === "number") {
    return exactDuration(value);
  }
  // A value that holds `{{` is one template; see `parseAssertion`.
  return typeof value === "string" && value.includes("{{")
    ? value
    : JSON.stringify(value);
}

const WORD = new RegExp(`^${WORD_PATTERN}(?=[\\s=!<>]|$)`);
const badSubject = errorsOf("assertion-subject");

/** Returns the subject with where it ends. */
function readSubject(
  text: string,
  start: number,
  version: 0 | 1,
): [Subject, number] {
  if (text.startsWith(LENGTH, start)) {
    const { query, end } = pathIn(
      text,
      start + LENGTH.length - 1,
      ")",
    );
    const closing = text.slice(end).search(/\S|$/) + end;
    if (text[closing] !== ")") {
      throw badSubject("`length(` needs a `)` behind its path", closing);
    }
    return [{ kind: "length", path: spellQuery(query) }, closing + 1];
  }
  if (text[start] === "$") {
    const { query, end } = pathIn(text, start);
    return [{ kind: "body", path: spellQuery(query) }, end];
  }
  const rest = text.slice(start);
  const template = /^\{\{\s*(.*?)\s*\}\}(.*)$/s.exec(rest);
  if (template) {
    const [, name = "", more = ""] = template;
    const [, op, path] = /^\s*(\S+)\s*(\$\S*)\s*$/.exec(more) ?? [];
    throw badSubject(
      `a template is the right side of an assertion, but {{ ${name} }} is the left one`,
      start,
      path
        ? `turn it round: \`${path} ${op} {{ ${name} }}\``
        : /^(?:env|user)\b/.test(name)
        ? `write it on the right: \`$.path == {{ ${name} }}\``
        : `a variable has no braces there: \`${name}${more}\``,
    );
  }
  const length = WORD.exec(rest)?.[0].length ?? rest.search(/[\s=!<>]|$/);
  const end = start + length;
  if (start === end && start < text.length) {
    throw badSubject(
      "an assertion begins with its subject, but this one has none before the operator",
      start,
      rest.startsWith("!")
        ? elsewhere("subject", "not")
        : subjectsHint(version),
    );
  }
  return [parseSubject(text.slice(start, end), start, version), end];
}

const LENGTH = "length($";

function parseSubject(
  text: string,
  offset: number,
  version: 0 | 1,
): Subject {
  if (text === "status" || text === "latency") return { kind: text };
  if (version > 0) {
    if (text === "body") return { kind: "text" };
    const cookie = /^cookie\.([^\s;=]+)$/.exec(text)?.[1];
    if (cookie !== undefined) return { kind: "cookie", name: cookie };
  }
  if (/^header\./i.test(text)) {
    const name = text.slice("header.".length);
    if (TOKEN.test(name)) {
      // Letter case does not count (RFC 9110 section 5.1).
      return { kind: "header", name: name.toLowerCase() };
    }
    throw badSubject(`"${name}" is not a header name`, offset);
  }
  const variable = parseReference(text);
  if (variable) return { kind: "variable", name: formatReference(variable) };
  throw badSubject(
    text === ""
      ? "an assertion is `<subject> <operator> <value>`, but this one is empty"
      : `"${text}" is not a subject of an assertion`,
    offset,
    text.startsWith(".")
      ? `did you mean \`$${text}\`?`
      : /^[1-5]\d\d$/.test(text)
      ? `did you mean \`status == ${text}\`?`
      : withVersion(elsewhere("subject", text), version) ??
        subjectsHint(version),
  );
}

function subjectsHint(version: 0 | 1): string {
  const words = Object.values(SUBJECTS)
    .filter((each) => (each.version ?? 0) <= version)
    .map(({ written }) => written)
    .filter((each) => /^[a-z]/.test(each));
  return `subjects: ${
    words.join(", ")
  }, a JSON path starting with $, or an extracted variable`;
}

/** The operators between subject and value, and the two that take no value. */
export const OPERATOR_WORDS = [
  ...OPERATOR_NAMES,
  ...Object.keys(EXISTENCE) as Existence[],
];
type Word = Operator | Existence;

/** The way out where an operator is written in words: `not contains`, `! in`, `is equal to`. */
function meantByWords(text: string): string | undefined {
  const words = /^!\s*[a-z]|^[a-z]+(?=\s)/i.test(text)
    ? text.replace(/^!\s*/, "not ").split(/\s+/).slice(0, 3)
    : [];
  for (; words.length > 1; words.pop()) {
    const word = words.join("_").toLowerCase();
    // No "did you mean": that offers to write over the first of the words alone.
    const own = OPERATOR_WORDS.find((each) => each === word);
    const hint = elsewhere("operator", word);
    const meant = own ?? offeredBy(hint);
    if (meant !== undefined) return `write it as \`${meant}\``;
    if (hint !== undefined) return hint;
  }
}

/** Returns the operator with where it ends and starts. */
function parseOperator(
  text: string,
  from: number,
  version: 0 | 1,
): [Word, number, number] {
  const start = text.length - text.slice(from).trimStart().length;
  const token = /^(?:[=!<>~]+|[^\s=!<>,;&|]+)/.exec(text.slice(start))?.[0] ??
    "";
  const word = operatorOf(token);
  if (word) return [word, start + token.length, start];
  const known = OPERATOR_WORDS.filter((each) => sinceOf(each) <= version);
  const left = text.slice(0, from).trim();
  throw new ExpressionError(
    "assertion-operator",
    token === ""
      ? `no operator after \`${left}\``
      : `unknown operator \`${token}\``,
    token === "" ? from : start,
    piped(left, text.slice(start)) ?? withVersion(
      meantByWords(text.slice(start)) ?? elsewhere("operator", token),
      version,
    ) ??
      didYouMean(token, known) ??
      withVersion(meantSubject(left, token), version) ??
      `operators: ${known.join(", ")}`,
  );
}

/** The way out for `$.items | length == 3`. */
function piped(left: string, rest: string): string | undefined {
  return /^\|\s*(?:count|length|size)\b/.test(rest)
    ? elsewhere("operator", "count")?.replace("$.items", () => left)
    : undefined;
}

/** Whether a text is a subject that has a value of its own. */
function isSubjectOf(text: string): boolean {
  return /^(?:status$|header\.|\$[.[])/.test(text);
}

/** The way out where it is the subject that makes the word behind it no operator. */
function meantSubject(left: string, token: string): string | undefined {
  const size = /^(?:len|length|count|size)$/i.test(left) &&
    /^\$.*[^.]$/.test(token);
  if (size) return `write it as \`length(${token})\``;
  if (/^(?:\d[\d.]*|true|false|null)$/.test(token) && isSubjectOf(left)) {
    return `write it as \`${left} == ${token}\``;
  }
  if (/^exists?$|^not_exists?$/.test(left) && /^\$[.[]/.test(token)) {
    return `write it behind the subject: \`${token} ${
      left.startsWith("not") ? "not_exists" : "exists"
    }\``;
  }
  const hint = elsewhere("subject", left);
  const offered = offeredBy(hint);
  if (offered === undefined) return hint;
  // Another subject before any other word would not make that an operator.
  return /^\d+$/.test(token)
    ? `write it as \`${offered} == ${token}\``
    : undefined;
}

function operatorOf(text: string): Word | undefined {
  return OPERATOR_WORDS.find((each) => each === text);
}

/** Whether a word is a comparison with null. */
export function isExistence(word: Word): word is Existence {
  return word in EXISTENCE;
}

/** The version of the flow file that brought an operator. */
function sinceOf(word: Word): 0 | 1 {
  return isExistence(word) ? 0 : OPERATORS[word].version ?? 0;
}

/** A hint that says it where the word that it offers belongs to a later version. */
function withVersion(
  hint: string | undefined,
  version: 0 | 1,
): string | undefined {
  const [, offered = ""] = /^(?:did you mean|write it as) `([^`]+)`/
    .exec(hint ?? "") ?? [];
  const word = operatorOf(offered);
  const since = word ? sinceOf(word) : /^(?:length\(|cookie\.)/.test(offered);
  return Number(since) > version
    ? `${hint}${
      hint!.endsWith("`") ? ";" : ""
    } it belongs to version 1: add \`version: 1\``
    : hint;
}
