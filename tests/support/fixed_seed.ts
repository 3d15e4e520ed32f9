import fc from "fast-check";

/**
 * Loaded before the tests of `deno task test`: property tests draw the same
 * cases each time, so that a change is judged by what it changes. A plain
 * `deno test` draws new ones; BENCH_SEED repeats what it found.
 */
fc.configureGlobal({ seed: Number(Deno.env.get("BENCH_SEED") ?? 20261120) });
