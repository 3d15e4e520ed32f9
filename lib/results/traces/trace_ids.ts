/** The seed that makes the ids of one run differ from those of any other: four 32-bit words. */
export type IdWords = readonly [number, number, number, number];

/** @param chance numbers in [0, 1); not the run's seeded ones, so that runs differ */
export function randomIdWords(chance: () => number): IdWords {
  const word = () => Math.floor(chance() * 2 ** 32) | 0;
  return [word(), word(), word(), word()];
}

/**
 * Ids as in OTLP/JSON, hex: 8 bytes a span, 16 a trace, never all zero. Within a
 * run no two are equal: each ends in a one-to-one scramble of its number.
 */
export function traceId(words: IdWords, iteration: number): string {
  const [first, second, third, fourth] = words;
  const high = Math.floor(iteration / 2 ** 32);
  return hex(first | 1) + hex(second) + hex(scramble(third + high)) +
    hex(scramble(iteration ^ fourth));
}

/**
 * The span of the iteration itself, which is above those of its steps where
 * traces leave the program.
 */
export function rootSpanId(trace: string): string {
  return trace.slice(16);
}

/**
 * The `traceparent` of an attempt's request (W3C Trace Context, section 3.2).
 *
 * @param attempt 0-based, of all attempts of the iteration
 */
export function traceParent(
  words: IdWords,
  iteration: number,
  attempt: number,
): string {
  return `00-${traceId(words, iteration)}-${
    requestSpanId(words, iteration, attempt)
  }-01`;
}

/** Below the bit that keeps span ids from 0: no trace has as many other spans. */
const REQUESTS = 0x40000000;

/**
 * The span of an attempt's request. It is known when the request goes out, where
 * what spans there will be before it is not.
 */
export function requestSpanId(
  words: IdWords,
  iteration: number,
  attempt: number,
): string {
  return spanId(words, iteration, REQUESTS | attempt);
}

/** @param index 0-based position of the span in its trace */
export function spanId(
  words: IdWords,
  iteration: number,
  index: number,
): string {
  const [first, second, third] = words;
  return hex(scramble(iteration ^ first ^ third)) +
    // The highest bit keeps it from 0.
    hex(scramble((index ^ second) | 0x80000000));
}

/** One-to-one on 32 bits; 0 stays 0 (the finaliser of MurmurHash3). */
function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

// A run with long iterations stores 100,000 ids: `toString(16)` takes ten times as long.
const BYTES = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

function hex(value: number): string {
  return BYTES[value >>> 24]! + BYTES[value >>> 16 & 255]! +
    BYTES[value >>> 8 & 255]! + BYTES[value & 255]!;
}
