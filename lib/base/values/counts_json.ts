import type { Counts } from "./counts.ts";

/** Typed arrays that JSON carries as an object of one key. */
const KINDS = {
  $u8: Uint8Array,
  $u16: Uint16Array,
  $u32: Uint32Array,
} as const;

/** No array of counts is longer; a file may come from anywhere. */
const LONGEST = 1 << 20;

/**
 * A copy of plain data for JSON. Counts, which are mostly zero, become their
 * length, then for each that is not zero how far it lies behind the one before,
 * and itself.
 */
export function countsToJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => {
    const kind = Object.entries(KINDS).find(([, type]) => each instanceof type);
    return kind ? { [kind[0]]: sparse(each) } : each;
  }));
}

/** Undoes it. @throws {Error} when an array is not what it should be */
export function countsFromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(countsFromJson);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first && Object.hasOwn(KINDS, first[0])) {
    return dense(first[1], KINDS[first[0] as keyof typeof KINDS]);
  }
  return Object.fromEntries(
    entries.map(([key, each]) => [key, countsFromJson(each)]),
  );
}

function sparse(counts: ArrayLike<number>): number[] {
  const packed = [counts.length];
  let before = 0;
  for (let at = 0; at < counts.length; at++) {
    if (counts[at] === 0) continue;
    packed.push(at - before, counts[at]!);
    before = at;
  }
  return packed;
}

function dense(
  packed: unknown,
  Counts: (typeof KINDS)[keyof typeof KINDS],
): Counts {
  const numbers = Array.isArray(packed) ? packed : [];
  const whole = (each: unknown) =>
    Number.isInteger(each) && each as number >= 0;
  const [length, ...pairs] = numbers;
  if (!numbers.every(whole) || !whole(length) || length > LONGEST) {
    throw new Error("counts are not what they should be");
  }
  const counts = new Counts(length);
  let at = 0;
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    at += pairs[i];
    if (at >= length) throw new Error("there is a count behind the last one");
    counts[at] = pairs[i + 1];
  }
  return counts;
}
