import { equalJson, isObject, type JsonValue } from "../../base/values/json.ts";
import {
  type Comparable,
  type CompareOperator,
  compileSingular,
  type Condition as Written,
  type FunctionCall,
  type Query,
} from "./syntax.ts";
import { spend } from "../../base/values/work.ts";
import { compareNumbers, isNumber } from "../../base/values/numbers.ts";
import { compileIRegexp } from "../patterns/pattern.ts";
import type { Matcher } from "../patterns/matcher.ts";

/** Everything a query matches, in the order of RFC 9535. */
export type Nodes = (start: JsonValue, root: JsonValue) => JsonValue[];

/** Whether a filter takes the node `current`. */
export type Condition = (current: JsonValue, root: JsonValue) => boolean;

type Value = (current: JsonValue, root: JsonValue) => Operand;
type CompileNodes = (query: Query) => Nodes;

export function compileCondition(
  written: Written,
  compileNodes: CompileNodes,
): Condition {
  const compile = (part: Written) => compileCondition(part, compileNodes);
  switch (written.kind) {
    case "or": {
      const parts = written.parts.map(compile);
      return (current, root) => parts.some((part) => part(current, root));
    }
    case "and": {
      const parts = written.parts.map(compile);
      return (current, root) => parts.every((part) => part(current, root));
    }
    case "not": {
      const part = compile(written.part);
      return (current, root) => !part(current, root);
    }
    case "exists":
      return compileExists(written.query, compileNodes);
    case "compare": {
      const left = compileValue(written.left, compileNodes);
      const right = compileValue(written.right, compileNodes);
      const holds = COMPARE[written.operator];
      return (current, root) =>
        holds(left(current, root), right(current, root));
    }
    case "call":
      return compileMatch(written, compileNodes);
  }
}

const COMPARE: Readonly<
  Record<CompareOperator, (left: Operand, right: Operand) => boolean>
> = {
  "==": isEqual,
  "!=": (left, right) => !isEqual(left, right),
  "<": isLess,
  ">": (left, right) => isLess(right, left),
  "<=": (left, right) => isLess(left, right) || isEqual(left, right),
  ">=": (left, right) => isLess(right, left) || isEqual(left, right),
};

function compileExists(query: Query, compileNodes: CompileNodes): Condition {
  if (query.singular) {
    const value = compileQueryValue(query);
    return (current, root) => value(current, root) !== undefined;
  }
  const nodes = startingAt(query, compileNodes(query));
  return (current, root) => nodes(current, root).length > 0;
}

function compileValue(operand: Comparable, compileNodes: CompileNodes): Value {
  switch (operand.kind) {
    case "literal": {
      const { value } = operand;
      return () => value;
    }
    case "query":
      return compileQueryValue(operand.query);
    case "call":
      return compileCall(operand, compileNodes);
  }
}

function compileQueryValue(query: Query): Value {
  const follow = compileSingular(query);
  return query.root === "$"
    ? (_, root) => follow(root)
    : (current) => follow(current);
}

function compileCall(
  { name, args }: FunctionCall,
  nodesOf: CompileNodes,
): Value {
  const [first] = args;
  if (name === "length") {
    const value = compileValue(first!, nodesOf);
    return (current, root) => lengthOf(value(current, root));
  }
  const { query } = first as Extract<Comparable, { kind: "query" }>;
  const nodes = startingAt(query, nodesOf(query));
  if (name === "count") return (current, root) => nodes(current, root).length;
  return (current, root) => {
    const found = nodes(current, root);
    return found.length === 1 ? found[0] : undefined;
  };
}

function startingAt({ root: from }: Query, nodes: Nodes): Nodes {
  return from === "$" ? (_, root) => nodes(root, root) : nodes;
}

/** RFC 9535 section 2.4.4: a text has as many as it has characters. */
function lengthOf(value: Operand): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (typeof value !== "string") return undefined;
  spend(value.length);
  let pairs = 0;
  for (let at = 1; at < value.length; at++) {
    const isPair = (value.charCodeAt(at) & 0xfc00) === 0xdc00 &&
      (value.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) pairs++;
  }
  return value.length - pairs;
}

/** `match()` and `search()`: false for anything but two texts. */
function compileMatch(
  { name, args: [text, pattern] }: FunctionCall,
  compileNodes: CompileNodes,
): Condition {
  const textOf = compileValue(text!, compileNodes);
  const matches = compileMatches(name === "match");
  const patternOf = compileValue(pattern!, compileNodes);
  return (current, root) => {
    const value = textOf(current, root);
    const expected = patternOf(current, root);
    return typeof value === "string" && typeof expected === "string" &&
      matches(expected, value);
  };
}

/** An operand of a comparison, which may have no value. */
type Operand = JsonValue | undefined;

/** Whether two values are equal (RFC 9535 section 2.3.5.2.2). */
function isEqual(left: Operand, right: Operand): boolean {
  return left === right ||
    (left !== undefined && right !== undefined &&
      equalJson(left, right, { spend }));
}

/** Whether `left` comes before `right`: two numbers, or two texts. */
function isLess(left: Operand, right: Operand): boolean {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) < 0;
  return typeof left === "string" && typeof right === "string" &&
    isTextLess(left, right);
}

/** By code points: a surrogate pair comes after U+FFFF. */
function isTextLess(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) < rank(b);
  }
  return left.length < right.length;
}

function rank(unit: number): number {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}

/** Patterns that came from a value and are kept compiled. */
const MOST_KEPT = 32;
/** Compiling a pattern costs as much as looking at so many values. */
const COMPILING = 1_000;

type Compiled = Matcher | undefined;

/**
 * Whether a text matches an I-Regexp, as `match()` (the whole text) and `search()`
 * ask. False for an invalid pattern (RFC 9535 section 2.4.6).
 */
function compileMatches(
  whole: boolean,
): (pattern: string, text: string) => boolean {
  let kept = new Map<string, Compiled>();
  const matcherOf = (pattern: string): Compiled => {
    if (kept.has(pattern)) return kept.get(pattern);
    spend(COMPILING + pattern.length);
    const compiled = compileIRegexp(pattern, whole);
    if (kept.size >= MOST_KEPT) kept = new Map();
    kept.set(pattern, compiled);
    return compiled;
  };
  return (pattern, text) => {
    spend(text.length);
    return matcherOf(pattern)?.test(text) ?? false;
  };
}
