/**
 * So many values may one evaluation look at. The largest body that is read holds
 * 8 million of them: a path that goes over all of it twice has its result, and
 * `$..*..*`, which would never end, is stopped within a second.
 */
const MOST_STEPS = 20_000_000;

/** A path that asks for too much work on the value it was given. */
export class PathWorkError extends Error {
  override readonly name = "PathWorkError";
}

let left = MOST_STEPS;

/** Begins an evaluation. One runs at a time: none of them waits. */
export function startWork(): void {
  left = MOST_STEPS;
}

/** @throws {PathWorkError} when the evaluation has taken all it may */
export function spend(steps: number): void {
  left -= steps;
  if (left >= 0) return;
  throw new PathWorkError(
    `the JSON path looks at more than ${MOST_STEPS} values of this body`,
  );
}
