/** Numbers in [0, 1), the same ones for the same seed. */
export type Random = () => number;

/**
 * A seeded generator (mulberry32): small state, full 32-bit period, good
 * enough to draw rows and samples. Not for secrets.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => fractionAt(state = (state + STEP) >>> 0);
}

const STEP = 0x6d2b79f5;

/** The upper of the two words of a seed, which has up to 53 bits and a sign; 0 of a small one. */
function upperOf(seed: number): number {
  return Math.floor(seed / 2 ** 32) | 0;
}

/** The 32 bits of a run's seed, for what has no room for more; a small one is its own. */
export function bitsOf(seed: number): number {
  return (seed ^ Math.imul(upperOf(seed), 0x9e3779b1)) >>> 0;
}

/** The key of a run's draws (see `wordsOf`): of its seed, and of the flow in a mix. */
export function keyOf(seed: number, flow = 0): Words {
  return [seed, flow, upperOf(seed), 0];
}

/** The first number of `seededRandom(seed)`, without making one. */
export function firstRandom(seed: number): number {
  return fractionAt((seed + STEP) >>> 0);
}

function fractionAt(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

/** Chance that differs from run to run; for names, never for what a run does. */
export const systemChance: Random = (): number => Math.random();

/** A number in [0, 1) with 53 bits of the first two words. */
export function fractionOf([a, b]: Words): number {
  return ((a >>> 5) * 2 ** 26 + (b >>> 6)) / 2 ** 53;
}

/** The fourth word of a counter: whose draws the others count. */
export const DRAWS = { values: 0, waits: 1 } as const;

/** 128 bits, as four words. */
export type Words = readonly [a: number, b: number, c: number, d: number];

/** Of Threefry-4x32: by how much two words are turned in a round; the eight repeat. */
const LEFT = [10, 11, 13, 23, 6, 17, 25, 18] as const;
const RIGHT = [26, 21, 27, 5, 20, 11, 10, 20] as const;
const ROUNDS = 20;
const PARITY = 0x1bd11bda;

/**
 * The words that a key and a counter stand for (Threefry-4x32-20 of Salmon,
 * Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"). With one
 * key no two counters give the same 128 bits, so it needs no state, and every
 * thread and machine draws the same. Not for secrets.
 */
export function wordsOf(key: Words, counter: Words): Words {
  const [e, f, g, h] = key;
  const keys = [e, f, g, h, e ^ f ^ g ^ h ^ PARITY];
  let a = counter[0] + keys[0]! | 0;
  let b = counter[1] + keys[1]! | 0;
  let c = counter[2] + keys[2]! | 0;
  let d = counter[3] + keys[3]! | 0;
  for (let round = 0; round < ROUNDS; round++) {
    const left = LEFT[round & 7]!;
    const right = RIGHT[round & 7]!;
    a = a + b | 0;
    c = c + d | 0;
    const turned = (b << left | b >>> 32 - left) ^ a;
    const other = (d << right | d >>> 32 - right) ^ c;
    // The second and the fourth word change places.
    b = other;
    d = turned;
    if (round % 4 !== 3) continue;
    const at = (round + 1) / 4;
    a = a + keys[at % 5]! | 0;
    b = b + keys[(at + 1) % 5]! | 0;
    c = c + keys[(at + 2) % 5]! | 0;
    d = d + keys[(at + 3) % 5]! + at | 0;
  }
  return [a >>> 0, b >>> 0, c >>> 0, d >>> 0];
}
