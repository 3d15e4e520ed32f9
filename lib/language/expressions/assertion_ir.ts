import * as v from "valibot";
import { errorsOf } from "../../base/errors/bench_error.ts";
import { DURATION_PATTERN } from "../../base/values/duration.ts";
import { oneSpelling } from "../json_path/one_spelling.ts";
import { anyJson } from "../../base/values/json.ts";
import { EXISTENCE, OPERATOR_NAMES, OPERATORS } from "./operator.ts";

/** A value that no assertion can be compared with. */
export const badValue = errorsOf("assertion-value");
/** A template that does not go with what is around it. */
export const badTemplate = errorsOf("assertion-template");

/** Letter case does not count (RFC 9110 section 5.1), so there is one spelling. */
export const headerName = v.pipe(v.string(), v.toLowerCase());

/** A JSON path in its one spelling. */
export const jsonPath = v.pipe(v.string(), v.transform(oneSpelling));

const subject = v.variant("kind", [
  v.strictObject({ kind: v.literal("status") }),
  v.strictObject({ kind: v.literal("latency") }),
  v.strictObject({ kind: v.literal("body"), path: jsonPath }),
  v.strictObject({ kind: v.literal("header"), name: headerName }),
  // Letter case counts (RFC 6265 section 5.3).
  v.strictObject({ kind: v.literal("cookie"), name: v.string() }),
  /** The body as text. */
  v.strictObject({ kind: v.literal("text") }),
  /** How many items, members or characters there are. */
  v.strictObject({ kind: v.literal("length"), path: jsonPath }),
  v.strictObject({
    kind: v.literal("variable"),
    /** `name` or `name.path`, as in a template. */
    name: v.string(),
  }),
]);
/** The subject of an assertion. */
export type Subject = v.InferOutput<typeof subject>;

/** The type that values of a subject have before they are compared. */
type SubjectType =
  /** A number that is always there, or `length`, which is one where there is a value. */
  | "number"
  /** Text without a type: it is compared as what the other side is. */
  | "text"
  | "json";

/** The facts of a subject. */
interface SubjectRecord {
  readonly type: SubjectType;
  /** The version of the flow file that brought it; the first one when absent. */
  readonly version?: 1;
  /** Every response has it. */
  readonly always?: true;
  /** The part of a response that is read for it. */
  readonly reads: "status" | "headers" | "body" | "nothing";
  /** How the documentation writes it. */
  readonly written: string;
}

export const SUBJECTS: Readonly<Record<Subject["kind"], SubjectRecord>> = {
  status: { type: "number", always: true, reads: "status", written: "status" },
  latency: {
    type: "number",
    always: true,
    reads: "nothing",
    written: "latency",
  },
  header: { type: "text", reads: "headers", written: "header.<Name>" },
  cookie: {
    type: "text",
    version: 1,
    reads: "headers",
    written: "cookie.<name>",
  },
  text: { type: "text", version: 1, reads: "body", written: "body" },
  length: {
    type: "number",
    version: 1,
    reads: "body",
    written: "length(<path>)",
  },
  body: { type: "json", reads: "body", written: "$..." },
  variable: { type: "json", reads: "nothing", written: "<variable>" },
};

/** The version of the flow file that an assertion needs. */
export function versionOf({ subject, op }: Assertion): 0 | 1 {
  return SUBJECTS[subject.kind].version ?? OPERATORS[op].version ?? 0;
}

/** An assertion in the IR, strictly. */
export const assertionSchema = v.strictObject({
  subject,
  op: v.picklist(OPERATOR_NAMES),
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
const LENGTH = "length\\(\\$.*\\)";
const SUBJECT = `(\\$.*|${LENGTH}|(?!latency\\b)${WORD_PATTERN})`;
const TEMPLATE = "(['\"]?)\\s*\\{\\{[^{}]+\\}\\}\\s*['\"]?";
const DURATION = `['"]?${DURATION_PATTERN}['"]?`;
const SYMBOL = any(OPERATOR_NAMES.filter((each) => !/[a-z]/.test(each)));
/** A pattern is written out. */
const WITH_TEMPLATE = any(
  OPERATOR_NAMES.filter((each) => OPERATORS[each].takes !== "a pattern"),
);

/** The words and signs that join another condition, or a comment, to one without quotes. */
export const JOINT = "&&|\\|\\||\\s(?:and|or|AND|OR)\\s|[,;](?:[\\s$]|$)|\\s#";

const WORDS = any([
  ...OPERATOR_NAMES.filter((each) => /[a-z]/.test(each)),
  ...Object.keys(EXISTENCE),
]);

/** Another condition behind white space, a line break or a single `&` or `|`. */
const CONDITION = "\\s(?:[&|]\\s*)?(?=" +
  "(?:\\$[.[][^=!<>]{0,200}|(?:status|latency|header\\.[^\\s=!<>]{1,200})\\s*)(?:[=!<>]=|[<>])|" +
  `\\$[.[]\\S{0,200}\\s+${WORDS}(?:\\s|$))`;

/** Where text without quotes goes on with another condition, or with a comment. */
export const GOES_ON = new RegExp(`${JOINT}|${CONDITION}`);

/** Whether a text begins with a joint of which one side is enough. */
export function isOr(text: string): boolean {
  return /^(?:\|\|?|or\s)/i.test(text);
}

/** The rough shape of an assertion as a regular expression, for editors. */
export const ASSERTION_PATTERN = `^(?![^"'[{]*(?:${JOINT}))\\s*(` +
  [
    `latency\\s*(${SYMBOL}\\s*(${DURATION}|${TEMPLATE})|!=\\s*null)\\s*$`,
    `${SUBJECT}\\s*${WITH_TEMPLATE}\\s*${TEMPLATE}\\s*$`,
    `${SUBJECT}\\s*${any(OPERATOR_NAMES)}\\s*(?![\\s\\S]*\\{\\{)\\S`,
    `(\\$.*|${LENGTH}|${WORD_PATTERN})\\s+(exists|not_exists)\\s*$`,
  ].join("|") + ")";
