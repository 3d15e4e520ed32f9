import type { JsonValue } from "./json.ts";
import { compareNumbers, isNumber } from "./numbers.ts";

/** Whether two JSON values are equal: numbers by value, objects in any order. */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  // A list of what is still to compare, because a response may be nested deep.
  const pairs: [JsonValue, JsonValue][] = [[a, b]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (isNumber(left) && isNumber(right)) {
      if (compareNumbers(left, right) !== 0) return false;
    } else if (!pairUp(left, right, pairs)) return false;
  }
  return true;
}

/** Adds the items of two lists, or the members of two objects. */
function pairUp(
  a: JsonValue,
  b: JsonValue,
  pairs: [JsonValue, JsonValue][],
): boolean {
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    pairs.push([
      (a as Record<string, JsonValue>)[key]!,
      (b as Record<string, JsonValue>)[key]!,
    ]);
  }
  return true;
}
