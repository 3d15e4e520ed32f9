import fc from "fast-check";

const { BENCH_SEED, BENCH_RUNS } = Deno.env.toObject();
const random = BENCH_SEED === "random";
const numRuns = BENCH_RUNS ? Number(BENCH_RUNS) : random ? 600 : undefined;

/**
 * Loaded before the tests of `deno task test`, and by those that draw their cases
 * without a property: they draw the same ones each time, so that a change is judged
 * by what it changes. BENCH_SEED is the seed of others, or `random`; BENCH_RUNS says
 * how many cases a property draws.
 */
fc.configureGlobal({
  seed: random
    ? Math.floor(Math.random() * 0x7fffffff)
    : Number(BENCH_SEED || 20261120),
  ...(numRuns !== undefined && { numRuns }),
});
