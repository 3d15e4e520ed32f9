import type { Assertion, Operator } from "../../model/ir/flow.ts";
import { canonical, readable } from "../../model/ir/canonical.ts";
import { isObject, type JsonValue } from "../../base/values/json.ts";
import { compilePath } from "../json_path/json_path.ts";
import type { Names, Scope } from "./names.ts";
import { follow } from "./template.ts";
import { compilePattern } from "../patterns/pattern.ts";
import { typedDuration, typedValue } from "./typed_value.ts";
import {
  formatAssertion,
  formatSubject,
  type StatusNames,
} from "./assertion.ts";

/** What assertions and extractions look at. */
export interface Evidence {
  readonly status?: number;
  header(name: string): string | undefined;
  json(): JsonValue | undefined;
}

/** How an assertion did not hold; the shape of a result's typed values. */
export interface Mismatch {
  readonly message: string;
  readonly expected: Typed;
  readonly actual: Typed;
}

interface Typed {
  readonly type: string;
  readonly text: string;
  readonly operator?: string;
}

/** An assertion made ready: undefined when it holds. */
export type Check = (
  evidence: Evidence,
  latencyMs: number,
  scope: Scope,
) => Mismatch | undefined;

type Lookup = (
  evidence: Evidence,
  latencyMs: number,
  scope: Scope,
) => JsonValue | undefined;

/**
 * Compiles an assertion; everything that can be decided now is.
 *
 * @param statuses names to explain a status with
 */
export function compileCheck(
  assertion: Assertion,
  names: Names,
  statuses?: StatusNames,
): Check {
  const lookup = compileSubject(assertion, names);
  const holds = compileOperator(assertion.op, assertion.value);
  return (evidence, latencyMs, scope) => {
    const actual = lookup(evidence, latencyMs, scope);
    if (holds(actual)) return undefined;
    const mismatch = explain(assertion, actual, statuses);
    const { subject } = assertion;
    return subject.kind === "body" && actual === undefined
      ? { ...mismatch, message: mismatch.message + withoutJson(evidence) }
      : mismatch;
  };
}

/**
 * Why no path finds anything in an answer: ` (the body is not JSON; status 302)`.
 * Empty when its body is JSON.
 */
export function withoutJson(evidence: Evidence): string {
  if (evidence.json() !== undefined) return "";
  const { status } = evidence;
  const [type = ""] = (evidence.header("content-type") ?? "").split(";");
  const facts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(type.trim() === "" ? [] : [type.trim()]),
  ];
  return ` (the body is not JSON${
    facts.length === 0 ? "" : `; ${facts.join(", ")}`
  })`;
}

function compileSubject({ subject }: Assertion, names: Names): Lookup {
  switch (subject.kind) {
    case "status":
      return (evidence) => evidence.status;
    case "latency":
      return (_, latencyMs) => Math.round(latencyMs * 1_000);
    case "header":
      return (evidence) => evidence.header(subject.name);
    case "body": {
      const find = compilePath(subject.path);
      return (evidence) => find(evidence.json());
    }
    case "variable": {
      const [root = "", ...path] = subject.name.split(".");
      const slot = names.variables.get(root);
      if (slot === undefined) return () => undefined;
      return (_, __, scope) => follow(scope.variables[slot], path) ?? undefined;
    }
  }
}

type Test = (actual: JsonValue | undefined) => boolean;

/** Comparison never coerces; a missing subject holds only `== null`. */
function compileOperator(op: Operator, value: JsonValue): Test {
  switch (op) {
    case "==":
      return value === null ? (actual) => actual === undefined : equals(value);
    case "!=": {
      if (value === null) return (actual) => actual !== undefined;
      const same = equals(value);
      return (actual) => actual !== undefined && !same(actual);
    }
    case "contains":
      return contains(value);
    case "matches": {
      const pattern = compilePattern(String(value));
      return (actual) => typeof actual === "string" && pattern.test(actual);
    }
    default:
      return order(op, Number(value));
  }
}

function equals(value: JsonValue): Test {
  if (typeof value !== "object") return (actual) => actual === value;
  const text = canonical(value);
  return (actual) => typeof actual === "object" && readable(actual) === text;
}

function contains(value: JsonValue): Test {
  const same = equals(value);
  return (actual) => {
    if (typeof actual === "string") {
      return typeof value === "string" && actual.includes(value);
    }
    if (Array.isArray(actual)) return actual.some((each) => same(each));
    return isObject(actual) && typeof value === "string" &&
      Object.hasOwn(actual, value);
  };
}

function order(op: Operator, limit: number): Test {
  switch (op) {
    case "<":
      return (actual) => typeof actual === "number" && actual < limit;
    case "<=":
      return (actual) => typeof actual === "number" && actual <= limit;
    case ">":
      return (actual) => typeof actual === "number" && actual > limit;
    default:
      return (actual) => typeof actual === "number" && actual >= limit;
  }
}

function explain(
  assertion: Assertion,
  actual: JsonValue | undefined,
  statuses: StatusNames | undefined,
): Mismatch {
  const { subject, op, value } = assertion;
  if (statuses && subject.kind === "status") {
    return explainStatus(assertion, actual, statuses);
  }
  const isLatency = subject.kind === "latency";
  const show = (each: JsonValue | undefined) =>
    isLatency && typeof each === "number"
      ? typedDuration(each)
      : typedValue(each);
  const wanted = value === null
    ? { type: op === "==" ? "nothing" : "anything", text: "" }
    : show(value);
  const got = show(actual);
  return {
    message: `${formatAssertion(assertion)} does not hold: ${
      reason(assertion, actual, got)
    }`,
    expected: op === "==" || value === null
      ? wanted
      : { ...wanted, operator: op },
    actual: got,
  };
}

/** A status as a person knows it, such as `NOT_FOUND (5)`. */
function explainStatus(
  { op, value }: Assertion,
  actual: JsonValue | undefined,
  statuses: StatusNames,
): Mismatch {
  const nameOf = (status: JsonValue | undefined) =>
    [...statuses].find(([, number]) => number === status)?.[0];
  const show = (status: JsonValue | undefined) => ({
    type: status === undefined ? "nothing" : "status",
    text: status === undefined
      ? ""
      : `${nameOf(status) ?? "unknown"} (${status})`,
  });
  const [wanted, got] = [show(value), show(actual)];
  const is = actual === undefined ? "does not exist" : `is ${got.text}`;
  return {
    message: `status ${op} ${
      nameOf(value) ?? value
    } does not hold: status ${is}`,
    expected: op === "==" ? wanted : { ...wanted, operator: op },
    actual: got,
  };
}

function reason(
  assertion: Assertion,
  actual: JsonValue | undefined,
  got: { type: string; text: string },
): string {
  const name = formatSubject(assertion.subject);
  if (actual === undefined) return `${name} does not exist`;
  const is = `${name} is the ${got.type} ${got.text}`;
  const { op } = assertion;
  const needs = op === "matches"
    ? "string"
    : op.startsWith("<") || op.startsWith(">")
    ? "number"
    : undefined;
  return needs && typeof actual !== needs ? `${is}, not a ${needs}` : is;
}
