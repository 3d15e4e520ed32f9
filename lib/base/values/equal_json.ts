import type { JsonObject, JsonValue } from "./json.ts";
import { compareNumbers, isNumber } from "./numbers.ts";

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
