import { equalJson } from "../../base/values/equal_json.ts";
import type { JsonValue } from "../../base/values/json.ts";
import { compareNumbers, isNumber } from "../../base/values/numbers.ts";
import { spend } from "../../base/values/work.ts";

/** What a comparison is given: no value is one of its values. */
export type Operand = JsonValue | undefined;

/** Whether two values are equal (RFC 9535 section 2.3.5.2.2). */
export function isEqual(left: Operand, right: Operand): boolean {
  return left === right ||
    (left !== undefined && right !== undefined &&
      equalJson(left, right, { spend }));
}

/** Whether `left` comes before `right`: two numbers, or two texts. */
export function isLess(left: Operand, right: Operand): boolean {
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
