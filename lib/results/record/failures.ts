import type { Failure, TypedValue } from "../../model/result/failure.ts";
import type {
  IterationResult,
  StepResult,
} from "../../model/result/iteration.ts";
import { statusTextOf } from "../../model/result/reply.ts";
import { plainlyHidden, withoutSecrets } from "./without_secrets.ts";
import { sum } from "../../base/values/sum.ts";

/** Failures of one cause at one place, as plain data. */
export interface FailureGroupData {
  readonly key: string;
  /** Index into the flow's steps. */
  readonly step: number;
  readonly outcome: "failed" | "throttled";
  readonly code: string;
  /** With numbers and ids left open, unless all of them say the same. */
  readonly message: string;
  readonly count: number;
  /** The one seen in the earliest iteration. */
  readonly sample: FailureSample;
}

/** One failure as it was. */
export interface FailureSample {
  readonly iteration: number;
  readonly row?: number;
  readonly message: string;
  readonly pointer?: string;
  readonly expected?: TypedValue;
  readonly actual?: TypedValue;
}

/** Failure groups as plain data. */
export interface FailureData {
  readonly groups: readonly FailureGroupData[];
  /** Failures beyond the groups kept. */
  readonly other: number;
}

/** More causes than this are no longer told apart. */
export const MAX_GROUPS = 500;

/** One step's failure before it is counted. */
export interface StepFailure extends Omit<FailureGroupData, "count" | "key"> {
  readonly key: string;
}

interface OpenGroup {
  readonly data: FailureGroupData & { count: number; message: string };
  /** The message of the failure that began it, and that message left open. */
  readonly first: string;
  readonly open: string;
}

/**
 * Counts failures by step, cause, and message with its numbers and ids left
 * open. Throttles have groups of their own.
 */
export class FailureGroups {
  readonly #groups = new Map<string, OpenGroup>();
  #other = 0;

  /** Counts every step that did not pass; gives the first of them. */
  note(result: IterationResult): StepFailure | undefined {
    let first: StepFailure | undefined;
    for (const step of result.steps) {
      const failure = failureOf(step, result);
      if (!failure) continue;
      const key = this.#count(failure, result);
      first ??= { ...failure, key };
    }
    return first;
  }

  /** Gives the key it was counted under. */
  #count(failure: StepFailure, result: IterationResult): string {
    const known = this.#groups.get(failure.key);
    if (known) return again(known, failure);
    if (this.#groups.size === MAX_GROUPS) {
      this.#other++;
      return failure.key;
    }
    const hidden = withoutSecrets(failure, result);
    const { step, code, sample, message } = hidden;
    const key = keyOf(step, code, sample.pointer, message);
    const group = this.#groups.get(key);
    if (group) return again(group, hidden);
    this.#groups.set(key, openGroup({ ...hidden, key }));
    return key;
  }

  data(): FailureData {
    const groups = [...this.#groups.values()].map(({ data }) => ({ ...data }));
    return { groups, other: this.#other };
  }
}

function again(
  { data, first, open }: OpenGroup,
  failure: StepFailure,
): string {
  data.count++;
  if (first !== failure.sample.message) data.message = open;
  return data.key;
}

function openGroup(failure: StepFailure): OpenGroup {
  const { message: open, sample } = failure;
  const { message: first } = sample;
  return { data: { ...failure, message: first, count: 1 }, first, open };
}

/** Equal for failures of one group. */
function keyOf(
  step: number,
  code: string,
  pointer: string | undefined,
  open: string,
): string {
  return `${step}|${code}|${pointer ?? ""}|${open}`;
}

/** Adds up the groups of several recorders; most frequent first. */
export function mergeFailures(parts: readonly FailureData[]): FailureData {
  const merged = new Map<string, FailureGroupData>();
  for (const group of parts.flatMap((part) => part.groups)) {
    const known = merged.get(group.key);
    merged.set(group.key, known ? together(known, group) : group);
  }
  const groups = [...merged.values()].sort((a, b) =>
    b.count - a.count || a.sample.iteration - b.sample.iteration ||
    a.step - b.step
  );
  const kept = groups.slice(0, MAX_GROUPS);
  const dropped = groups.slice(MAX_GROUPS);
  const other = sum(parts, (part) => part.other) +
    sum(dropped, (group) => group.count);
  return { groups: kept, other };
}

function together(a: FailureGroupData, b: FailureGroupData): FailureGroupData {
  const sample = a.sample.iteration <= b.sample.iteration ? a.sample : b.sample;
  const message = a.message === b.message
    ? a.message
    : leaveOpen(sample.message);
  return { ...a, message, count: a.count + b.count, sample };
}

/** Why a step did not pass; undefined when it did. */
export function failureOf(
  step: StepResult,
  result: IterationResult,
): StepFailure | undefined {
  if (step.outcome === "passed") return;
  return step.outcome === "throttled"
    ? stepFailure(step, step.outcome, throttleOf(step), result)
    : stepFailure(step, step.outcome, failedWith(step), result);
}

/**
 * Everything that is wrong with an iteration: why each step did not pass, and
 * which other checks of a failed one do not hold.
 */
export function allFailures(result: IterationResult): StepFailure[] {
  return result.steps.flatMap((step) => {
    const main = failureOf(step, result);
    if (step.outcome !== "failed") return main ?? [];
    const told = failedWith(step);
    const others = step.checks.flatMap(({ failure }) =>
      failure && failure !== told
        ? [stepFailure(step, "failed", failure, result)]
        : []
    );
    return [main!, ...others];
  });
}

function stepFailure(
  { step }: StepResult,
  outcome: StepFailure["outcome"],
  { code, message: said, pointer, expected, actual }: Failure,
  result: IterationResult,
): StepFailure {
  const { iteration, row } = result;
  const message = plainlyHidden(said, result);
  const open = leaveOpen(message);
  return {
    key: keyOf(step, code, pointer, open),
    step,
    outcome,
    code,
    message: open,
    sample: {
      iteration,
      ...(row !== undefined && { row }),
      message,
      ...(pointer !== undefined && { pointer }),
      ...(expected && { expected }),
      ...(actual && { actual }),
    },
  };
}

/** Why a step did not pass, for its span: a throttle as its group says it. */
export function reasonOf(step: StepResult): Failure | undefined {
  return step.outcome === "throttled" ? throttleOf(step) : step.failure;
}

const UNSAID: Failure = { code: "failed", message: "The step failed" };

function failedWith({ failure, attempts }: StepResult): Failure {
  const last = attempts.at(-1);
  return failure ?? last?.failure ?? last?.reply?.failure ?? UNSAID;
}

function throttleOf({ attempts, ending }: StepResult): Failure {
  const reply = ending ??
    attempts.findLast(({ outcome }) => outcome === "throttled")?.reply;
  const status = reply && statusTextOf(reply);
  const message = `The target asked to slow down${status ? `: ${status}` : ""}`;
  return { code: "throttled", message };
}

const IDS =
  /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{12,})\b/gi;
/** Statuses and close codes say what went wrong, so they stay. */
const NUMBERS =
  /(\b(?:status|code|HTTP\/[\d.]+)\s+)?(?<![\w.])-?\d+(?:\.\d+)?(?=(?:us|ms|s|m|h|%)?(?!\w))/gi;

const DEMAND = " does not hold: ";

/**
 * The message with what differs from one failure to the next left open. What an
 * assertion demands stands in the flow and stays as it is.
 */
export function leaveOpen(message: string): string {
  const at = message.indexOf(DEMAND);
  const from = at < 0 ? 0 : at + DEMAND.length;
  const open = message.slice(from).replaceAll(IDS, "<id>").replaceAll(
    NUMBERS,
    (whole, kept?: string) => kept === undefined ? "<n>" : whole,
  );
  return message.slice(0, from) + open;
}
