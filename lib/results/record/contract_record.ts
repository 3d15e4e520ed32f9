import { sum } from "../../base/values/sum.ts";
import { type Violation, violationKey } from "../../model/result/contract.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import type {
  CountedContract,
  CountedViolation,
} from "../../model/result/totals.ts";
import { withoutSecrets } from "../failures/failures.ts";

/** Violations of further operations and places are counted together. */
const MOST_GROUPS = 200;

/** Counts how the responses of one thread fit the description of the API. */
export class ContractRecord {
  readonly #operations = new Map<string, { checked: number; broken: number }>();
  readonly #groups = new Map<string, Group>();
  readonly #undescribed = new Set<number>();
  #other = 0;

  /**
   * Counts the responses of a step that were checked.
   *
   * @returns the group of its first violation
   */
  note(
    { step, contract = [] }: StepResult,
    result: IterationResult,
  ): string | undefined {
    let first: string | undefined;
    for (const { operation, status, violations } of contract) {
      if (operation === undefined) {
        this.#undescribed.add(step);
        continue;
      }
      const counts = this.#countsOf(operation);
      counts.checked++;
      if (violations.length > 0) counts.broken++;
      for (const each of violations) {
        const key = `contract|${operation}|${status}|${violationKey(each)}`;
        first ??= key;
        this.#count({ ...each, key, operation, status }, step, result);
      }
    }
    return first;
  }

  /** Notes what a step reached in a warm-up, of which nothing counts. */
  reach({ step, contract = [] }: StepResult): void {
    for (const { operation } of contract) {
      if (operation === undefined) this.#undescribed.add(step);
      else this.#countsOf(operation);
    }
  }

  #countsOf(operation: string): { checked: number; broken: number } {
    return this.#operations.getOrInsertComputed(
      operation,
      () => ({ checked: 0, broken: 0 }),
    );
  }

  #count(
    violation: Pick<Group, keyof Violation | "key" | "operation" | "status">,
    step: number,
    result: IterationResult,
  ): void {
    const known = this.#groups.get(violation.key);
    if (known) {
      known.count++;
      if (!known.steps.includes(step)) known.steps.push(step);
    } else if (this.#groups.size === MOST_GROUPS) this.#other++;
    else {
      this.#groups.set(violation.key, {
        ...withoutSecrets(violation, result),
        ...{ count: 1, steps: [step], iteration: result.iteration },
      });
    }
  }

  data(): CountedContract {
    return {
      operations: [...this.#operations].map(([operation, counts]) => ({
        operation,
        ...counts,
      })),
      violations: [...this.#groups.values()].map((each) => ({
        ...each,
        steps: [...each.steps],
      })),
      other: this.#other,
      undescribed: [...this.#undescribed],
    };
  }
}

type Group = CountedViolation & { count: number; readonly steps: number[] };

/**
 * How the responses of `setup` or `teardown` fit the description.
 *
 * @param first where its steps begin, among those of the run
 */
export function contractOfOnce(
  result: IterationResult,
  first: number,
  trace_id: string,
): CountedContract | undefined {
  if (!result.steps.some((each) => each.contract)) return undefined;
  const record = new ContractRecord();
  for (const each of result.steps) {
    record.note({ ...each, step: first + each.step }, result);
  }
  const { violations, ...counted } = record.data();
  return {
    ...counted,
    violations: violations.map((each) => ({ ...each, trace_id })),
  };
}

/** Adds up what several recorders counted; most frequent first. */
export function mergeContracts(
  parts: readonly (CountedContract | undefined)[],
): CountedContract | undefined {
  const all = parts.filter((each) => each !== undefined);
  if (all.length === 0) return undefined;
  const operations = Map.groupBy(
    all.flatMap((part) => part.operations),
    ({ operation }) => operation,
  );
  const groups = Map.groupBy(
    all.flatMap((part) => part.violations),
    ({ key }) => key,
  );
  const violations = [...groups.values()].map(together)
    .toSorted((a, b) => b.count - a.count || a.iteration - b.iteration);
  const dropped = violations.slice(MOST_GROUPS);
  return {
    operations: [...operations].map(([operation, some]) => ({
      operation,
      checked: sum(some, (each) => each.checked),
      broken: sum(some, (each) => each.broken),
    })),
    violations: violations.slice(0, MOST_GROUPS),
    other: sum(all, (part) => part.other) + sum(dropped, (each) => each.count),
    undescribed: [...new Set(all.flatMap((part) => part.undescribed))],
  };
}

function together(some: readonly CountedViolation[]): CountedViolation {
  const earliest = some.toSorted((a, b) => a.iteration - b.iteration)[0]!;
  return {
    ...earliest,
    count: sum(some, (each) => each.count),
    steps: [...new Set(some.flatMap((each) => each.steps))],
  };
}
