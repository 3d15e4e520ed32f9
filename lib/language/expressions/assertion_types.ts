import type { Assertion } from "./assertion_ir.ts";
import { BenchError } from "../../base/errors/bench_error.ts";
import { compilePattern, patternHint } from "../patterns/pattern.ts";
import { nearest } from "../../base/text/suggest.ts";
import { durationHint } from "../../base/values/duration.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";
import { isTemplate } from "./operand.ts";
import { isOrder, limitOf } from "./operator.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";

/**
 * Refuses assertions that cannot hold for any answer, because comparison never
 * coerces (design section 5).
 *
 * @param opAt offset of the operator in the text
 * @param valueAt offset of the value in the text
 * @param statuses all there are, when they have names
 * @returns the same assertion
 * @throws {ExpressionError} naming what does not fit
 */
export function checkTypes(
  assertion: Assertion,
  opAt: number,
  valueAt: number,
  statuses?: ReadonlyMap<string, number>,
): Assertion {
  const { subject, op, value } = assertion;
  const fail = (code: string, message: string, at: number, hint?: string) => {
    throw new ExpressionError(code, message, at, hint);
  };
  if (value === null && op !== "==" && op !== "!=") {
    fail(
      "assertion-null",
      `\`null\` goes only with \`==\` and \`!=\`, not with \`${op}\``,
      opAt,
      "`!= null` means it exists, `== null` means it does not",
    );
  }
  if (subject.kind === "status" || subject.kind === "latency") {
    if (value === null) {
      if (op === "!=") return assertion;
      fail("assertion-value", `\`${subject.kind}\` always exists`, valueAt);
    }
    if (op === "contains" || op === "matches") {
      fail(
        "assertion-operator",
        `\`${subject.kind}\` is a number: \`${op}\` does not apply`,
        opAt,
      );
    }
  }
  if (typeof value === "string" && value.includes("{{")) {
    // Its value is known only while the flow runs.
    if (!isTemplate(value)) {
      fail(
        "assertion-template",
        "the right side of an assertion is one template or none",
        valueAt,
      );
    }
    if (op === "matches") {
      fail(
        "assertion-template",
        "`matches` takes a regular expression that is written out",
        valueAt,
        "`==` and `contains` compare with a template",
      );
    }
    return assertion;
  }
  if (subject.kind === "status" && statuses) {
    checkStatus(value, statuses, valueAt);
  } else if (subject.kind === "status" && !Number.isInteger(value)) {
    fail(
      "assertion-value",
      `a status is a whole number and never ${describe(value)}`,
      valueAt,
      typeof value === "string"
        ? /^\d+$/.test(value)
          ? `remove the quotes: ${value}`
          : secondCondition(value)
        : undefined,
    );
  }
  if (subject.kind === "header") checkHeader(op, value, valueAt);
  if (isOrder(op) && limitOf({ value, form: "literal" }) === undefined) {
    fail(
      "assertion-value",
      `\`${op}\` compares numbers, not ${describe(value)}`,
      valueAt,
    );
  }
  if (op === "matches") checkPattern(value, valueAt);
  return assertion;
}

/** A status that no answer can have is a mistake, like a misspelt name. */
function checkStatus(
  value: unknown,
  statuses: ReadonlyMap<string, number>,
  at: number,
): void {
  const numbers = [...statuses.values()];
  if (numbers.includes(value as number)) return;
  const near = typeof value === "string"
    // The IR has numbers alone.
    ? statuses.get(value) ?? nearest(value, [...statuses.keys()])
    : undefined;
  const [[name, number] = []] = statuses;
  throw new ExpressionError(
    "assertion-value",
    `a status here is a number from ${Math.min(...numbers)} to ${
      Math.max(...numbers)
    } or its name, and never ${describe(value)}`,
    at,
    near !== undefined
      ? `did you mean \`${near}\`?`
      : typeof value === "string" && /^\d+$/.test(value)
      ? `remove the quotes: ${value}`
      : `for example ${number}, or \`${name}\``,
  );
}

/** A header is text, and a number where it is compared with one. */
function checkHeader(op: string, value: JsonValue, at: number): void {
  if (value === null || typeof value === "string") return;
  if (typeof value === "number" && op !== "contains") return;
  throw new ExpressionError(
    "assertion-value",
    typeof value === "number"
      ? `\`${op}\` looks for text in a header, not for ${describe(value)}`
      : `a header is a string and never ${describe(value)}`,
    at,
    `quote the value: "${JSON.stringify(value).replaceAll('"', "")}"`,
  );
}

function checkPattern(value: unknown, at: number): void {
  if (typeof value !== "string") {
    throw new ExpressionError(
      "assertion-value",
      `\`matches\` takes a regular expression, not ${describe(value)}`,
      at,
      `quote it: "${String(value)}"`,
    );
  }
  try {
    compilePattern(value);
  } catch (error) {
    throw new ExpressionError(
      "assertion-pattern",
      (error as Error).message,
      at,
      error instanceof BenchError ? error.hint : patternHint(value),
    );
  }
}

function describe(value: unknown): string {
  return `the ${jsonType(value)} ${JSON.stringify(value)}`;
}

/** What was meant by text that `latency` cannot be compared with. */
export function latencyHint(text: string): string | undefined {
  return durationHint(text) ?? secondCondition(text);
}

/** How two conditions are written, where one is joined to another. */
function secondCondition(value: string): string | undefined {
  return /\s(and|or|&&|\|\|)\s/.test(value)
    ? "an assertion is one condition; all items of the list have to hold"
    : undefined;
}
