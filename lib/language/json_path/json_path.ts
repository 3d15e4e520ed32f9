import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import { spend, startWork } from "../../base/values/work.ts";
import { compileCondition, type Condition, type Nodes } from "./conditions.ts";
import { parseQuery } from "./path_reader.ts";
import {
  compileSingular,
  keysOf,
  type Query,
  type Segment,
  type Selector,
  type Slice,
} from "./syntax.ts";

type Container = readonly JsonValue[] | JsonObject;

/** Adds what a selector selects from `node`. */
type Select = (node: Container, root: JsonValue, into: JsonValue[]) => void;

/**
 * Compiles a query. No part of it recurses over data or passes data as
 * arguments, so that neither depth nor length of a value can break it.
 */
function compileNodes({ segments }: Query): Nodes {
  const steps = segments.map(compileSegment);
  return (start, root) => {
    let nodes = [start];
    for (const step of steps) nodes = step(nodes, root);
    return nodes;
  };
}

function compileSegment(
  { descendant, selectors }: Segment,
): (nodes: readonly JsonValue[], root: JsonValue) => JsonValue[] {
  const selects = selectors.map(compileSelector);
  const select: Select = (node, root, into) => {
    for (const each of selects) each(node, root, into);
  };
  const visit = descendant ? descend(select) : select;
  return (nodes, root) => {
    const into: JsonValue[] = [];
    spend(nodes.length);
    for (const node of nodes) {
      if (isContainer(node)) visit(node, root, into);
    }
    return into;
  };
}

/** The node itself, then all below it: parents first, lists in order. */
function descend(select: Select): Select {
  return (node, root, into) => {
    const waiting: Container[] = [node];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      select(at, root, into);
      const children = childrenOf(at);
      spend(children.length + 1);
      for (let index = children.length - 1; index >= 0; index--) {
        const child = children[index]!;
        if (isContainer(child)) waiting.push(child);
      }
    }
  };
}

function compileSelector(selector: Selector): Select {
  switch (selector.kind) {
    case "name": {
      const { name } = selector;
      return (node, _, into) => {
        if (!isList(node) && Object.hasOwn(node, name)) into.push(node[name]!);
      };
    }
    case "index": {
      const { index } = selector;
      return (node, _, into) => {
        const found = isList(node) ? node.at(index) : undefined;
        if (found !== undefined) into.push(found);
      };
    }
    case "wildcard":
      return (node, _, into) => addAll(childrenOf(node), into);
    case "slice":
      return (node, _, into) => {
        if (isList(node)) addSlice(node, selector, into);
      };
    case "filter":
      return filter(compileCondition(selector.condition, compileNodes));
  }
}

function addAll(children: readonly JsonValue[], into: JsonValue[]): void {
  spend(children.length);
  for (const child of children) into.push(child);
}

function filter(holds: Condition): Select {
  return (node, root, into) => {
    const children = childrenOf(node);
    spend(children.length);
    for (const child of children) {
      if (holds(child, root)) into.push(child);
    }
  };
}

/** RFC 9535 section 2.3.4.2.2. */
function addSlice(
  list: readonly JsonValue[],
  { start, end, step }: Slice,
  into: JsonValue[],
): void {
  const { length } = list;
  const within = (bound: number, low: number, high: number) =>
    Math.min(Math.max(bound >= 0 ? bound : length + bound, low), high);
  if (step > 0) {
    const lower = within(start ?? 0, 0, length);
    const upper = within(end ?? length, 0, length);
    spend(Math.max(0, upper - lower));
    for (let at = lower; at < upper; at += step) into.push(list[at]!);
  } else if (step < 0) {
    const upper = within(start ?? length - 1, -1, length - 1);
    const lower = end === undefined ? -1 : within(end, -1, length - 1);
    spend(Math.max(0, upper - lower));
    for (let at = upper; at > lower; at += step) into.push(list[at]!);
  }
}

function childrenOf(node: Container): readonly JsonValue[] {
  return isList(node) ? node : Object.values(node);
}

function isContainer(value: JsonValue): value is Container {
  return typeof value === "object" && value !== null;
}

function isList(value: Container): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Finds a value; undefined when the path leads nowhere. */
type PathLookup = (
  value: JsonValue | undefined,
) => JsonValue | undefined;

/** Which matches of a path that is not singular are always a list. */
type Listed = "some" | "all";

/**
 * Compiles a JSON path. A singular path, the one every load test uses, becomes
 * a chain of property reads; any other yields its single match, or the list of
 * its matches when there are several.
 *
 * @param listed a path that is not singular yields the list of its matches,
 *   also when there is `some` one alone, or `all` the same when there is none
 * @throws {ExpressionError}
 */
export function compilePath(text: string, listed?: Listed): PathLookup {
  const query = parseQuery(text);
  if (query.singular) return compileSingular(query);
  const matches = compileMatches(text);
  const least = listed === "all" ? 0 : listed ? 1 : 2;
  return (value) => {
    const found = matches(value);
    return found.length >= least && value !== undefined ? found : found[0];
  };
}

/**
 * The names and indexes of a path that a value can be searched by, without reading the
 * rest of a text; undefined for any other path.
 */
export function searchKeys(text: string): (string | number)[] | undefined {
  const query = parseQuery(text);
  if (!query.singular || query.segments.length === 0) return undefined;
  const keys = keysOf(query);
  return keys.some((key) => typeof key === "number" && key < 0)
    ? undefined
    : keys;
}

/**
 * Compiles a JSON path to everything it matches.
 *
 * @throws {ExpressionError}
 */
export function compileMatches(
  text: string,
): (value: JsonValue | undefined) => readonly JsonValue[] {
  const nodes = compileNodes(parseQuery(text));
  return (value) => {
    if (value === undefined) return [];
    startWork();
    return nodes(value, value);
  };
}
