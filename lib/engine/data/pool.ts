import type { Pool } from "../../language/ir.ts";
import { bitsOf, seededRandom } from "../../base/time/random.ts";

/** Hands out the rows of one pool. */
interface RowSource {
  /**
   * The 0-based index of the row of the iteration with this number; undefined
   * when the pool is exhausted by then.
   */
  row(iteration: number): number | undefined;
  /** The effect of an exhausted pool: `fail` goes on without a row, `stop` ends the run. */
  readonly exhausted: Pool["on_exhausted"];
}

/**
 * Opens the hand-out of a pool with `size` rows.
 *
 * Iterations are numbered over the whole run, and the number alone decides: it
 * does not matter which thread, or which machine, runs an iteration.
 *
 * - `unique-per-vu`: rows in file order, each once in the whole run; then
 *   `cycle` begins again, and the others are exhausted.
 * - `round-robin`: rows in file order, again and again.
 * - `random`: any row each time, the same for the same seed. Where every row is
 *   to have its turn, all of them in random order, again and again.
 *
 * The last two are never exhausted.
 *
 * @param everyRow a pool that is asked as often as it has rows hands out all of them
 */
export function openPool(
  pool: Pick<Pool, "distribution" | "on_exhausted">,
  size: number,
  seed: number,
  everyRow = false,
): RowSource {
  const row = everyRow && pool.distribution === "random"
    ? shuffler(size, seed)
    : rowPicker(pool, size, seed);
  return { exhausted: pool.on_exhausted, row };
}

/** Goes round the rows in one random order (Fisher and Yates). */
function shuffler(size: number, seed: number): (iteration: number) => number {
  const order = Uint32Array.from({ length: size }, (_, row) => row);
  for (let last = size - 1; last > 0; last--) {
    const other = Math.floor(draw(seed, last) * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return (iteration) => order[iteration % size]!;
}

function rowPicker(
  { distribution, on_exhausted: policy }: Pick<
    Pool,
    "distribution" | "on_exhausted"
  >,
  size: number,
  seed: number,
): (iteration: number) => number | undefined {
  if (distribution === "random") {
    return (iteration) => Math.floor(draw(seed, iteration) * size);
  }
  if (distribution === "round-robin" || policy === "cycle") {
    return (iteration) => iteration % size;
  }
  return (iteration) => iteration < size ? iteration : undefined;
}

/** A number in [0, 1) that depends on the seed and the index alone. */
function draw(seed: number, index: number): number {
  // Spread apart, so that neighbouring seeds do not give shifted copies.
  const start = Math.imul(bitsOf(seed) ^ 0x9e3779b9, 0x85ebca6b) +
    Math.imul(index, 0x6d2b79f5);
  return seededRandom(start)();
}
