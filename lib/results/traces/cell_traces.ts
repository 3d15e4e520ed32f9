import { PassedStep, type StepResult } from "../../model/result/iteration.ts";
import {
  hasLatency,
  serviceTime,
  startOf,
  type StepResponse,
  touchedTheWire,
} from "../../model/result/response.ts";
import { MAP_COLUMNS } from "../../model/result/series.ts";
import type { Cell } from "../../model/result/trace.ts";
import { COARSE_BUCKETS, coarseBucket } from "../histograms/fine_buckets.ts";

/** Cells with an item at most; a map with more has half as many columns. */
const MOST_CELLS = 1_000;

/**
 * One item for each cell of the map of latencies over time, the first that came.
 * A run of more than 60 seconds has columns of two, then of four, and so on, as
 * the map is drawn.
 */
export class CellMap<T> {
  readonly #items: (T | undefined)[] = new Array(MAP_COLUMNS * COARSE_BUCKETS)
    .fill(undefined);
  #size = 0;
  /** Seconds to a column. */
  #width = 1;

  /** Whether the cell has none yet. */
  lacks(second: number, bucket: number): boolean {
    const column = Math.floor(second / this.#width);
    return column >= MAP_COLUMNS ||
      this.#items[column * COARSE_BUCKETS + bucket] === undefined;
  }

  /** Puts the item into those of its cells that have none. */
  add(cells: readonly Cell[], item: T): void {
    for (const [second, bucket] of cells) {
      if (!this.lacks(second, bucket)) continue;
      while (second >= MAP_COLUMNS * this.#width || this.#size >= MOST_CELLS) {
        this.#fold();
      }
      const column = Math.floor(second / this.#width);
      const at = column * COARSE_BUCKETS + bucket;
      if (this.#items[at] !== undefined) continue;
      this.#items[at] = item;
      this.#size++;
    }
  }

  /** Each item once. */
  list(): T[] {
    return [...new Set(this.#items)].filter((item) => item !== undefined);
  }

  /** Puts two columns together. */
  #fold(): void {
    const old = this.#items.slice();
    this.#items.fill(undefined);
    this.#size = 0;
    this.#width *= 2;
    old.forEach((item, at) => {
      if (item === undefined) return;
      const column = Math.floor(at / COARSE_BUCKETS) >> 1;
      const to = column * COARSE_BUCKETS + at % COARSE_BUCKETS;
      if (this.#items[to] !== undefined) return;
      this.#items[to] = item;
      this.#size++;
    });
  }
}

/**
 * Calls `note` with each latency that an iteration adds to the distribution: when
 * it ended, on the run's clock, and how long it took, in milliseconds.
 */
function eachLatency(
  steps: readonly StepResult[],
  note: (at: number, ms: number) => void,
): void {
  for (let nth = 0; nth < steps.length; nth++) {
    const step = steps[nth]!;
    if (step instanceof PassedStep) {
      eachOf(step.response, step.dueAt, note);
      continue;
    }
    const { attempts, outcome } = step;
    for (let i = 0; i < attempts.length; i++) {
      const attempt = attempts[i]!;
      // What the checks of a step say is said of its last attempt.
      const last = i === attempts.length - 1 && attempt.outcome !== "failed";
      if ((last ? outcome : attempt.outcome) === "throttled") continue;
      eachOf(attempt.response, attempt.permit?.dueAt, note);
    }
  }
}

/** The same of one response. */
function eachOf(
  response: StepResponse | undefined,
  dueAt: number = NaN,
  note: (at: number, ms: number) => void,
): void {
  if (!response || !touchedTheWire(response)) return;
  const { marks, samples } = response;
  if (!samples) {
    if (!hasLatency(response)) return;
    const due = !Number.isNaN(dueAt);
    return note(marks.end, due ? marks.end - dueAt : serviceTime(marks));
  }
  let late = Number.isNaN(dueAt) ? 0 : startOf(response) - dueAt;
  for (const service of samples) {
    if (!Number.isNaN(service)) note(marks.end, service + late);
    late = 0;
  }
}

/**
 * The cells that the latencies of an iteration count in, each once.
 *
 * @param start the run's start on the run's clock, in milliseconds
 */
export function cellsOf(steps: readonly StepResult[], start: number): Cell[] {
  const cells: Cell[] = [];
  eachLatency(steps, (at, ms) => {
    const second = secondOf(at, start);
    const bucket = coarseBucket(ms);
    if (!cells.some(([s, b]) => s === second && b === bucket)) {
      cells.push([second, bucket]);
    }
  });
  return cells;
}

/** A number for each cell: an iteration has forty, and each pair would be an array. */
export function packCells(cells: readonly Cell[]): number[] {
  return cells.map(([second, bucket]) => second * COARSE_BUCKETS + bucket);
}

/** The cells of `packCells`. */
export function unpackCells(packed: readonly number[]): Cell[] {
  return packed.map((cell) => [
    Math.floor(cell / COARSE_BUCKETS),
    cell % COARSE_BUCKETS,
  ]);
}

/** Whether a latency of an iteration counts in a cell that has no trace yet. */
export class CellSearch {
  #found = false;
  #start = 0;

  constructor(readonly map: CellMap<unknown>) {}

  /** @param start the run's start on the run's clock, in milliseconds */
  finds(steps: readonly StepResult[], start: number): boolean {
    this.#found = false;
    this.#start = start;
    eachLatency(steps, this.#look);
    return this.#found;
  }

  /** One function for all iterations: it is called for each request. */
  readonly #look = (at: number, ms: number): void => {
    if (this.#found) return;
    const second = secondOf(at, this.#start);
    this.#found = this.map.lacks(second, coarseBucket(ms));
  };
}

function secondOf(at: number, start: number): number {
  return Math.max(0, Math.floor((at - start) / 1_000));
}
