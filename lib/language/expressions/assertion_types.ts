import { type Assertion, badTemplate, badValue } from "./assertion_ir.ts";
import { BenchError } from "../../base/errors/bench_error.ts";
import { compilePattern, patternHint } from "../patterns/pattern.ts";
import { DURATION_PATTERN } from "../../base/values/duration.ts";
import { nearest } from "../../base/text/suggest.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";
import { isTemplate } from "./operand.ts";
import { isOrder, limitOf } from "./operator.ts";
import { elsewhere } from "./elsewhere.ts";
import { quoted } from "./assertion_value.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";

const DURATION = new RegExp(`^${DURATION_PATTERN}$`);

/** Where the operator and the value begin in the text. */
interface Written {
  readonly op: number;
  readonly value: number;
  /** The value as it was written, when it was. */
  readonly written?: string;
}

/**
 * Refuses assertions that cannot hold for any response, because comparison never
 * coerces.
 *
 * @param statuses all there are, when they have names
 * @returns the same assertion
 * @throws {ExpressionError} naming what does not fit
 */
export function checkTypes(
  assertion: Assertion,
  at: Written,
  statuses?: ReadonlyMap<string, number>,
): Assertion {
  const { subject, op, value } = assertion;
  const { op: opAt, value: valueAt } = at;
  const written = at.written ?? JSON.stringify(value);
  checkNull(assertion, opAt, valueAt);
  const isNumber = subject.kind === "status" || subject.kind === "latency";
  if (isNumber && value === null) return assertion;
  if (isNumber && (op === "contains" || op === "matches")) {
    throw new ExpressionError(
      "assertion-operator",
      `\`${subject.kind}\` is a number: \`${op}\` does not apply`,
      opAt,
    );
  }
  if (typeof value === "string" && value.includes("{{")) {
    // Its value is known only while the flow runs.
    checkTemplate(value, op, valueAt);
    return assertion;
  }
  if (subject.kind === "status") checkStatus(value, statuses, valueAt);
  if (subject.kind === "header") checkHeader(op, value, valueAt, written);
  if (isOrder(op) && limitOf({ value, form: "literal" }) === undefined) {
    throw badValue(
      `\`${op}\` compares numbers, not ${describe(value)}`,
      valueAt,
      (subject.kind === "variable"
        ? elsewhere("subject", subject.name)
        : undefined) ??
        (DURATION.test(String(value))
          ? "only `latency` is compared with a duration: write a number"
          : undefined),
    );
  }
  if (op === "matches") checkPattern(value, valueAt, written);
  return assertion;
}

/** `null` says whether something exists, which a status and a latency always do. */
function checkNull(
  { subject, op, value }: Assertion,
  opAt: number,
  valueAt: number,
): void {
  if (value !== null) return;
  if (op !== "==" && op !== "!=") {
    throw new ExpressionError(
      "assertion-null",
      `\`null\` goes only with \`==\` and \`!=\`, not with \`${op}\``,
      opAt,
      "`!= null` means it exists, `== null` means it does not",
    );
  }
  const always = subject.kind === "status" || subject.kind === "latency";
  if (!always || op === "!=") return;
  throw badValue(`\`${subject.kind}\` always exists`, valueAt);
}

function checkTemplate(value: string, op: string, at: number): void {
  if (!isTemplate(value)) {
    throw badTemplate(
      "the right side of an assertion is one template or none",
      at,
    );
  }
  if (op !== "matches") return;
  throw badTemplate(
    "`matches` takes a regular expression that is written out",
    at,
    "`==` and `contains` compare with a template",
  );
}

function checkStatus(
  value: unknown,
  statuses: ReadonlyMap<string, number> | undefined,
  at: number,
): void {
  if (statuses) return checkNamedStatus(value, statuses, at);
  if (Number.isInteger(value)) return;
  throw badValue(
    `a status must be compared with a whole number, but this is ${
      describe(value)
    }`,
    at,
    typeof value === "string" && /^\d+$/.test(value)
      ? `remove the quotes: ${value}`
      : statusHint(String(value)),
  );
}

function statusHint(written: string): string | undefined {
  const [, hundreds, number] = /^(?:([1-5])xx|(\d{3})\s.*)$/i.exec(written) ??
    [];
  return hundreds
    ? `a class is two items: \`status >= ${hundreds}00\` and \`status < ${
      Number(hundreds) + 1
    }00\``
    : number && `did you mean ${number}?`;
}

/** A status that no response can have is an error, like a misspelt name. */
function checkNamedStatus(
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
  throw badValue(
    `a status here must be compared with a number from ${
      Math.min(...numbers)
    } to ${Math.max(...numbers)} or its name, but this is ${describe(value)}`,
    at,
    near !== undefined
      ? `did you mean \`${near}\`?`
      : typeof value === "string" && /^\d+$/.test(value)
      ? `remove the quotes: ${value}`
      : `for example ${number}, or \`${name}\``,
  );
}

/** A header is text, and a number where it is compared with one. */
function checkHeader(
  op: string,
  value: JsonValue,
  at: number,
  written: string,
): void {
  if (value === null || typeof value === "string") return;
  if (typeof value === "number" && op !== "contains") return;
  throw badValue(
    typeof value === "number"
      ? `\`${op}\` looks for text in a header, not for ${describe(value)}`
      : `a header must be compared with a string, but this is ${
        describe(value)
      }`,
    at,
    `quote the value: ${quoted(written)}`,
  );
}

function checkPattern(value: unknown, at: number, written: string): void {
  if (typeof value !== "string") {
    throw badValue(
      `\`matches\` takes a regular expression, not ${describe(value)}`,
      at,
      `quote it: ${quoted(written)}`,
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
