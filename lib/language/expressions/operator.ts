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
import type { Assertion, Operator } from "./assertion_ir.ts";
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
export function templateOf({ value }: Assertion): Reference | undefined {
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
  assertion: Assertion,
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

/**
 * Compiles `operator operand` to a test. Values of JSON are never coerced; text
 * without a type is compared as what the other side is, and nothing holds for it
 * where it is no such value.
 */
export function compileTest(op: Operator, operand: Operand): Test {
  const { value, form } = operand;
  switch (op) {
    case "==":
      return value === null
        ? (actual) => actual === undefined || actual === null
        : equals(operand);
    case "!=": {
      const exists: Test = (actual) => actual !== undefined && actual !== null;
      if (value === null) return exists;
      const same = equals(operand);
      if (form !== "text") return (actual) => exists(actual) && !same(actual);
      return (actual) =>
        exists(actual) && !same(actual) &&
        textLike(String(value), actual!) !== undefined;
    }
    case "contains":
      return contains(operand);
    case "matches": {
      const pattern = compilePattern(String(value));
      return (actual) => typeof actual === "string" && pattern.test(actual);
    }
    default:
      return order(op, limitOf(operand));
  }
}

/** The same for a subject that is text without a type. */
export function compileTextTest(op: Operator, operand: Operand): Test {
  const test = compileTest(op, operand);
  const { value } = operand;
  const typed = isNumber(value) || typeof value === "boolean";
  if (isOrder(op)) {
    return (actual) => typeof actual === "string" && test(numberIn(actual));
  }
  if (!typed || (op !== "==" && op !== "!=")) return test;
  return (actual) =>
    typeof actual === "string" && test(textLike(actual, value));
}

/** Whether an operator compares which of two numbers is the greater one. */
export function isOrder(op: string): boolean {
  return op.startsWith("<") || op.startsWith(">");
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

function order(op: Operator, limit: JsonNumber | undefined): Test {
  if (limit === undefined) return () => false;
  const sign = (actual: JsonValue | undefined) =>
    isNumber(actual) ? compareNumbers(actual, limit) : NaN;
  // Each one by itself, so that it is compiled to a comparison and a branch.
  switch (op) {
    case "<":
      return (actual) => sign(actual) < 0;
    case "<=":
      return (actual) => sign(actual) <= 0;
    case ">":
      return (actual) => sign(actual) > 0;
    default:
      return (actual) => sign(actual) >= 0;
  }
}
