import { isObject, type JsonValue } from "../../base/values/json.ts";
import type { JsonNumber } from "../../base/values/numbers.ts";

/** A JSONPath query, read (RFC 9535 section 2.1). */
export interface Query {
  /** `$`, or `@` inside a filter. */
  readonly root: "$" | "@";
  readonly segments: readonly Segment[];
  /** Matches one node at most (RFC 9535 section 2.3.5.1). */
  readonly singular: boolean;
}

export interface Segment {
  /** `..`: it looks at the node and all below it, else at the node alone. */
  readonly descendant: boolean;
  readonly selectors: readonly Selector[];
}

export type Selector =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "wildcard" }
  | Slice
  | { readonly kind: "filter"; readonly condition: Condition };

export interface Slice {
  readonly kind: "slice";
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number;
}

export type Condition =
  | { readonly kind: "or" | "and"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | { readonly kind: "exists"; readonly query: Query }
  | {
    readonly kind: "compare";
    readonly operator: CompareOperator;
    readonly left: Comparable;
    readonly right: Comparable;
  }
  | FunctionCall;

export const COMPARE_OPERATORS = ["==", "!=", "<=", ">=", "<", ">"] as const;
export type CompareOperator = typeof COMPARE_OPERATORS[number];

/** An expression with one value, or none. */
export type Comparable =
  | {
    readonly kind: "literal";
    readonly value: string | JsonNumber | boolean | null;
  }
  | { readonly kind: "query"; readonly query: Query }
  | FunctionCall;

export interface FunctionCall {
  readonly kind: "call";
  readonly name: FunctionName;
  readonly args: readonly Comparable[];
}

/** The types of a function's arguments and result (RFC 9535 section 2.4.1). */
type FunctionType = "value" | "logical" | "nodes";

/** The functions of RFC 9535 sections 2.4.4 to 2.4.8. */
export const FUNCTIONS = {
  length: { takes: ["value"], gives: "value" },
  count: { takes: ["nodes"], gives: "value" },
  match: { takes: ["value", "value"], gives: "logical" },
  search: { takes: ["value", "value"], gives: "logical" },
  value: { takes: ["nodes"], gives: "value" },
} as const satisfies Readonly<
  Record<
    string,
    { readonly takes: readonly FunctionType[]; readonly gives: FunctionType }
  >
>;
export type FunctionName = keyof typeof FUNCTIONS;

/** The value a singular query leads to; undefined when there is none. */
type Follow = (value: JsonValue | undefined) => JsonValue | undefined;

/** One segment: a name, or an index when it is a number. */
interface Key {
  readonly key: string | number;
  /** Every object has something under this name, which JSON did not put there. */
  readonly inherited: boolean;
}

/** The names and indexes that a singular query is made of. */
export function keysOf({ segments }: Query): (string | number)[] {
  return segments.map(({ selectors: [selector] }) => {
    if (selector?.kind === "index") return selector.index;
    if (selector?.kind === "name") return selector.name;
    throw new TypeError("the query is not singular");
  });
}

/** Compiles a singular query to a chain of property reads. */
export function compileSingular(query: Query): Follow {
  const keys = keysOf(query).map((key): Key => ({
    key,
    inherited: typeof key === "string" && key in Object.prototype,
  }));
  return (value) => {
    let at = value;
    for (const { key, inherited } of keys) {
      if (typeof key === "number") {
        if (!Array.isArray(at)) return undefined;
        at = at[key < 0 ? at.length + key : key];
      } else {
        // A name selects nothing from a list, not even `length` (RFC 9535
        // section 2.3.1.2).
        if (!isObject(at)) return undefined;
        if (inherited && !Object.hasOwn(at, key)) return undefined;
        at = at[key];
      }
    }
    return at;
  };
}
