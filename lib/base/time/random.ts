/** Numbers in [0, 1), the same ones for the same seed. */
export type Random = () => number;

/**
 * A seeded generator (mulberry32): small state, full 32-bit period, good
 * enough to draw rows and samples. Not for secrets.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Chance that differs from run to run; for names, never for what a run does. */
export const systemChance: Random = (): number => Math.random();
