import { BenchError } from "../errors/bench_error.ts";
/**
 * A value on which something asked of it takes more work than one check may.
 * A response must not keep a thread from everything else.
 */
export class WorkLimitError extends BenchError {
  override readonly name = "WorkLimitError";
}

/**
 * So many values may one check look at. The largest body that is read holds 8
 * million of them: a path that goes over all of it twice has its result, and
 * `$..*..*`, which would never end, is stopped within a second.
 */
const MOST_STEPS = 20_000_000;

let left = MOST_STEPS;

/** Begins a piece of work. One is done at a time: none of them waits. */
export function startWork(): void {
  left = MOST_STEPS;
}

/** @throws {WorkLimitError} when the piece of work has taken all it may */
export function spend(steps: number): void {
  left -= steps;
  if (left >= 0) return;
  throw new WorkLimitError(`the check looks at more than ${MOST_STEPS} values`);
}
