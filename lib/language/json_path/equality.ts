import { isObject, type JsonValue } from "../../base/values/json.ts";
import { spend } from "./work.ts";

/** What a comparison is given: no value is one of its values. */
export type Operand = JsonValue | undefined;

/**
 * Whether two values are equal (RFC 9535 section 2.3.5.2.2). Keeps its own
 * stack: what is compared may be nested deeper than a call stack is.
 */
export function isEqual(left: Operand, right: Operand): boolean {
  if (typeof left !== "object" || typeof right !== "object") {
    return left === right;
  }
  const pairs: Operand[] = [left, right];
  while (pairs.length > 0) {
    const b = pairs.pop();
    const a = pairs.pop();
    if (a === b) continue;
    if (!pushPairs(a, b, pairs)) return false;
  }
  return true;
}

/** Puts what two containers hold side by side; false when they differ. */
function pushPairs(a: Operand, b: Operand, pairs: Operand[]): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    spend(a.length + 1);
    for (let at = 0; at < a.length; at++) pairs.push(a[at], b[at]);
    return true;
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  spend(keys.length + 1);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    pairs.push(a[key], b[key]);
  }
  return true;
}

/** Whether `left` comes before `right`: two numbers, or two texts. */
export function isLess(left: Operand, right: Operand): boolean {
  if (typeof left === "number" && typeof right === "number") {
    return left < right;
  }
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
