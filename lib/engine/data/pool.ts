import type { Pool } from "../../model/ir/flow.ts";
import { seededRandom } from "../../base/time/random.ts";
import type { SharedCounter } from "./counter.ts";

/** Hands out the rows of one pool. */
export interface RowSource {
  /**
   * The 0-based index of the next row for `vu`; undefined when the pool ran
   * dry, and from then on.
   */
  next(vu: number): number | undefined;
  /** What a dry pool means: `fail` goes on without a row, `stop` ends the run. */
  readonly exhausted: Pool["on_exhausted"];
}

/**
 * Opens the hand-out of a pool with `size` rows.
 *
 * - `unique-per-vu`: rows in file order, each once in the whole run; then
 *   `cycle` begins again, and the others run dry.
 * - `round-robin`: rows in file order, again and again.
 * - `random`: any row each time; the nth row of a run is the same for the
 *   same seed, whichever thread picks it. Where every row is to have its turn,
 *   all of them in random order, again and again.
 *
 * The last two never run dry.
 *
 * @param counter one for the pool, shared by every thread
 * @param everyRow a pool that is asked as often as it has rows hands out all of them
 */
export function openPool(
  pool: Pick<Pool, "distribution" | "on_exhausted">,
  size: number,
  seed: number,
  counter: SharedCounter,
  everyRow = false,
): RowSource {
  const next = everyRow && pool.distribution === "random"
    ? shuffler(size, seed, counter)
    : rowPicker(pool, size, seed, counter);
  return { exhausted: pool.on_exhausted, next };
}

/** Goes round the rows in one random order (Fisher and Yates). */
function shuffler(
  size: number,
  seed: number,
  counter: SharedCounter,
): () => number {
  const order = Uint32Array.from({ length: size }, (_, row) => row);
  for (let last = size - 1; last > 0; last--) {
    const other = Math.floor(draw(seed, last) * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return () => order[counter.take() % size]!;
}

function rowPicker(
  { distribution, on_exhausted: policy }: Pick<
    Pool,
    "distribution" | "on_exhausted"
  >,
  size: number,
  seed: number,
  counter: SharedCounter,
): () => number | undefined {
  if (distribution === "random") {
    return () => Math.floor(draw(seed, counter.take()) * size);
  }
  if (distribution === "round-robin" || policy === "cycle") {
    return () => counter.take() % size;
  }
  return () => {
    // Looked at first: a dry pool that went on counting would wrap in the end
    // and hand its rows out a second time.
    if (counter.taken() >= size) return undefined;
    const index = counter.take();
    return index < size ? index : undefined;
  };
}

/** A number in [0, 1) that depends on the seed and the count alone. */
function draw(seed: number, index: number): number {
  // Spread apart, so that neighbouring seeds do not give shifted copies.
  const start = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) +
    Math.imul(index, 0x6d2b79f5);
  return seededRandom(start)();
}
