import * as v from "valibot";
import { errorsOf } from "../../base/errors/bench_error.ts";
import { DURATION_PATTERN } from "../../base/values/duration.ts";
import { oneSpelling } from "../json_path/one_spelling.ts";
import { anyJson } from "../../base/values/json.ts";

/** A value that no assertion can be compared with. */
export const badValue = errorsOf("assertion-value");
/** A template that does not go with what is around it. */
export const badTemplate = errorsOf("assertion-template");

/** Comparison words of assertions. */
export const OPERATORS = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "matches",
] as const;
export type Operator = (typeof OPERATORS)[number];

const ORDER = "both are numbers, or both are durations, in that order";

/** When each holds, for people. */
export const OPERATOR_MEANING: Readonly<Record<Operator, string>> = {
  "==":
    'the values are equal; types count: `42` is not `"42"`; against a list that is written out, a path that may have several matches is the list of them: `$.items[*].id == [7]`',
  "!=": "the values are not equal",
  "<": ORDER,
  "<=": ORDER,
  ">": ORDER,
  ">=": ORDER,
  contains:
    "a string has the part, a list has the member, an object has the key; a path that may have several matches is the list of them, however many there are: `$.items[*].id contains 7`",
  matches: "the string matches the ECMAScript regular expression, anywhere",
};

/** Letter case does not count (RFC 9110 section 5.1), so there is one spelling. */
export const headerName = v.pipe(v.string(), v.toLowerCase());

/** A JSON path in its one spelling. */
export const jsonPath = v.pipe(v.string(), v.transform(oneSpelling));

const subject = v.variant("kind", [
  v.strictObject({ kind: v.literal("status") }),
  v.strictObject({ kind: v.literal("latency") }),
  v.strictObject({ kind: v.literal("body"), path: jsonPath }),
  v.strictObject({ kind: v.literal("header"), name: headerName }),
  v.strictObject({
    kind: v.literal("variable"),
    /** `name` or `name.path`, as in a template. */
    name: v.string(),
  }),
]);
/** The subject of an assertion. */
export type Subject = v.InferOutput<typeof subject>;

/** An assertion in the IR, strictly. */
export const assertionSchema = v.strictObject({
  subject,
  op: v.picklist(OPERATORS),
  /** A duration in microseconds when the subject is `latency`. */
  value: anyJson,
});
/** `<subject> <operator> <value>`. */
export type Assertion = v.InferOutput<typeof assertionSchema>;

const any = (words: readonly string[]) => `(?:${words.join("|")})`;

/**
 * A subject that begins with a word: up to an operator or white space, which only
 * names in brackets and quotes may hold.
 */
export const WORD_PATTERN =
  `[A-Za-z_](?:[^\\s=!<>\\[\\]]|\\[(?:'[^']*'|"[^"]*"|[^'"\\s]*)\\])*`;
const SUBJECT = `(\\$.*|(?!latency\\b)${WORD_PATTERN})`;
const TEMPLATE = "(['\"]?)\\s*\\{\\{[^{}]+\\}\\}\\s*['\"]?";
const DURATION = `['"]?${DURATION_PATTERN}['"]?`;
const SYMBOL = any(OPERATORS.filter((each) => !/[a-z]/.test(each)));
/** A pattern is written out. */
const WITH_TEMPLATE = any(OPERATORS.filter((each) => each !== "matches"));

/** The words and signs that join another condition, or a comment, to one without quotes. */
export const JOINT = "&&|\\|\\||\\s(?:and|or|AND|OR)\\s|[,;](?:[\\s$]|$)|\\s#";

/** The rough shape of an assertion as a regular expression, for editors. */
export const ASSERTION_PATTERN = `^(?![^"'[{]*(?:${JOINT}))\\s*(` +
  [
    `latency\\s*(${SYMBOL}\\s*(${DURATION}|${TEMPLATE})|!=\\s*null)\\s*$`,
    `${SUBJECT}\\s*${WITH_TEMPLATE}\\s*${TEMPLATE}\\s*$`,
    `${SUBJECT}\\s*${any(OPERATORS)}\\s*(?![\\s\\S]*\\{\\{)\\S`,
    `(\\$.*|${WORD_PATTERN})\\s+(exists|not_exists)\\s*$`,
  ].join("|") + ")";
