import type { CheckResult, StepResult } from "../../model/result/iteration.ts";
import type { StepCounts } from "../../model/result/run.ts";
import type { TracedStep } from "../../model/result/trace.ts";
import { sum } from "../../base/values/sum.ts";

/** How often each check of a step held. */
type StepChecks = StepCounts["checks"];

/** Counts how often each check of a step held. */
export class CheckCounts {
  readonly #checks: { check: string; passed: number; failed: number }[];
  /** Where the conditions of a poll begin, which are in its rounds. */
  readonly #until: number;
  /** The list that steps share while all of it holds, and how often it was seen. */
  #shared: readonly CheckResult[] | undefined;
  #held = 0;

  constructor({ checks = {} }: Pick<TracedStep, "checks">) {
    const names = Object.keys(checks);
    const until = names.findIndex((name) => name.startsWith("until@"));
    this.#until = until < 0 ? names.length : until;
    this.#checks = Object.values(checks)
      .map((check) => ({ check, passed: 0, failed: 0 }));
  }

  note({ checks, attempts }: StepResult): void {
    if (checks === this.#shared) this.#held++;
    else this.#count(checks, 0);
    // The round that ended it.
    const last = attempts[attempts.length - 1]?.checks;
    if (last) this.#count(last, this.#until);
  }

  data(): StepChecks {
    return this.#checks.map(({ check, passed, failed }, index) => ({
      check,
      passed: passed + (this.#shared?.[index] ? this.#held : 0),
      failed,
    }));
  }

  #count(checks: readonly CheckResult[], from: number): void {
    let clean = checks.length > 0;
    for (let i = 0; i < checks.length; i++) {
      const counts = this.#checks[from + i];
      if (!counts) return;
      const { failure, startedAt } = checks[i]!;
      if (failure) counts.failed++;
      else counts.passed++;
      // What was timed, or does not hold, is a list of its own.
      if (failure || !Number.isNaN(startedAt)) clean = false;
    }
    if (clean && from === 0) this.#shared ??= checks;
  }
}

/** Adds up what several recorders counted of one step. */
export function sumChecks(parts: readonly StepChecks[]): StepChecks {
  return parts[0]!.map(({ check }, index) => ({
    check,
    passed: sum(parts, (part) => part[index]!.passed),
    failed: sum(parts, (part) => part[index]!.failed),
  }));
}
