import * as v from "valibot";
import { compareNumbers, isNumber } from "./numbers.ts";

/**
 * A JSON value, exactly as RFC 8259 allows it. A bigint is an integer whose
 * digits a double does not hold; see `readJson`.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether `value` is a JSON object (neither a list nor null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a member; `__proto__` is a key like any other. */
export function setMember(
  object: Record<string, JsonValue>,
  key: string,
  value: JsonValue,
): void {
  if (key !== "__proto__") {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The name of a value's JSON type, with integers apart from other numbers. */
export function jsonType(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return typeof value;
}

/** `pointer` one level deeper (JSON Pointer, RFC 6901 section 3). */
export function child(pointer: string, key: string | number): string {
  const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${pointer}/${token}`;
}

/** Any JSON value; its deep shape is checked by its owner. */
export const anyJson: v.GenericSchema<JsonValue> = v.custom<JsonValue>(
  (value) => value !== undefined,
);

/** A JSON object; the deep shape of its members is checked by its owner. */
export const anyObject: v.GenericSchema<JsonObject> = v.custom<JsonObject>(
  isObject,
  "Invalid type: Expected object",
);

/** A value that is neither a list nor an object, and the keys that lead to it. */
export interface JsonLeaf {
  readonly value: Exclude<JsonValue, JsonObject | readonly JsonValue[]>;
  readonly path: readonly (string | number)[];
  /** The last name on the way; empty when there is none. */
  readonly key: string;
}

/** Every such value, in the order of the text. */
export function* leavesOf(
  value: JsonValue,
  path: JsonLeaf["path"] = [],
  key = "",
): Generator<JsonLeaf> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield* leavesOf(each, [...path, index], key);
    }
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      yield* leavesOf(each, [...path, name], name);
    }
  } else yield { value: value as JsonLeaf["value"], path, key };
}

/** The same value with other leaves. */
export function withLeaves(
  value: JsonValue,
  change: (leaf: JsonLeaf) => JsonValue,
  path: JsonLeaf["path"] = [],
  key = "",
): JsonValue {
  if (Array.isArray(value)) {
    return value.map((each, index) =>
      withLeaves(each, change, [...path, index], key)
    );
  }
  if (!isObject(value)) {
    return change({ value: value as JsonLeaf["value"], path, key });
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      withLeaves(each, change, [...path, name], name),
    ]),
  );
}

/** The objects of a list; none of what is no list. */
export function objectsIn(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Every value, lists and objects among them, with how many of those are around it. */
export function* valuesOf(root: JsonValue): Generator<[JsonValue, number]> {
  const open: [JsonValue, number][] = [[root, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    const [value, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    for (const each of Object.values(value)) open.push([each, depth + 1]);
  }
}

/** Whether lists and objects lie more than `levels` deep in one another. */
export function isDeeper(root: JsonValue, levels: number): boolean {
  return valuesOf(root).some(([value, depth]) =>
    depth >= levels && typeof value === "object" && value !== null
  );
}

/** Whether half a surrogate pair, which is no character, is in a text or a name. */
export function hasHalfCharacter(root: JsonValue): boolean {
  return valuesOf(root).some(([value]) =>
    typeof value === "string" ? !value.isWellFormed() : isObject(value) &&
      Object.keys(value).some((each) => !each.isWellFormed())
  );
}

interface Comparing {
  /** Leaves that count as equal besides. */
  readonly alike?: (a: JsonValue, b: JsonValue) => boolean;
  /** Called with the number of values compared next; may throw. */
  readonly spend?: (values: number) => void;
}

/**
 * Whether two JSON values are equal: numbers by value, objects in any order.
 * Keeps its own stack: a response may be nested deeper than a call stack is.
 */
export function equalJson(
  a: JsonValue,
  b: JsonValue,
  { alike, spend }: Comparing = {},
): boolean {
  const left: JsonValue[] = [a];
  const right: JsonValue[] = [b];
  while (left.length > 0) {
    const [one, other] = [left.pop()!, right.pop()!];
    if (one === other) continue;
    if (isNumber(one) && isNumber(other)) {
      if (compareNumbers(one, other) !== 0) return false;
    } else if (!alike?.(one, other)) {
      const size = pairUp(one, other, left, right);
      if (size < 0) return false;
      spend?.(size + 1);
    }
  }
  return true;
}

/** Adds the items of two lists, or the members of two objects; -1 when they differ. */
function pairUp(
  a: JsonValue,
  b: JsonValue,
  left: JsonValue[],
  right: JsonValue[],
): number {
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return -1;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) return -1;
    if (a.length !== b.length) return -1;
    for (let at = 0; at < a.length; at++) {
      left.push(a[at]);
      right.push(b[at]);
    }
    return a.length;
  }
  const [one, other] = [a as JsonObject, b as JsonObject];
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return -1;
  for (const key of keys) {
    if (!Object.hasOwn(other, key)) return -1;
    left.push(one[key]!);
    right.push(other[key]!);
  }
  return keys.length;
}
