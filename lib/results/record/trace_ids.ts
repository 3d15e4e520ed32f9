/**
 * Ids that are the same for the same seed and iteration, hex as in OTLP/JSON
 * (8 bytes a span, 16 a trace). Within a run no two are equal: each ends in a
 * one-to-one scramble of its number.
 */
export function traceId(seed: number, iteration: number): string {
  const high = Math.floor(iteration / 2 ** 32);
  const place = scramble(seed ^ 0x9e3779b9);
  return hex(scramble(seed) | 1) + hex(scramble(seed ^ 0x5bd1e995)) +
    hex(scramble(place + high)) + hex(scramble(iteration ^ place));
}

/** @param index 0-based place of the span in its trace */
export function spanId(iteration: number, index: number): string {
  return hex(scramble(iteration ^ 0x2545f491)) + hex(scramble(index + 1));
}

/** One-to-one on 32 bits; 0 stays 0 (the finaliser of MurmurHash3). */
function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
