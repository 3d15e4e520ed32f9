import { sum } from "../../base/values/sum.ts";
import { failureKey } from "../../model/result/failure.ts";
import { causingStep } from "../../model/result/trace.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import type { CountedFailure } from "../../model/result/totals.ts";
import { type NamedStep, stepFailure } from "./step_failures.ts";
import { withoutSecrets } from "./without_secrets.ts";

/** Failure groups as plain data. */
export interface FailureData {
  readonly groups: readonly CountedFailure[];
  /** Failures beyond the groups kept. */
  readonly other: number;
}

/** Failures of further causes are counted together. */
export const MAX_GROUPS = 500;

/** What a fixture row is called; undefined for one without a name. */
export type RowName = (row: number) => string | undefined;

type Group = CountedFailure & { count: number; varies?: boolean };

/** Counts failures by step and cause. Throttles have groups of their own. */
export class FailureGroups {
  readonly #groups = new Map<string, Group>();
  #other = 0;

  /** @param rowName what a fixture row is called */
  constructor(
    readonly steps: readonly NamedStep[],
    readonly rowName?: RowName,
  ) {}

  /** Counts every step that did not pass; returns the key of the causing one. */
  note(result: IterationResult): string | undefined {
    const cause = result.failed || result.throttled
      ? causingStep(result.steps, (step) => step)
      : undefined;
    let group: string | undefined;
    for (const step of result.steps) {
      const failure = stepFailure(step, result, this.steps);
      if (!failure) continue;
      const key = this.#count(failure, result);
      if (step === cause) group = key;
    }
    return group;
  }

  /** Returns the key it was counted under. */
  #count(failure: CountedFailure, result: IterationResult): string {
    const known = this.#groups.get(failure.key);
    if (known) return join(known, failure);
    if (this.#groups.size === MAX_GROUPS) {
      this.#other++;
      return failure.key;
    }
    const hidden = withoutSecrets(failure, result);
    const key = failureKey(hidden.step, hidden);
    const group = this.#groups.get(key);
    if (group) return join(group, hidden);
    const row = rowOf(result, this.rowName);
    this.#groups.set(key, { ...hidden, ...row, key });
    return key;
  }

  data(): FailureData {
    const groups = [...this.#groups.values()].map((each) => ({ ...each }));
    return { groups, other: this.#other };
  }
}

/** The fixture row of an iteration, and what it is called. */
export function rowOf(
  result: IterationResult,
  rowName?: RowName,
): { row?: number; row_name?: string } {
  const { row } = result;
  if (row === undefined) return {};
  const name = rowName?.(row);
  return name === undefined
    ? { row }
    : { row, row_name: withoutSecrets(name, result) };
}

function join(group: Group, { message }: CountedFailure): string {
  group.count++;
  if (group.message !== message) group.varies = true;
  return group.key;
}

/** Adds up the groups of several recorders; most frequent first. */
export function mergeFailures(parts: readonly FailureData[]): FailureData {
  const merged = new Map<string, CountedFailure>();
  for (const group of parts.flatMap((part) => part.groups)) {
    const known = merged.get(group.key);
    merged.set(group.key, known ? together(known, group) : group);
  }
  const groups = [...merged.values()].sort((a, b) =>
    b.count - a.count || a.iteration - b.iteration
  );
  const kept = groups.slice(0, MAX_GROUPS);
  const dropped = groups.slice(MAX_GROUPS);
  const other = sum(parts, (part) => part.other) +
    sum(dropped, (group) => group.count);
  return { groups: kept, other };
}

function together(a: CountedFailure, b: CountedFailure): CountedFailure {
  const earliest = a.iteration <= b.iteration ? a : b;
  const varies = a.varies || b.varies || a.message !== b.message;
  const count = a.count + b.count;
  return { ...earliest, count, ...(varies && { varies }) };
}
