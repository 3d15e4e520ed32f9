import { DIGIT_BYTES, HEX, type Stretch, textOf } from "./digits.ts";

/** Whether so many hexadecimal digits stand side by side. */
export function hasHex(
  text: string,
  from: number,
  to: number,
  least: number,
): boolean {
  for (let at = from + least - 1; at < to;) {
    let back = at;
    while (back > at - least && isHex(text.charCodeAt(back))) back--;
    if (back === at - least) return true;
    // No run that is long enough reaches across a character that is no digit.
    at = back + least;
  }
  return false;
}

/**
 * Whether a run of so many hexadecimal digits holds what a secret may begin with,
 * or more encoded text.
 */
export function isHexWorth(
  text: string,
  from: number,
  to: number,
  least: number,
  begins: Uint8Array,
): boolean {
  const digits = Math.ceil(least / 2 * 8 / 6);
  let count = 0;
  let window = 0;
  let [even, odd] = [0, 0];
  let worth = false;
  for (let at = from; at < to; at++) {
    const value = HEX[text.charCodeAt(at)]!;
    if (value < 0) {
      if (worth && count >= least) return true;
      worth = false;
      count = even = odd = 0;
      continue;
    }
    window = (window << 4 | value) & 0xffff;
    const digit = DIGIT_BYTES[window & 0xff]!;
    if ((count++ & 1) === 0) even = (even + digit) * digit;
    else odd = (odd + digit) * digit;
    worth ||= count >= 4 && begins[window] === 1 || even >= digits ||
      odd >= digits;
  }
  return worth && count >= least;
}

function isHex(unit: number): boolean {
  return unit < HEX.length && HEX[unit]! >= 0;
}

/** Whether two dashes stand as far from each other as between pairs of digits. */
export function hasDashes(text: string, from: number, to: number): boolean {
  for (let at = from + 2; at + 3 < to; at++) {
    if (text[at] === "-" && text[at + 3] === "-") return true;
  }
  return false;
}

/**
 * The stretches of decoded bytes in which a secret may stand: those made of
 * likely bytes alone, and long enough.
 *
 * @param digits hexadecimal digits and nothing else
 * @param skip how many of them are left out
 */
export function hexStretches(
  digits: string,
  skip: number,
  likely: Uint8Array,
  least: number,
): Stretch[] {
  const odd = (digits.length - skip) % 2;
  const bytes = Uint8Array.fromHex(digits.slice(skip, digits.length - odd));
  const found: Stretch[] = [];
  let begin = 0;
  for (let to = 0; to <= bytes.length; to++) {
    if (to < bytes.length && likely[bytes[to]!] === 1) continue;
    const from = begin;
    begin = to + 1;
    if (to - from < least) continue;
    found.push({
      text: textOf(bytes.subarray(from, to)),
      first: from === 0,
      last: to === bytes.length,
      digits: (start, end) => [
        skip + 2 * (from + start),
        skip + 2 * (from + end),
      ],
    });
  }
  return found;
}
