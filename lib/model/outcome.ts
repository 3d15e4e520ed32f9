import { sum } from "../base/values/sum.ts";

/** The facts of a class of one response, step or iteration. */
interface OutcomeRecord {
  /** Says it where there is no colour. */
  readonly sign: string;
  readonly color: "green" | "yellow" | "red";
  /** How a page marks a count of it that is not 0. */
  readonly tone: "" | "warn" | "bad";
  /** Its column in tables of steps. */
  readonly column: string;
  /** The title of a list of its causes. */
  readonly causes: string;
  /** It fails an iteration whatever the step and the mode say. */
  readonly isError: boolean;
  /** Its latencies are the target's; the others are kept apart. */
  readonly isSample: boolean;
  /** Checks that do not hold are causes of it, too. */
  readonly byChecks: boolean;
}

const OUTCOME_RECORDS = {
  passed: {
    sign: "✓",
    color: "green",
    tone: "",
    column: "ok",
    causes: "",
    isError: false,
    isSample: true,
    byChecks: false,
  },
  throttled: {
    sign: "!",
    color: "yellow",
    tone: "warn",
    column: "throttled",
    causes: "throttles",
    isError: false,
    isSample: false,
    byChecks: false,
  },
  failed: {
    sign: "✗",
    color: "red",
    tone: "bad",
    column: "failed",
    causes: "failures",
    isError: true,
    isSample: true,
    byChecks: true,
  },
} as const satisfies Readonly<Record<string, OutcomeRecord>>;

/** The class of one response, step or iteration. */
export type Outcome = keyof typeof OUTCOME_RECORDS;
export const OUTCOMES: Readonly<Record<Outcome, OutcomeRecord>> =
  OUTCOME_RECORDS;
/** In the order in which counts by outcome are stored. */
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

/** A class that is not `passed`. */
export type BadOutcome = Exclude<Outcome, "passed">;
/** The worst one first: it is the class of what is several. */
export const BAD_OUTCOMES = OUTCOME_NAMES.filter((each): each is BadOutcome =>
  each !== "passed"
).reverse();

/** Counts by outcome. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;
export const NO_COUNTS = {
  passed: 0,
  throttled: 0,
  failed: 0,
} satisfies OutcomeCounts;

const SAMPLES = OUTCOME_NAMES.filter((each) => OUTCOMES[each].isSample);

/** How many there are of all outcomes. */
export function countAll(counts: OutcomeCounts): number {
  return sum(OUTCOME_NAMES, (each) => counts[each]);
}

/** How many of them have a latency of the target. */
export function countSamples(counts: OutcomeCounts): number {
  return sum(SAMPLES, (each) => counts[each]);
}

/** Why a run ended early: a step with `on_failure: abort_run`. */
export function stoppedBy(step: string): string {
  return `step \`${step}\` did not pass`;
}

/** No single wait between two attempts is longer (specification, "Limits"). */
export const LONGEST_BACKOFF_US = 120_000_000;
