import type { IterationResult, Outcome } from "../../model/result/iteration.ts";
import { sum } from "../../base/values/sum.ts";
import { withoutSecrets } from "./without_secrets.ts";
import { allFailures, type StepFailure } from "./failures.ts";
import { outcomeOf } from "./trace_build.ts";

/** One iteration of a rows run, as plain data. */
export interface RowData {
  readonly iteration: number;
  readonly row?: number;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly kept: boolean;
  /** Everything that is wrong with it; the first of many. */
  readonly failures: readonly StepFailure[];
  /** How many there are beyond those. */
  readonly otherFailures: number;
}

/** Rows as plain data. */
export interface RowsData {
  readonly rows: readonly RowData[];
  /** Rows beyond those. */
  readonly other: number;
}

/** Of each kind: passed, and not passed. */
const MOST = 200;
/** Of one row. */
const MOST_FAILURES = 20;

/** Remembers iterations one by one: the first 200 that passed and that did not. */
export class RowLog {
  readonly #passed: RowData[] = [];
  readonly #others: RowData[] = [];
  #beyond = 0;

  note(result: IterationResult, kept: boolean): void {
    const outcome = outcomeOf(result);
    const list = outcome === "passed" ? this.#passed : this.#others;
    if (list.length === MOST) {
      this.#beyond++;
      return;
    }
    const failures = allFailures(result);
    list.push({
      iteration: result.iteration,
      ...(result.row !== undefined && { row: result.row }),
      outcome,
      durationMs: result.endedAt - result.startedAt,
      kept,
      failures: withoutSecrets(failures.slice(0, MOST_FAILURES), result),
      otherFailures: Math.max(0, failures.length - MOST_FAILURES),
    });
  }

  data(): RowsData {
    return { rows: [...this.#passed, ...this.#others], other: this.#beyond };
  }
}

/** Puts rows together, by iteration. */
export function mergeRows(parts: readonly RowsData[]): RowsData {
  return {
    rows: parts.flatMap((part) => part.rows)
      .sort((a, b) => a.iteration - b.iteration),
    other: sum(parts, (part) => part.other),
  };
}
