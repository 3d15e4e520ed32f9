import { equalJson, isObject, type JsonValue } from "../../base/values/json.ts";
import {
  compareNumbers,
  isNumber,
  type JsonNumber,
  readNumber,
} from "../../base/values/numbers.ts";
import { readJson } from "../../base/values/read_json.ts";
import { spend } from "../../base/values/work.ts";
import { compilePattern } from "../patterns/pattern.ts";
import {
  compileReference,
  Embedded,
  envValue,
  type Names,
  type Reference,
  type Scope,
  wholeReference,
} from "./template.ts";

/** One side of a comparison. */
export interface Operand {
  readonly value: JsonValue;
  /**
   * `json` has the type JSON gives it, `literal` is written out in the flow, and
   * `text` came without a type: a header, a fixture cell, an environment variable.
   */
  readonly form: "json" | "literal" | "text";
}

/** The template on the right of an assertion; undefined for a literal. */
export function templateOf(
  { value }: { readonly value: JsonValue },
): Reference | undefined {
  return typeof value === "string" && value.includes("{{")
    ? wholeReference(value)
    : undefined;
}

/** Whether the right side of an assertion is one template and nothing else. */
export function isTemplate(value: JsonValue): value is string {
  if (typeof value !== "string" || !value.includes("{{")) return false;
  try {
    return wholeReference(value) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Compiles the right side of an assertion.
 *
 * @returns a lookup that throws ResolutionError when there is no value
 */
export function compileOperand(
  assertion: { readonly value: JsonValue },
  names: Names,
): Operand | ((scope: Scope) => Operand) {
  const reference = templateOf(assertion);
  if (!reference) return { value: assertion.value, form: "literal" };
  if (reference.root === "env") {
    return { value: envValue(reference, names), form: "text" };
  }
  const lookup = compileReference(reference, names);
  const form = names.pools.has(reference.root) ? "text" : "json";
  return (scope) => {
    const value = lookup(scope);
    return value instanceof Embedded
      ? { value: readJson(value.text), form: "json" }
      : { value, form };
  };
}

/**
 * Text without a type as a value of the type of `other`; undefined when it is no
 * such value.
 */
function textLike(
  text: string,
  other: JsonValue,
): JsonValue | undefined {
  if (isNumber(other)) return numberIn(text);
  if (typeof other !== "boolean") return text;
  return text === "true" ? true : text === "false" ? false : undefined;
}

/** The number a text is; undefined when it is not one. */
export function numberIn(text: string): JsonNumber | undefined {
  const number = /^\s*\+?(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$/.exec(
    text,
  );
  return number ? readNumber(number[1]!) : undefined;
}

/**
 * The integer beyond 2^53 that a quoted literal is the digits of: no bare
 * literal can be that number, so the quoted one is that number as well.
 */
function quotedInteger(literal: JsonValue): bigint | undefined {
  if (typeof literal !== "string" || !/^-?[1-9]\d{15,}$/.test(literal)) return;
  const value = readNumber(literal);
  return typeof value === "bigint" ? value : undefined;
}

/** Whether a subject's value holds; undefined and null are no value. */
export type Test = (actual: JsonValue | undefined) => boolean;

/** The facts of an operator. */
type OperatorRecord = OperatorFacts & (TextualFacts | ValueFacts);

interface OperatorFacts {
  /** When it holds, for people. */
  readonly meaning: string;
  /** The version of the flow file that brought it; the first one when absent. */
  readonly version?: 1;
  /** Where there are several values, all of them have to hold. */
  readonly negates?: true;
  /** Several matches of a path are one list of them. */
  readonly listsMatches?: true;
  test(operand: Operand): Test;
}

/** The kind of value on its right, and what that says of its left. */
interface TextualFacts {
  readonly takes: "a text" | "a pattern";
  /** It looks into a text, a list or an object: a number has nothing inside. */
  readonly looksInside: true;
}

interface ValueFacts {
  readonly takes: "any value" | "a number" | "a list";
  readonly looksInside?: true;
}

const ORDER = "both are numbers, or both are durations, in that order";

/** @param compile each one by itself, so that it is compiled to a comparison and a branch */
const order = (
  compile: (sign: (actual: JsonValue | undefined) => number) => Test,
): OperatorRecord => ({
  meaning: ORDER,
  takes: "a number",
  test: (operand) => {
    const limit = limitOf(operand);
    if (limit === undefined) return NEVER;
    return compile((actual) =>
      isNumber(actual) ? compareNumbers(actual, limit) : NaN
    );
  },
});

/** A test of a text by a part of it. */
const textual = (
  meaning: string,
  holds: (text: string, part: string) => boolean,
): OperatorRecord => ({
  meaning,
  version: 1,
  takes: "a text",
  looksInside: true,
  test: ({ value }) => (actual) =>
    typeof actual === "string" && typeof value === "string" &&
    holds(actual, value),
});

/** The comparisons with null that are written as a word, and when each holds. */
export const EXISTENCE = {
  exists: "the subject is there; the same as `!= null`, without a value",
  not_exists:
    "the subject is not there; the same as `== null`, without a value",
} as const;
export type Existence = keyof typeof EXISTENCE;

const OPERATOR_RECORDS = {
  "==": {
    meaning:
      'the values are equal; types count: `42` is not `"42"`; against a list that is written out, a path that may have several matches is the list of them: `$.items[*].id == [7]`',
    takes: "any value",
    test: (operand) =>
      operand.value === null ? (actual) => !exists(actual) : equals(operand),
  },
  "!=": {
    meaning: "the values are not equal",
    takes: "any value",
    negates: true,
    test: (operand) => {
      const { value, form } = operand;
      if (value === null) return exists;
      const same = equals(operand);
      if (form !== "text") return (actual) => exists(actual) && !same(actual);
      return (actual) =>
        exists(actual) && !same(actual) &&
        textLike(String(value), actual!) !== undefined;
    },
  },
  "<": order((sign) => (actual) => sign(actual) < 0),
  "<=": order((sign) => (actual) => sign(actual) <= 0),
  ">": order((sign) => (actual) => sign(actual) > 0),
  ">=": order((sign) => (actual) => sign(actual) >= 0),
  contains: {
    meaning:
      "a string has the part, a list has the member, an object has the key; a path that may have several matches is the list of them, however many there are: `$.items[*].id contains 7`",
    takes: "any value",
    looksInside: true,
    listsMatches: true,
    test: contains,
  },
  not_contains: {
    meaning: "a string, a list or an object that is there does not contain it",
    version: 1,
    takes: "any value",
    looksInside: true,
    negates: true,
    listsMatches: true,
    test: (operand) => {
      const has = contains(operand);
      return (actual) =>
        (typeof actual === "string" || Array.isArray(actual) ||
          isObject(actual)) && !has(actual);
    },
  },
  matches: {
    meaning: "the string matches the ECMAScript regular expression, anywhere",
    takes: "a pattern",
    looksInside: true,
    test: ({ value }) => {
      const pattern = compilePattern(String(value));
      return (actual) => typeof actual === "string" && pattern.test(actual);
    },
  },
  starts_with: textual(
    "the string begins with the text",
    (text, part) => text.startsWith(part),
  ),
  ends_with: textual(
    "the string ends with the text",
    (text, part) => text.endsWith(part),
  ),
  in: {
    meaning:
      "the value is one of the list, as `==` compares: `status in [200, 201]`",
    version: 1,
    takes: "a list",
    test: (operand) => anyOf(operand, equals),
  },
} as const satisfies Readonly<Record<string, OperatorRecord>>;

/** Comparison words of assertions. */
export type Operator = keyof typeof OPERATOR_RECORDS;
export const OPERATORS: Readonly<Record<Operator, OperatorRecord>> =
  OPERATOR_RECORDS;
export const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];

const NEVER: Test = () => false;

function exists(actual: JsonValue | undefined): boolean {
  return actual !== undefined && actual !== null;
}

/** Whether one of a list of values is right of `compile`. */
function anyOf(
  { value, form }: Operand,
  compile: (operand: Operand) => Test,
): Test {
  if (!Array.isArray(value)) return NEVER;
  const tests = value.map((each) => compile({ value: each, form }));
  return (actual) => exists(actual) && tests.some((test) => test(actual));
}

/**
 * Compiles `operator operand` to a test. Values of JSON are never coerced; text
 * without a type is compared as what the other side is, and nothing holds for it
 * where it is no such value.
 */
export function compileTest(op: Operator, operand: Operand): Test {
  return OPERATORS[op].test(operand);
}

/** Compiles `operator operand` to a test of a subject that is text without a type. */
export function compileTextTest(op: Operator, operand: Operand): Test {
  const { takes, looksInside } = OPERATORS[op];
  if (takes === "a list") {
    return anyOf(operand, (each) => compileTextTest("==", each));
  }
  const test = compileTest(op, operand);
  if (takes === "a number") {
    return (actual) => typeof actual === "string" && test(numberIn(actual));
  }
  const { value } = operand;
  const typed = isNumber(value) || typeof value === "boolean";
  if (!typed || looksInside) return test;
  return (actual) =>
    typeof actual === "string" && test(textLike(actual, value));
}

/** The bound of an order; undefined when it is not a number. */
export function limitOf({ value, form }: Operand): JsonNumber | undefined {
  if (isNumber(value)) return value;
  if (form === "literal") return quotedInteger(value);
  return form === "text" ? numberIn(String(value)) : undefined;
}

function equals({ value, form }: Operand): Test {
  if (form === "text") {
    const text = String(value);
    return (actual) => {
      if (actual === undefined) return false;
      const like = textLike(text, actual);
      return like !== undefined && equalJson(like, actual, { spend });
    };
  }
  if (form === "json") {
    return (actual) =>
      actual !== undefined && equalJson(value, actual, { spend });
  }
  const quoted = quotedInteger(value);
  if (quoted !== undefined) {
    return (actual) => actual === value || actual === quoted;
  }
  if (isNumber(value)) {
    // Numbers of one type were compared by `===`.
    return (actual) =>
      actual === value ||
      (isNumber(actual) && typeof actual !== typeof value &&
        compareNumbers(actual, value) === 0);
  }
  if (typeof value !== "object") return (actual) => actual === value;
  return (actual) =>
    actual !== undefined && equalJson(value, actual, SAME_QUOTED);
}

/** Leaves of a literal list or object that are integers in quotes. */
function sameQuoted(literal: JsonValue, actual: JsonValue): boolean {
  return typeof actual === "bigint" && quotedInteger(literal) === actual;
}

const SAME_QUOTED = { alike: sameQuoted, spend };

function contains(operand: Operand): Test {
  const { value } = operand;
  const same = equals(operand);
  return (actual) => {
    if (typeof actual === "string") {
      return typeof value === "string" && actual.includes(value);
    }
    if (Array.isArray(actual)) return actual.some((each) => same(each));
    return isObject(actual) && typeof value === "string" &&
      Object.hasOwn(actual, value);
  };
}
