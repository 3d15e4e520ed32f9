import { explain, type Mismatch, shownValue, unresolved } from "./mismatch.ts";
import { parseDuration } from "../../base/values/duration.ts";
import { fieldValue } from "../../base/values/headers.ts";
import { isObject, type JsonValue } from "../../base/values/json.ts";
import { isNumber } from "../../base/values/numbers.ts";
import { startWork } from "../../base/values/work.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { JsonSearch } from "../../base/values/json_search.ts";
import { compilePath, searchKeys } from "../json_path/json_path.ts";
import type { StatusNames } from "./assertion.ts";
import { type Assertion, SUBJECTS } from "./assertion_ir.ts";
import {
  compileOperand,
  compileTest,
  compileTextTest,
  numberIn,
  type Operand,
  type Operator,
  OPERATORS,
  type Test,
} from "./operator.ts";
import { readJson } from "../../base/values/read_json.ts";
import {
  drawnAt,
  Embedded,
  type Names,
  parseReference,
  ResolutionError,
  type Scope,
} from "./template.ts";
import { follow } from "./follow.ts";

/** The response that assertions and extractions read. */
export type Evidence = Pick<
  StepResponse,
  | "status"
  | "statusText"
  | "headers"
  | "searched"
  | "json"
  | "text"
  | "bodyText"
  | "longsAreText"
>;

type Look<Seen> = (
  evidence: Evidence,
  latencyMs: number,
  scope: Scope,
) => Seen;

/** An assertion made ready: undefined when it holds. */
export type Check = Look<Mismatch | undefined>;

/** Reads what an assertion looks at, as a report shows it. */
export type SubjectReader = Look<ReturnType<typeof shownValue>>;

/**
 * Compiles an assertion; everything that can be decided now is.
 *
 * @param statuses names to explain a status with
 * @param search of all checks of a step
 */
export function compileCheck(
  assertion: Assertion,
  names: Names,
  statuses?: StatusNames,
  search?: JsonSearch,
): Check {
  const { subject } = assertion;
  const lookup = compileSubject(assertion, names, search);
  const operand = compileOperand(assertion, names);
  const counted = subject.kind === "length"
    ? compileBody(subject.path, "all")
    : undefined;
  const failed = (
    evidence: Evidence,
    actual: JsonValue | undefined,
    expected: Operand,
  ) => {
    const sizeless = actual === undefined ? counted?.(evidence) : undefined;
    const mismatch = explain(assertion, actual, expected, statuses, {
      sizeless,
      statusText: evidence.statusText,
      longsAreText: evidence.longsAreText,
    });
    const { kind } = subject;
    return (kind === "body" || kind === "length") && actual === undefined
      ? { ...mismatch, message: mismatch.message + withoutJson(evidence) }
      : mismatch;
  };
  if (typeof operand !== "function") {
    const holds = compileTestOf(assertion, operand, statuses);
    return (evidence, latencyMs, scope) => {
      startWork();
      const actual = lookup(evidence, latencyMs, scope);
      return holds(actual, evidence)
        ? undefined
        : failed(evidence, actual, operand);
    };
  }
  return (evidence, latencyMs, scope) => {
    startWork();
    const actual = lookup(evidence, latencyMs, scope);
    let expected: Operand;
    try {
      expected = operand(scope);
    } catch (error) {
      if (!(error instanceof ResolutionError)) throw error;
      return unresolved(assertion, actual, error.message);
    }
    return compileTestOf(assertion, expected, statuses)(actual, evidence)
      ? undefined
      : failed(evidence, actual, expected);
  };
}

/** Compiles the left side of an assertion, for who shows what a check saw. */
export function compileReading(
  assertion: Assertion,
  names: Names,
  statuses?: StatusNames,
): SubjectReader {
  const lookup = compileSubject(assertion, names);
  const { subject } = assertion;
  return (evidence, latencyMs, scope) =>
    shownValue(subject, lookup(evidence, latencyMs, scope), statuses);
}

/**
 * Makes sure that every template on the right of these assertions has a value.
 *
 * @returns throws ResolutionError when one has none
 */
export function compileNeeds(
  assertions: readonly Assertion[],
  names: Names,
): (scope: Scope) => void {
  const needs = assertions.map((each) => compileOperand(each, names))
    .filter((each) => typeof each === "function");
  return (scope) => {
    for (const need of needs) need(scope);
  };
}

/**
 * Compiles where an extraction or a body subject is found in a response.
 *
 * @param listed see `compilePath`
 * @param search of all checks of a step, whose paths are all searched for
 */
export function compileBody(
  path: string,
  listed?: Parameters<typeof compilePath>[1],
  search?: JsonSearch,
): (evidence: Evidence) => JsonValue | undefined {
  const find = compilePath(path, listed);
  const keys = search && searchKeys(path);
  if (keys) {
    const number = search.add(keys);
    return (evidence) =>
      evidence.searched?.(search)
        ? search.value(number)
        : find(evidence.json());
  }
  // The root of a body that is not JSON is its text.
  return path === "$"
    ? (evidence) => {
      const json = evidence.json();
      return json === undefined ? evidence.text?.() : json;
    }
    : (evidence) => find(evidence.json());
}

/**
 * Why no path finds anything in a response: ` (the body is not JSON; status 302)`.
 * Empty when its body is JSON.
 */
export function withoutJson(evidence: Evidence): string {
  if (evidence.json() !== undefined) return "";
  const { statusText } = evidence;
  // Of gRPC: a status other than OK comes in place of a message.
  if (statusText !== undefined) {
    return ` (the response has no message; ${statusText})`;
  }
  const facts = bodyFacts(evidence);
  const is = evidence.bodyText?.() === "" ? "empty" : "not JSON";
  return ` (the body is ${is}${facts === "" ? "" : `; ${facts}`})`;
}

/** Which response it is whose text has nothing of what is looked for: ` (status 302)`. */
export function ofResponse(evidence: Evidence): string {
  const facts = bodyFacts(evidence);
  return facts === "" ? "" : ` (${facts})`;
}

function bodyFacts(evidence: Evidence): string {
  const { status } = evidence;
  const [type = ""] = (evidence.headers("content-type")[0] ?? "").split(";");
  return [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(type.trim() === "" ? [] : [type.trim()]),
  ].join(", ");
}

/**
 * A search for what checks look at in a body; undefined where one of them takes more
 * of it than single values, so that all of it is read at once.
 */
export function searchFor(
  assertions: readonly Assertion[],
  extracted: readonly string[] = [],
): JsonSearch | undefined {
  const bodies = assertions.filter(({ subject: { kind } }) =>
    kind === "body" || kind === "length"
  );
  const single = (path: string) => searchKeys(path) !== undefined;
  return bodies.length + extracted.length > 0 && extracted.every(single) &&
      bodies.every(({ subject, op, value }) =>
        subject.kind === "body" && !listedFor(op, value) && single(subject.path)
      )
    ? new JsonSearch()
    : undefined;
}

function compileSubject(
  { subject, op, value }: Assertion,
  names: Names,
  search?: JsonSearch,
): Look<JsonValue | undefined> {
  switch (subject.kind) {
    case "status":
      return (evidence) => evidence.status;
    case "latency":
      return (_, latencyMs) => Math.round(latencyMs * 1_000);
    case "header":
      return (evidence) =>
        fieldValue(subject.name, evidence.headers(subject.name));
    case "cookie":
      return (evidence) => setCookie(evidence, subject.name);
    case "text":
      return (evidence) => evidence.bodyText?.();
    case "length": {
      const find = compileBody(subject.path, "all");
      return (evidence) => lengthOf(find(evidence));
    }
    case "body":
      return compileBody(subject.path, listedFor(op, value), search);
    case "variable": {
      const { root, path } = parseReference(subject.name)!;
      const value = names.values?.get(root);
      if (value !== undefined) {
        return (_, __, scope) => {
          const drawn = drawnAt(scope, value);
          return drawn instanceof Embedded
            ? readJson(drawn.text)
            : follow(drawn, path);
        };
      }
      const index = names.variables.get(root);
      if (index === undefined) return () => undefined;
      return (_, __, scope) => follow(scope.variables[index], path);
    }
  }
}

/**
 * A test of a header field. Of several lines that are values of their own one has
 * to hold, but with `!=` none may be the other side.
 */
function compileFieldTest(op: Operator, operand: Operand): Test {
  const holds = compileTextTest(op, operand);
  const all = OPERATORS[op].negates && operand.value !== null;
  return (actual) => {
    if (!Array.isArray(actual)) return holds(actual);
    return all ? actual.every(holds) : actual.some(holds);
  };
}

/**
 * However many matches there are: the verdict must not hang on that. None are
 * something that does not exist, and equal to an empty list.
 */
function listedFor(op: Operator, value: JsonValue) {
  const { takes, listsMatches } = OPERATORS[op];
  const lists = takes === "a list" && Array.isArray(value) ? value : [value];
  if (lists.length > 0 && lists.every(Array.isArray)) {
    return lists.some((each) => each.length === 0) ? "all" : "some";
  }
  return listsMatches ? "some" : undefined;
}

/** Items of a list, members of an object, characters of a text. */
function lengthOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string") return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** The value that a response gives a cookie last (RFC 6265 section 4.1.1). */
export function setCookie(
  evidence: Evidence,
  name: string,
): string | undefined {
  const pair = evidence.headers("set-cookie")
    .map((each) => each.split(";", 1)[0]!)
    .findLast((each) => each.slice(0, each.indexOf("=")).trim() === name);
  return pair?.slice(pair.indexOf("=") + 1).trim();
}

type ResponseTest = (
  actual: JsonValue | undefined,
  evidence: Evidence,
) => boolean;

/** A subject decides what text without a type is compared as, and so does a response. */
function compileTestOf(
  assertion: Assertion,
  operand: Operand,
  statuses: StatusNames | undefined,
): ResponseTest {
  const { subject, op } = assertion;
  const test = compileTypedTest(assertion, operand, statuses);
  const numeric = subject.kind === "body" ? numericOf(op, operand) : undefined;
  if (!numeric) return test;
  // A template is compiled with each response, and few have such integers.
  let textTest: Test | undefined;
  return (actual, { longsAreText }) =>
    longsAreText && typeof actual === "string"
      ? (textTest ??= compileTextTest(op, numeric))(actual)
      : test(actual);
}

/** An operand that a string of digits can be compared with. */
function numericOf(op: Operator, operand: Operand): Operand | undefined {
  const { takes } = OPERATORS[op];
  if (isNumber(operand.value) || takes === "a list") return operand;
  if (takes !== "a number" || typeof operand.value !== "string") return;
  const value = numberIn(operand.value);
  return value === undefined ? undefined : { ...operand, value };
}

function compileTypedTest(
  { subject, op }: Assertion,
  operand: Operand,
  statuses: StatusNames | undefined,
): Test {
  if (SUBJECTS[subject.kind].type === "text") {
    return compileFieldTest(op, operand);
  }
  const { value, form } = operand;
  if (form === "literal" || typeof value !== "string") {
    return subject.kind === "latency" && form !== "literal"
      ? () => false
      : compileTest(op, operand);
  }
  if (subject.kind === "status") {
    const status = statuses?.get(value) ?? (form === "text" && numberIn(value));
    return isNumber(status)
      ? compileTest(op, { value: status, form: "json" })
      : () => false;
  }
  if (subject.kind !== "latency") return compileTest(op, operand);
  try {
    return compileTest(op, { value: parseDuration(value), form: "json" });
  } catch {
    return () => false;
  }
}
