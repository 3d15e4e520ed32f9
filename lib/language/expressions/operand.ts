import type { Assertion } from "./assertion_ir.ts";
import {
  isNumber,
  type JsonNumber,
  readNumber,
} from "../../base/values/numbers.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { readJson } from "../../base/values/read_json.ts";
import type { Names, Scope } from "./names.ts";
import {
  compileReference,
  Embedded,
  envValue,
  type Reference,
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
  const form = names.variables.has(reference.root) ? "json" : "text";
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
export function textLike(
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
export function quotedInteger(literal: JsonValue): bigint | undefined {
  if (typeof literal !== "string" || !/^-?[1-9]\d{15,}$/.test(literal)) return;
  const value = readNumber(literal);
  return typeof value === "bigint" ? value : undefined;
}
