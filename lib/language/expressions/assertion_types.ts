import { quoted, statusHint } from "./assertion_value.ts";
import { BenchError, ExpressionError } from "../../base/errors/bench_error.ts";
import { nearest } from "../../base/text/suggest.ts";
import { DURATION_PATTERN } from "../../base/values/duration.ts";
import { GRPC_CODES } from "../../base/values/grpc_codes.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";
import { jsonError } from "../../base/values/read_json.ts";
import { compilePattern, patternHint } from "../patterns/pattern.ts";
import {
  type Assertion,
  badTemplate,
  badValue,
  type Subject,
  SUBJECTS,
} from "./assertion_ir.ts";
import { elsewhere } from "./elsewhere.ts";
import { isTemplate, limitOf, type Operator, OPERATORS } from "./operator.ts";

/** All there are, when they have names. */
type Statuses = ReadonlyMap<string, number> | undefined;

const DURATION = new RegExp(`^${DURATION_PATTERN}$`);

/** Where the operator and the value begin in the text. */
interface Written {
  readonly op: number;
  readonly value: number;
  /** The value as it was written, when it was. */
  readonly written?: string;
  /** Of the flow file. */
  readonly version?: 0 | 1;
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
  statuses?: Statuses,
): Assertion {
  const { subject, op, value } = assertion;
  const { op: opAt, value: valueAt } = at;
  const written = at.written ?? JSON.stringify(value);
  checkNull(assertion, opAt, valueAt);
  const { takes } = OPERATORS[op];
  const { type } = SUBJECTS[subject.kind];
  if (type === "number" && value === null) return assertion;
  checkApplies(assertion, opAt);
  if (typeof value === "string" && value.includes("{{")) {
    // Its value is known only while the flow runs.
    checkTemplate(value, takes, valueAt);
    return assertion;
  }
  if (takes === "a list") checkList(assertion, at, statuses);
  if (takes === "a text" && typeof value !== "string") {
    throw badValue(
      `\`${op}\` looks for a text, not for ${describe(value)}`,
      valueAt,
      `quote it: ${quoted(written)}`,
    );
  }
  for (const each of takes === "a list" ? value as JsonValue[] : [value]) {
    if (subject.kind === "status") checkStatus(each, statuses, valueAt);
    if (subject.kind === "length") checkCount(each, valueAt);
    if (type === "text") {
      checkText(op, subject, each, { at: valueAt, written });
    }
  }
  if (takes === "a number" && subject.kind === "text") {
    throw badValue(
      `\`${op}\` compares numbers, but \`body\` is a text`,
      valueAt,
      `for a body that is a number in JSON write \`$ ${op} ${written}\``,
    );
  }
  if (
    takes === "a number" && limitOf({ value, form: "literal" }) === undefined
  ) {
    throw badValue(
      `\`${op}\` compares numbers, not ${describe(value)}`,
      valueAt,
      (subject.kind === "variable"
        ? elsewhere("subject", subject.name)
        : undefined) ??
        (DURATION.test(String(value))
          ? "only `latency` is compared with a duration: write a number"
          : numberHint(value)),
    );
  }
  if (takes === "a pattern") checkPattern(value, valueAt, written);
  return assertion;
}

/** Refuses an operator that says nothing of a number or a duration. */
export function checkApplies(
  { subject, op }: Pick<Assertion, "subject" | "op">,
  at: number,
): void {
  const { takes, looksInside } = OPERATORS[op];
  const isDuration = subject.kind === "latency";
  const isNumber = SUBJECTS[subject.kind].type === "number" && looksInside;
  if (!isNumber && !(isDuration && takes === "a list")) return;
  throw new ExpressionError(
    "assertion-operator",
    `\`${subject.kind}\` is a ${
      isDuration ? "duration" : "number"
    }: \`${op}\` does not apply`,
    at,
  );
}

function checkList(
  assertion: Assertion,
  at: Written,
  statuses: Statuses,
): void {
  const { op, value } = assertion;
  const { written = "" } = at;
  const named = statuses?.has(written);
  if (Array.isArray(value) && value.length > 0) return;
  throw badValue(
    Array.isArray(value)
      ? `\`${op}\` needs a list of at least one value`
      : `\`${op}\` takes a list, not ${describe(value)}`,
    at.value,
    Array.isArray(value)
      ? undefined
      : listHint(assertion, [named ? written : value], at, statuses),
  );
}

/** Refuses the items of a list without its brackets: `in 200, 201`, `in (200, 201)`. */
export function refuseBareList(
  { subject, op }: Pick<Assertion, "subject" | "op">,
  at: Written & { readonly written: string },
  statuses: Statuses,
): void {
  const { written } = at;
  const [, inside = written] = /^\((.*)\)$/s.exec(written) ?? [];
  if (inside === written && !/^[^[{"',]+,/.test(written)) return;
  const items = inside.split(",").map((each) => each.trim())
    .map((each) => jsonError(each) ? each : JSON.parse(each) as JsonValue);
  throw badValue(
    `\`${op}\` takes a list, not ${written}`,
    at.value,
    listHint({ subject, op }, items, at, statuses),
  );
}

const RANGE = /^(-?\d+)\s*(?:\.\.\.?|-)\s*(-?\d+)$/;

/** The list that was meant, if that would be read; of a range and a class there is none. */
function listHint(
  { subject, op }: Pick<Assertion, "subject" | "op">,
  items: readonly JsonValue[],
  at: Written,
  statuses: Statuses,
): string | undefined {
  const [first = ""] = items.map(String);
  const [, from, to] = RANGE.exec(first) ?? [];
  if (from !== undefined && subject.kind !== "text") {
    return `a range is two items: \`>= ${from}\` and \`<= ${to}\``;
  }
  for (const list of [items, items.map(String)]) {
    const value = list.map((each) => statuses?.get(String(each)) ?? each);
    try {
      checkTypes({ subject, op, value }, { ...at, written: "" }, statuses);
    } catch {
      continue;
    }
    const texts = list.map((each) => JSON.stringify(each));
    const later = (OPERATORS[op].version ?? 0) > (at.version ?? 1);
    return `write it as a list: [${texts.join(", ")}]${
      later ? ", with `version: 1`" : ""
    }`;
  }
  return subject.kind === "status" ? statusHint(first) : undefined;
}

function checkCount(value: JsonValue, at: number): void {
  if (Number.isInteger(value) && Number(value) >= 0) return;
  throw badValue(
    `a length must be compared with a whole number of at least 0, but this is ${
      describe(value)
    }`,
    at,
    numberHint(value),
  );
}

/** `null` says whether something exists, which a status and a latency always do, and is no item. */
function checkNull(
  { subject, op, value }: Assertion,
  opAt: number,
  valueAt: number,
): void {
  const isItem = OPERATORS[op].takes === "a list" &&
    Array.isArray(value) && value.includes(null);
  if (value !== null && !isItem) return;
  if (op !== "==" && op !== "!=") {
    throw new ExpressionError(
      "assertion-null",
      `\`null\` goes only with \`==\` and \`!=\`, not with \`${op}\``,
      opAt,
      "`!= null` means it exists, `== null` means it does not",
    );
  }
  if (!SUBJECTS[subject.kind].always || op === "!=") return;
  throw badValue(`\`${subject.kind}\` always exists`, valueAt);
}

function checkTemplate(
  value: string,
  takes: (typeof OPERATORS)[Operator]["takes"],
  at: number,
): void {
  if (!isTemplate(value)) {
    throw badTemplate(
      "the right side of an assertion is one template or none",
      at,
    );
  }
  if (takes !== "a pattern") return;
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
    numberHint(value) ?? statusHint(String(value)),
  );
}

/** Of a text that would be a number without its quotes, or without zeros before it. */
function numberHint(value: unknown): string | undefined {
  const [, sign, zeros, digits] = typeof value === "string"
    ? /^(-?)(0*)(\d+(?:\.\d+)?)$/.exec(value) ?? []
    : [];
  if (digits === undefined) return undefined;
  return zeros === ""
    ? `remove the quotes: ${value}`
    : `did you mean ${sign}${digits}?`;
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
    : GRPC_CODES.find(([, http]) => http === value)?.[0];
  const [[name, number] = []] = statuses;
  throw badValue(
    `a status here must be compared with a number from ${
      Math.min(...numbers)
    } to ${Math.max(...numbers)} or its name, but this is ${describe(value)}`,
    at,
    near !== undefined ? `did you mean \`${near}\`?` : numberHint(value) ??
      `for example ${number}, or \`${name}\``,
  );
}

/** A header is text, and a number where it is compared with one. */
function checkText(
  op: Operator,
  { kind }: Subject,
  value: JsonValue,
  { at, written }: { readonly at: number; readonly written: string },
): void {
  if (value === null || typeof value === "string") return;
  if (typeof value === "number" && !OPERATORS[op].looksInside) return;
  const what = kind === "text" ? "the body" : `a ${kind}`;
  throw badValue(
    typeof value === "number"
      ? `\`${op}\` looks for text in ${what}, not for ${describe(value)}`
      : `${what} must be compared with a string, but this is ${
        describe(value)
      }`,
    at,
    OPERATORS[op].takes === "a list"
      ? undefined
      : `quote the value: ${quoted(written)}`,
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
