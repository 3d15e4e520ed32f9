import { sum } from "../../base/values/sum.ts";
import { failureKey } from "../../model/result/failure.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import type { CountedFailure } from "../../model/result/totals.ts";
import { causingStep } from "../../model/result/trace.ts";
import { type NamedStep, stepFailure, withoutSecrets } from "./failures.ts";

/** Failure groups as plain data. */
export interface FailureData {
  readonly groups: readonly CountedFailure[];
  /** Failures beyond the groups kept. */
  readonly other: number;
}

/** Failures of further causes are counted together. */
export const MAX_GROUPS = 500;

/** The name of a fixture row of a flow, by its index; undefined for one without a name. */
export type RowName = (row: number, flow: number) => string | undefined;

type Group = CountedFailure & {
  count: number;
  varies?: boolean;
  last_ms?: number;
  values?: ValueCount[];
};

interface ValueCount {
  readonly text: string;
  count: number;
}

/** Actual values that a group counts: the first ones. */
const MOST_VALUES = 20;

/** Counts failures by step and cause. Throttles have groups of their own. */
export class FailureGroups {
  readonly #groups = new Map<string, Group>();
  #other = 0;

  /**
   * @param rowName what a fixture row is called
   * @param start the run's start on the run's clock, in milliseconds
   */
  constructor(
    readonly steps: readonly NamedStep[],
    readonly rowName?: RowName,
    readonly start = 0,
  ) {}

  /** Counts every step that did not pass; returns the key of the causing one. */
  note(result: IterationResult): string | undefined {
    const { steps } = result;
    const cause = result.failed || result.throttled
      ? causingStep(steps, (step) => step)
      : undefined;
    let group: string | undefined;
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!;
      const failure = stepFailure(step, result, this.steps);
      if (!failure) continue;
      const key = this.#count(failure, result);
      if (step === cause) group = key;
    }
    return group;
  }

  /** Returns the key it was counted under. */
  #count(failure: CountedFailure, result: IterationResult): string {
    const last_ms = Math.round(result.endedAt - this.start);
    const known = this.#groups.get(failure.key);
    if (known) return join(known, failure, last_ms, result);
    if (this.#groups.size === MAX_GROUPS) {
      this.#other++;
      return failure.key;
    }
    const hidden = withoutSecrets(failure, result);
    const key = failureKey(hidden.step, hidden);
    const group = this.#groups.get(key);
    if (group) return join(group, hidden, last_ms, result);
    const row = rowOf(result, this.rowName);
    const { values: _, ...first } = hidden;
    this.#groups.set(key, { ...first, ...row, key, last_ms });
    return key;
  }

  data(): FailureData {
    const groups = [...this.#groups.values()].map((each) => ({
      ...each,
      ...(each.values && { values: each.values.map((one) => ({ ...one })) }),
    }));
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
  const name = rowName?.(row, result.flow);
  return name === undefined
    ? { row }
    : { row, row_name: withoutSecrets(name, result) };
}

function join(
  group: Group,
  { message, actual }: CountedFailure,
  last_ms: number,
  result: IterationResult,
): string {
  if (actual && group.actual) {
    const { values = [firstValue(group)] } = group;
    const { text } = withoutSecrets(actual, result);
    group.values = values;
    addValue(values, { text, count: 1 }, MOST_VALUES);
  }
  group.count++;
  group.last_ms = last_ms;
  if (group.message !== message) group.varies = true;
  return group.key;
}

function firstValue({ actual, count }: CountedFailure): ValueCount {
  return { text: actual!.text, count };
}

function addValue(
  values: ValueCount[],
  { text, count }: ValueCount,
  most = Infinity,
): void {
  const known = values.find((each) => each.text === text);
  if (known) known.count += count;
  else if (values.length < most) values.push({ text, count });
}

/** The actual values of two groups, the most frequent first. */
function valuesOf(a: CountedFailure, b: CountedFailure): ValueCount[] {
  const all: ValueCount[] = [];
  for (const each of [a, b]) {
    for (const value of each.values ?? [firstValue(each)]) addValue(all, value);
  }
  return all.toSorted((x, y) => y.count - x.count).slice(0, MOST_VALUES);
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
  const last = Math.max(a.last_ms ?? -1, b.last_ms ?? -1);
  return {
    ...earliest,
    count,
    ...(a.actual && b.actual && { values: valuesOf(a, b) }),
    ...(last >= 0 && { last_ms: last }),
    ...(varies && { varies }),
  };
}
