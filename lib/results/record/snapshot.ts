import { toThousandths } from "../../base/values/numbers.ts";
import { sum, sumFields } from "../../base/values/sum.ts";
import { failureKey } from "../../model/result/failure.ts";
import type { IterationResult } from "../../model/result/iteration.ts";
import type { HistogramSet } from "../../model/result/series.ts";
import type {
  CountedContract,
  CountedFailure,
  CountedRow,
  CountedViolation,
  IterationCounts,
  Latencies,
  RunTotals,
} from "../../model/result/totals.ts";
import type { Trace } from "../../model/result/trace.ts";
import {
  type FailureData,
  mergeFailures,
  type RowName,
  rowOf,
} from "../failures/failure_groups.ts";
import {
  allFailures,
  type NamedStep,
  withoutSecrets,
} from "../failures/failures.ts";
import {
  distributions,
  histogramSet,
  type MergedLatencies,
  mergeLatencies,
  mergePhases,
  stretchesOf,
} from "../histograms/latencies.ts";
import { mergeHistograms } from "../histograms/histogram.ts";
import type { StretchesData } from "../histograms/latency_stretches.ts";
import { outcomeOf } from "../traces/trace_build.ts";
import type { KeptTrace } from "../traces/trace_draft.ts";
import { type IdWords, traceId } from "../traces/trace_ids.ts";
import { mergeTraces, sampleSize, type TraceData } from "../traces/traces.ts";
import { mergeContracts } from "./contract_record.ts";
import { mergeSeconds, type SecondData } from "./series.ts";
import { type FlowData, type StepData, sumSteps } from "./step_record.ts";
import { mergeWarmUps, type WarmUpData } from "./warm_up.ts";

/** Rows as plain data. */
interface RowsData {
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
   * @param flows those of a mix
   * @param rowName what a fixture row is called
   * @param beyond takes those that are not remembered
   */
  constructor(
    readonly steps: readonly NamedStep[],
    readonly flows: readonly { readonly name: string }[] = [],
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
    const flow = this.flows[result.flow]?.name;
    return {
      iteration: result.iteration,
      ...(flow !== undefined && { flow }),
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
function mergeRows(parts: readonly RowsData[]): RowsData {
  return {
    rows: parts.flatMap((part) => part.rows)
      .sort((a, b) => a.iteration - b.iteration),
    other: sum(parts, (part) => part.other),
  };
}

/** Everything one recorder knows, as plain data that crosses threads. */
export interface RecorderSnapshot {
  readonly ids: IdWords;
  readonly iterations: IterationCounts;
  readonly steps: readonly StepData[];
  /** The response times of all steps, over time; absent where those of each step are. */
  readonly stretches?: StretchesData;
  /** Of a mix. */
  readonly flows?: readonly FlowData[];
  readonly seconds: readonly SecondData[];
  readonly failures: FailureData;
  readonly contract?: CountedContract;
  readonly traces: TraceData;
  readonly rows: RowsData;
  /** Absent without one. */
  readonly warmUp?: WarmUpData;
}

/** Several recorders of one run, put together. */
export interface Recording {
  readonly totals: RunTotals;
  readonly seconds: readonly SecondData[];
  readonly traces: TraceData;
  readonly warmUp?: WarmUpData;
  /** Response times over time: of the whole run, and by step index. */
  readonly stretches: {
    readonly overall: StretchesData;
    readonly steps: readonly StretchesData[];
  };
  /** The encoder is loaded when this is asked for. */
  histograms(ids: readonly string[]): Promise<HistogramParts>;
}

/** `histograms.json` in parts: those of many steps are much work, and much memory. */
export interface HistogramParts {
  readonly overall: HistogramSet;
  /** By step id, each made as it is asked for. */
  readonly steps: Iterable<readonly [id: string, set: HistogramSet]>;
}

/** The latencies and phases of a run, put together: of all its steps, and of each. */
export interface MergedSteps {
  readonly latencies: MergedLatencies;
  readonly figures: Latencies;
  readonly steps: readonly {
    readonly latencies: MergedLatencies;
    readonly figures: Pick<
      RunTotals["steps"][number],
      "latencies" | "phases"
    >;
  }[];
}

/** @param steps by step, from each recorder */
export function mergeSteps(
  steps: readonly (readonly Pick<StepData, "latencies" | "phases">[])[],
): MergedSteps {
  const latencies = mergeLatencies(
    steps.flatMap((parts) => parts.map((part) => part.latencies)),
  );
  return {
    latencies,
    figures: distributions(latencies),
    steps: steps.map((parts) => {
      const latencies = mergeLatencies(parts.map((part) => part.latencies));
      const phases = mergePhases(parts.map((part) => part.phases));
      const figures = { latencies: distributions(latencies), phases };
      return { latencies, figures };
    }),
  };
}

/** The data of each step, from each recorder. */
export function byStep(parts: readonly Counted[]): StepData[][] {
  return parts[0]!.steps.map((_, step) =>
    parts.map((part) => part.steps[step]!)
  );
}

/**
 * Puts the snapshots of one run together. The order of the snapshots does not
 * matter.
 *
 * @param parts at least one, all of the same flow
 * @param merged their latencies and phases, where they are put together already
 */
export function mergeSnapshots(
  parts: readonly RecorderSnapshot[],
  merged?: MergedSteps,
): Recording {
  const steps = byStep(parts);
  const { latencies, figures, steps: mergedSteps } = merged ??
    mergeSteps(steps);
  const flows = mergeFlows(parts);
  const traces = tracesOf(parts);
  const failures = mergeFailures(parts.map((part) => part.failures));
  const rows = mergeRows(parts.map((part) => part.rows));
  const contract = mergeContracts(parts.map((part) => part.contract));
  const [{ ids }] = parts as readonly [RecorderSnapshot];
  const violations = shownBy(contract?.violations ?? [], ids, traces, rows);
  const counts = steps.map(sumSteps);
  const warmUp = mergeWarmUps(parts.flatMap((part) => part.warmUp ?? []));
  const stretches = new MergedStretches(parts);
  return {
    ...(warmUp && { warmUp }),
    totals: {
      iterations: sumFields(parts.map((part) => part.iterations)),
      requests: sum(counts, (step) => step.requests),
      latencies: figures,
      steps: counts.map((step, index) => ({
        ...step,
        ...mergedSteps[index]!.figures,
      })),
      ...(flows && { flows }),
      failures: shownBy(failures.groups, ids, traces, rows),
      ...(contract && { contract: { ...contract, violations } }),
      otherFailures: failures.other,
      rows: rows.rows,
      otherRows: rows.other,
    },
    seconds: mergeSeconds(parts.map((part) => part.seconds)),
    traces,
    stretches,
    async histograms(names) {
      const { encodeHistogram } = await histogramEncoder();
      const setOf = (merged: MergedLatencies, own: StretchesData) =>
        histogramSet(merged, own, encodeHistogram);
      return {
        overall: setOf(latencies, stretches.overall),
        steps: names.values().map((id, step) => {
          const { latencies } = mergedSteps[step]!;
          return [id, setOf(latencies, stretches.ofStep(step))] as const;
        }),
      };
    },
  };
}

/** Put together as they are asked for: for the totals of each second they are not. */
class MergedStretches {
  constructor(readonly parts: readonly RecorderSnapshot[]) {}

  get overall(): StretchesData {
    return stretchesOf(this.parts);
  }

  get steps(): readonly StretchesData[] {
    return this.parts[0]!.steps.map((_, step) => this.ofStep(step));
  }

  ofStep(step: number): StretchesData {
    return stretchesOf(this.parts.map(({ steps }) => steps[step]!.latencies));
  }
}

function tracesOf(parts: readonly RecorderSnapshot[]): TraceData {
  const { steps, flows } = parts[0]!;
  return mergeTraces(
    parts.map((part) => part.traces),
    sampleSize(steps.length, flows?.length),
  );
}

/** The flows of a mix, put together. */
function mergeFlows(parts: readonly RecorderSnapshot[]): RunTotals["flows"] {
  let first = 0;
  return parts[0]!.flows?.map(({ name, weight, steps: count }, index) => {
    const all = parts.map(({ flows }) => flows![index]!);
    const steps = parts.flatMap((part) =>
      part.steps.slice(first, first + count)
    );
    first += count;
    const latencies = mergeLatencies(steps.map((step) => step.latencies));
    return {
      name,
      weight,
      iterations: sumFields(all.map((each) => each.iterations)),
      durations: mergeHistograms(all.map((each) => each.durations))
        .distribution(),
      latency: latencies.response.distribution(),
      bytes: sum(steps, (step) => step.bytes_received),
    };
  });
}

/**
 * Loads what writes histograms, which is slow. To be awaited before a run whose
 * connections may take every descriptor: then nothing can be loaded.
 */
export function histogramEncoder(): Promise<
  typeof import("../histograms/histogram_text.ts")
> {
  return import("../histograms/histogram_text.ts");
}

/**
 * Gives each group a kept trace: of the one that was counted first, or any that
 * has a failure of the group.
 */
function shownBy<Group extends CountedFailure | CountedViolation>(
  groups: readonly Group[],
  ids: IdWords,
  traces: TraceData,
  { rows }: RowsData,
): Group[] {
  const all = [...traces.failures, ...traces.sample, ...traces.slowest];
  const kept = new Set([
    ...all.map((each) => traceId(ids, each.iteration)),
    ...rows.map((row) => row.trace_id),
  ]);
  const byGroup = new Map(
    traces.failures.toReversed().map(({ group, item }) => [group, item]),
  );
  // A trace is kept for the cause of its iteration alone, and may show others.
  const lacking = new Set(
    groups.filter((group) =>
      "outcome" in group && group.trace_id === undefined &&
      !byGroup.has(group.key) && !kept.has(traceId(ids, group.iteration))
    ).map(({ key }) => key),
  );
  for (const { item } of lacking.size > 0 ? all : []) {
    // It is built each time it is read.
    const trace = item;
    for (const key of failureKeys(trace)) {
      if (lacking.delete(key)) byGroup.set(key, trace);
    }
    if (lacking.size === 0) break;
  }
  return groups.map((group) => {
    if (group.trace_id !== undefined) return group;
    const own = traceId(ids, group.iteration);
    if (kept.has(own)) return { ...group, trace_id: own };
    const other = byGroup.get(group.key);
    if (!other) return group;
    const { trace_id, row, row_name } = other;
    if (!("outcome" in group)) return { ...group, trace_id };
    const { row: _, row_name: __, ...rest } = group;
    return {
      ...rest as Group,
      trace_id,
      ...(row !== undefined && { row }),
      ...(row_name !== undefined && { row_name }),
    };
  });
}

/** The groups of everything that did not pass in a trace. */
function failureKeys({ spans }: Trace): string[] {
  return spans.flatMap(({ parent_id, name, failure }) =>
    parent_id === undefined && failure ? [failureKey(name, failure)] : []
  );
}

/** The counts of a recorder since the run started. */
export type Counted = Omit<RecorderSnapshot, "seconds" | "traces" | "warmUp">;

/** The increment for a reader of an unfinished run. */
export interface Missed {
  /** The first second it does not have. */
  readonly from: number;
  /** With the latencies of steps, which are most of an increment. */
  readonly whole: boolean;
}

/**
 * The increment of one recorder since it was last read, as plain data: for
 * readers of a run that goes on, or that was killed.
 */
export interface Increment extends Counted {
  /** Whole ones. */
  readonly seconds: readonly SecondData[];
  /** Some of the traces kept since; the others follow. */
  readonly fresh: readonly KeptTrace[];
}
