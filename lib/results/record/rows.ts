import { toThousandths } from "../../base/values/numbers.ts";
import { sum } from "../../base/values/sum.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import type { CountedRow } from "../../model/result/totals.ts";
import { type RowName, rowOf } from "../failures/failures.ts";
import { allFailures, type NamedStep } from "../failures/step_failures.ts";
import { outcomeOf } from "../traces/trace_build.ts";
import { withoutSecrets } from "../failures/without_secrets.ts";

/** Rows as plain data. */
export interface RowsData {
  readonly rows: readonly CountedRow[];
  /** Rows beyond those. */
  readonly other: number;
}

/** Of each kind: passed, and not passed. */
const MOST = 200;
/** Of one row. */
const MOST_FAILURES = 20;

/** Remembers iterations one by one: the first 200 that passed and that did not. */
export class RowLog {
  readonly #passed: CountedRow[] = [];
  readonly #others: CountedRow[] = [];
  #beyond = 0;

  /**
   * @param rowName what a fixture row is called
   * @param beyond takes those that are not remembered
   */
  constructor(
    readonly steps: readonly NamedStep[],
    readonly rowName?: RowName,
    readonly beyond: (row: CountedRow) => void = () => {},
  ) {}

  /** @param traceId of its trace, when that was kept */
  note(result: IterationResult, traceId: string | undefined): void {
    const row = this.#rowOf(result, traceId);
    const list = row.outcome === "passed" ? this.#passed : this.#others;
    if (list.length < MOST) return void list.push(row);
    this.#beyond++;
    this.beyond(row);
  }

  #rowOf(result: IterationResult, traceId: string | undefined): CountedRow {
    const failures = allFailures(result, this.steps);
    const trace = traceId === undefined ? {} : { trace_id: traceId };
    const beyond = failures.length - MOST_FAILURES;
    const kept = withoutSecrets(failures.slice(0, MOST_FAILURES), result);
    return {
      iteration: result.iteration,
      ...rowOf(result, this.rowName),
      outcome: outcomeOf(result),
      duration_ms: toThousandths(result.endedAt - result.startedAt),
      ...trace,
      failures: kept.map((each) => ({ ...each, ...trace })),
      ...(beyond > 0 && { other_failures: beyond }),
    };
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
