import { shortened } from "../../base/text/display.ts";
import { readable } from "../../base/values/canonical.ts";
import { formatDuration, parseDuration } from "../../base/values/duration.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";
import { isNumber } from "../../base/values/numbers.ts";
import {
  formatAssertion,
  formatSubject,
  type StatusNames,
} from "./assertion.ts";
import { type Assertion, type Subject, SUBJECTS } from "./assertion_ir.ts";
import { numberIn, type Operand, OPERATORS, templateOf } from "./operator.ts";
import { quote } from "./template.ts";

/** How an assertion did not hold; the shape of a result's typed values. */
export interface Mismatch {
  readonly message: string;
  /** The assertion; `message` begins with it. */
  readonly check: string;
  readonly expected: Typed;
  readonly actual: Typed;
  /** The right side has no value, which says nothing of the response. */
  readonly unresolved?: true;
}

interface Typed {
  readonly type: string;
  readonly text: string;
  readonly operator?: string;
}

/** More that a response says. */
interface Seen {
  /** A value without a length, where that is what was asked for. */
  readonly sizeless?: JsonValue | undefined;
  /** The status with the reason that the server gives: `status NOT_FOUND (5): no such item`. */
  readonly statusText?: string | undefined;
  /** A string of digits is compared with numbers. */
  readonly longsAreText?: boolean | undefined;
}

export function explain(
  assertion: Assertion,
  actual: JsonValue | undefined,
  expected: Operand,
  statuses: StatusNames | undefined,
  { sizeless, statusText, longsAreText }: Seen = {},
): Mismatch {
  const { subject, op } = assertion;
  const template = templateOf(assertion);
  const named = subject.kind === "status" && !template ? statuses : undefined;
  const show = (value: JsonValue | undefined) =>
    shownValue(subject, value, named);
  const operand = expected.value === null
    ? { type: op === "==" ? "nothing" : "anything", text: "" }
    // An environment variable is a secret: its name says enough.
    : template?.root === "env"
    ? { type: "string", text: quote(template) }
    // What a variable holds has a unit only where its text has one.
    : template
    ? typedValue(expected.value)
    : show(expected.value);
  const got = show(actual === undefined ? sizeless : actual);
  const right = template && template.root !== "env"
    ? `, ${quote(template)} is ${typedText(operand)}` +
      (subject.kind === "latency" && !isDuration(expected.value)
        ? ", not a duration such as 500ms"
        : "")
    : "";
  const why = named && actual !== undefined
    ? statusText?.replace("status", "status is") ?? `status is ${got.text}`
    : subject.kind === "length" && sizeless !== undefined
    ? `${subject.path} is ${described(sizeless)}, which has no length`
    : reason(assertion, actual, expected, longsAreText);
  return {
    ...failing(assertion, why + right, named),
    expected: op === "==" || expected.value === null
      ? operand
      : { ...operand, operator: op },
    actual: got,
  };
}

/** The right side has no value, so there is nothing to compare with. */
export function unresolved(
  assertion: Assertion,
  actual: JsonValue | undefined,
  why: string,
): Mismatch {
  return {
    ...failing(assertion, why),
    expected: { type: "nothing", text: "" },
    actual: shownValue(assertion.subject, actual),
    unresolved: true,
  };
}

/** The expected value of an assertion, with the name of a status that has one. */
export function checkText(
  assertion: Assertion,
  statuses?: StatusNames,
): string {
  const { subject, op, value } = assertion;
  const name = subject.kind === "status" && statuses &&
    statusName(statuses, value);
  return name ? `status ${op} ${name}` : formatAssertion(assertion);
}

function statusName(
  statuses: StatusNames,
  status: JsonValue | undefined,
): string | undefined {
  return [...statuses].find(([, number]) => number === status)?.[0];
}

function failing(assertion: Assertion, why: string, statuses?: StatusNames) {
  const check = checkText(assertion, statuses);
  return { message: `${check} does not hold: ${why}`, check };
}

/** The actual value of an assertion, as a failure report or a trace shows it. */
export function shownValue(
  { kind }: Subject,
  value: JsonValue | undefined,
  statuses?: StatusNames,
): Typed {
  if (kind === "status" && statuses) return shownStatus(value, statuses);
  return kind === "latency" && typeof value === "number"
    ? { type: "duration", text: formatDuration(value) }
    : typedValue(value);
}

/** A status as a person knows it, such as `NOT_FOUND (5)`. */
function shownStatus(
  status: JsonValue | undefined,
  statuses: StatusNames,
): Typed {
  if (status === undefined) return typedValue(status);
  const name = statusName(statuses, status) ?? "unknown";
  return { type: "status", text: `${name} (${status})` };
}

function typedText({ type, text }: Typed): string {
  return text === "" ? `an empty ${type}` : `the ${type} ${text}`;
}

function reason(
  { subject, op }: Assertion,
  actual: JsonValue | undefined,
  expected: Operand,
  longsAreText = false,
): string {
  const name = formatSubject(subject);
  if (actual === undefined) return `${name} does not exist`;
  if (actual === null) return `${name} is null`;
  const is = `${name} is ${typedText(shownValue(subject, actual))}`;
  const untyped = SUBJECTS[subject.kind].type === "text";
  const { takes, looksInside } = OPERATORS[op];
  if (takes === "a pattern" || takes === "a text") {
    return typeof actual === "string" || untyped ? is : `${is}, not a string`;
  }
  // A number in a text is looked for as text.
  if (
    looksInside && typeof actual === "string" && isNumber(expected.value)
  ) {
    return `${is}, and ${expected.value} is a number: for the text write "${expected.value}"`;
  }
  const numeric = takes === "a number" ||
    (untyped && isNumber(expected.value));
  return numeric && !isNumberLike(actual, untyped || longsAreText)
    ? `${is}, not a number`
    : is;
}

function isDuration(value: JsonValue): boolean {
  try {
    return typeof value === "string" && parseDuration(value) >= 0;
  } catch {
    return false;
  }
}

function described(value: JsonValue): string {
  const { type, text } = typedValue(value);
  return value === null ? type : `the ${type} ${text}`;
}

function isNumberLike(value: JsonValue, text: boolean): boolean {
  return isNumber(value) ||
    (text && typeof value === "string" && numberIn(value) !== undefined);
}

/** A value with its type, short enough for a failure report. */
export function typedValue(value: JsonValue | undefined): Typed {
  if (value === undefined) return { type: "nothing", text: "" };
  const text = typeof value === "string"
    ? value.toWellFormed()
    : readable(value);
  return { type: jsonType(value), text: shortened(text) };
}
