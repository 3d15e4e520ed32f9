import { deepStrictEqual, equal } from "node:assert/strict";
import { type Words, wordsOf } from "../../../../lib/base/time/random.ts";

/*
 * Known results of threefry4x32-20 from `kat_vectors` of Random123 (D. E. Shaw
 * Research): counter, key, result.
 */
const KNOWN = [
  [
    "00000000 00000000 00000000 00000000",
    "00000000 00000000 00000000 00000000",
    "9c6ca96a e17eae66 fc10ecd4 5256a7d8",
  ],
  [
    "ffffffff ffffffff ffffffff ffffffff",
    "ffffffff ffffffff ffffffff ffffffff",
    "2a881696 57012287 f6c7446e a16a6732",
  ],
  [
    "243f6a88 85a308d3 13198a2e 03707344",
    "a4093822 299f31d0 082efa98 ec4e6c89",
    "59cd1dbb b8879579 86b5d00c ac8b6d84",
  ],
] as const;

function words(text: string): Words {
  const [a, b, c, d] = text.split(" ").map((each) => parseInt(each, 16));
  return [a!, b!, c!, d!];
}

Deno.test("wordsOf gives the published results of Threefry-4x32-20", () => {
  for (const [counter, key, result] of KNOWN) {
    deepStrictEqual(wordsOf(words(key), words(counter)), words(result));
  }
});

Deno.test("wordsOf: neighbouring counters share no words, and their bits are even", () => {
  const seen = new Set<string>();
  const ones = new Uint32Array(128);
  const count = 20_000;
  for (let n = 0; n < count; n++) {
    const drawn = wordsOf([1, 0, 0, 0], [n >> 1, n & 1, 0, 0]);
    seen.add(drawn.join());
    for (let bit = 0; bit < 128; bit++) {
      ones[bit]! += drawn[bit >> 5]! >>> (bit & 31) & 1;
    }
  }
  equal(seen.size, count);
  // Five standard deviations: the draws are fixed.
  const most = 5 * Math.sqrt(count) / 2;
  equal(ones.findIndex((each) => Math.abs(each - count / 2) > most), -1);
});
