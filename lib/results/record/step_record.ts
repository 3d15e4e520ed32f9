import { NO_COUNTS, type OutcomeCounts } from "../../model/outcome.ts";
import { sumFields } from "../../base/values/sum.ts";
import type { ContractResult } from "../../model/result/contract.ts";
import {
  HTTP_VERSIONS,
  type HttpVersion,
  type StepResponse,
} from "../../model/result/response.ts";
import {
  CHECK_KINDS,
  type CheckResult,
  type IterationResult,
  PassedStep,
  type StepResult,
} from "../../model/result/iteration.ts";
import {
  NO_STEP_SUMS,
  STEP_SUMS,
  type StepCounts,
} from "../../model/result/run.ts";
import type { FlowCounts } from "../../model/result/totals.ts";
import type { TracedStep } from "../../model/result/trace.ts";
import { Histogram, type HistogramData } from "../histograms/histogram.ts";
import {
  type LatencyData,
  LatencyRecorder,
  type PhaseData,
  PhaseRecorder,
} from "../histograms/latencies.ts";

/** The record of one step by one recorder, as plain data. */
export interface StepData extends StepCounts {
  /** Attempts as they ended; `attempts` are those of iterations that did, cut off or not. */
  readonly sampled: OutcomeCounts;
  readonly repeated: OutcomeCounts;
  readonly latencies: LatencyData;
  readonly phases: PhaseData;
}

/** The record of one step. */
export class StepRecord {
  readonly sums = { ...NO_STEP_SUMS };
  readonly attempts = { ...NO_COUNTS };
  readonly repeated = { ...NO_COUNTS };
  readonly sampled = { ...NO_COUNTS };
  readonly http_versions: HttpVersion[] = [];
  readonly latencies: LatencyRecorder;
  readonly phases = new PhaseRecorder();
  readonly checks: CheckCounts;

  /**
   * @param start the run's start on the run's clock, in milliseconds
   * @param stretches how many its latencies have at most
   */
  constructor(
    step: Pick<TracedStep, "checks">,
    start: number,
    stretches?: number,
  ) {
    this.latencies = new LatencyRecorder(start, stretches);
    this.checks = new CheckCounts(step);
  }

  /** Counts a step that was begun: of one that was cut off the attempts that ended before. */
  note(result: StepResult): void {
    this.sums.executions++;
    if (result instanceof PassedStep) return this.#notePassed(result);
    const { cutOff } = result;
    if (!cutOff) {
      this.sums[result.outcome]++;
      this.checks.note(result);
    }
    const last = result.attempts.at(-1);
    for (const attempt of result.attempts) {
      const { outcome, response, sampled } = attempt;
      if (cutOff && !sampled) continue;
      this.attempts[outcome]++;
      // A step is cut off in an attempt, or in the wait for the next one.
      if (cutOff || attempt !== last) this.repeated[outcome]++;
      if (response) this.#noteResponses(response);
    }
  }

  /** Most steps are of this kind: nothing is made of the attempt. */
  #notePassed({ checks, response }: PassedStep): void {
    this.sums.passed++;
    this.checks.noteHeld(checks);
    this.attempts.passed++;
    this.#noteResponses(response);
  }

  #noteResponses(response: StepResponse): void {
    this.#noteResponse(response);
    if (response.before) this.#noteResponse(response.before);
  }

  #noteResponse({ httpVersion, span, marks }: StepResponse): void {
    const { http_versions } = this;
    if (httpVersion !== undefined && !http_versions.includes(httpVersion)) {
      http_versions.push(httpVersion);
    }
    // Frames on an open session have no phases.
    if (span === undefined) this.phases.note(marks);
  }

  /** @param whole off to leave the latencies out, which are most of it */
  data(whole: boolean): StepData {
    const { attempts, repeated, sampled, http_versions } = this;
    const { latencies, phases } = this;
    return {
      ...this.sums,
      attempts: { ...attempts },
      repeated: { ...repeated },
      sampled: { ...sampled },
      http_versions: [...http_versions],
      checks: this.checks.data(),
      latencies: whole ? latencies.data() : {},
      phases: whole ? phases.data() : {},
    };
  }
}

/** Adds up what several recorders counted of one step. */
export function sumSteps(parts: readonly StepData[]): StepCounts {
  return {
    ...sumFields(parts, STEP_SUMS),
    attempts: sumFields(parts.map((part) => part.attempts)),
    repeated: sumFields(parts.map((part) => part.repeated)),
    checks: sumChecks(parts.map((part) => part.checks)),
    http_versions: HTTP_VERSIONS.filter((version) =>
      parts.some((part) => part.http_versions.includes(version))
    ),
  };
}

/** A flow of a mix, as its recorders know it. */
export interface RecordedFlow {
  readonly name: string;
  readonly weight: number;
  /** How many it has: those of the run are its own after those of the flows before it. */
  readonly steps: number;
}

/** The record of the iterations of one flow, as plain data. */
export interface FlowData extends RecordedFlow {
  readonly iterations: FlowCounts;
  readonly durations: HistogramData;
}

/** The record of the iterations of one flow. */
export class FlowRecord {
  readonly #counts = { completed: 0, passed: 0, failed: 0, throttled: 0 };
  readonly #durations = new Histogram();

  constructor(readonly flow: RecordedFlow) {}

  /** Counts an iteration that was completed. */
  note({ failed, throttled, startedAt, endedAt }: IterationResult): void {
    const counts = this.#counts;
    counts.completed++;
    if (failed) counts.failed++;
    if (throttled) counts.throttled++;
    if (!failed && !throttled) counts.passed++;
    this.#durations.record(endedAt - startedAt);
  }

  data(): FlowData {
    return {
      ...this.flow,
      iterations: { ...this.#counts },
      durations: this.#durations.data(),
    };
  }
}

/** How often each check of a step held. */
type StepChecks = StepCounts["checks"];

/** Counts how often each check of a step held. */
class CheckCounts {
  readonly #checks: { check: string; passed: number; failed: number }[];
  /** Where the check of the description is, of a step that has one. */
  readonly #contract: number;
  /** Where the conditions of a poll begin, which are in its rounds. */
  readonly #until: number;
  /** The list that steps share while all of it holds, and how often it was seen. */
  #shared: readonly CheckResult[] | undefined;
  #held = 0;

  constructor({ checks }: Pick<TracedStep, "checks">) {
    const texts = CHECK_KINDS.map((kind) => [...checks?.[kind].values() ?? []]);
    const all = texts.flat();
    this.#until = all.length - texts[CHECK_KINDS.indexOf("until")]!.length;
    this.#contract = this.#until -
      texts[CHECK_KINDS.indexOf("contract")]!.length;
    this.#checks = all.map((check) => ({ check, passed: 0, failed: 0 }));
  }

  note({ checks, attempts, contract }: StepResult): void {
    if (contract) this.#noteContract(contract);
    this.noteHeld(checks);
    // The round that ended it.
    const last = attempts[attempts.length - 1]?.checks;
    if (last) this.#count(last, this.#until);
  }

  noteHeld(checks: readonly CheckResult[]): void {
    if (checks === this.#shared) this.#held++;
    else this.#count(checks, 0);
  }

  #noteContract(contract: readonly ContractResult[]): void {
    const counts = this.#checks[this.#contract];
    if (!counts) return;
    for (const { violations } of contract) {
      counts[violations.length === 0 ? "passed" : "failed"]++;
    }
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
function sumChecks(parts: readonly StepChecks[]): StepChecks {
  return parts[0]!.map(({ check }, index) => ({
    check,
    ...sumFields(parts.map((part) => part[index]!), ["passed", "failed"]),
  }));
}
