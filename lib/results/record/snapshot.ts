import type { Outcome } from "../../model/result/iteration.ts";
import { RUN_SCHEMA } from "../../model/result/run.ts";
import type { Histograms } from "../../model/result/series.ts";
import type {
  FailureTotal,
  IterationCounts,
  RowTotal,
  RunTotals,
} from "../../model/result/totals.ts";
import { sum } from "../../base/values/sum.ts";
import {
  type FailureData,
  mergeFailures,
  type StepFailure,
} from "./failures.ts";
import { sumIterations } from "./iteration_counts.ts";
import {
  distributions,
  histogramSet,
  type LatencyData,
  mergeLatencies,
} from "./latencies.ts";
import { mergeRows, type RowData, type RowsData } from "./rows.ts";
import type { SecondData } from "./seconds.ts";
import { mergeSeconds } from "./series.ts";
import { type IdWords, traceId } from "./trace_ids.ts";
import { mergeTraces, type TraceData } from "./traces.ts";

/** What one step counted. */
export interface StepCounts {
  executions: number;
  requests: number;
  passed: number;
  throttled: number;
  failed: number;
  readonly attempts: Record<Outcome, number>;
  bytesSent: number;
  bytesReceived: number;
}

/** Everything one recorder knows, as plain data that crosses threads. */
export interface RecorderSnapshot {
  readonly ids: IdWords;
  readonly iterations: IterationCounts;
  readonly steps: readonly (Readonly<StepCounts> & {
    readonly latencies: LatencyData;
  })[];
  readonly seconds: readonly SecondData[];
  readonly failures: FailureData;
  readonly traces: TraceData;
  readonly rows: RowsData;
}

/** Several recorders of one run, put together. */
export interface Recording {
  readonly totals: RunTotals;
  readonly seconds: readonly SecondData[];
  readonly traces: TraceData;
  /** `histograms.json`; the encoder is loaded when this is asked for. */
  histograms(ids: readonly string[]): Promise<Histograms>;
}

/**
 * Puts the snapshots of one run together. The order of the snapshots does not
 * matter.
 *
 * @param parts at least one, all of the same flow
 */
export function mergeSnapshots(parts: readonly RecorderSnapshot[]): Recording {
  const first = parts[0]!;
  const latencies = first.steps.map((_, step) =>
    mergeLatencies(parts.map((part) => part.steps[step]!.latencies))
  );
  const overall = mergeLatencies(
    parts.flatMap((part) => part.steps.map((step) => step.latencies)),
  );
  const steps = first.steps.map((_, step) => ({
    ...sumSteps(parts.map((part) => part.steps[step]!)),
    latencies: distributions(latencies[step]!),
  }));
  const traces = mergeTraces(parts.map((part) => part.traces));
  const failures = mergeFailures(parts.map((part) => part.failures));
  const rows = mergeRows(parts.map((part) => part.rows));
  const shown = traceLookup(first.ids, traces, rows);
  return {
    totals: {
      iterations: sumIterations(parts.map((part) => part.iterations)),
      requests: sum(steps, (step) => step.requests),
      latencies: distributions(overall),
      steps,
      failures: failures.groups.map((group) =>
        failureTotal(group, group.count, shown(group.key, group.sample))
      ),
      otherFailures: failures.other,
      rows: rows.rows.map((row) => rowTotal(row, first.ids)),
      otherRows: rows.other,
    },
    seconds: mergeSeconds(parts.map((part) => part.seconds)),
    traces,
    async histograms(ids) {
      const { encodeHistogram } = await import("./histogram_text.ts");
      return {
        schema: RUN_SCHEMA,
        unit: "us",
        overall: histogramSet(overall, encodeHistogram),
        steps: Object.fromEntries(ids.map((id, step) => [
          id,
          histogramSet(latencies[step]!, encodeHistogram),
        ])),
      };
    },
  };
}

interface Shown {
  readonly traceId?: string;
  readonly row?: number;
}

/** Finds a kept trace for a failure group: its own sample, or any of the group. */
function traceLookup(ids: IdWords, traces: TraceData, rows: RowsData) {
  const kept = new Set(traces.failures.map(({ item }) => item.trace_id));
  for (const row of rows.rows) {
    if (row.kept) kept.add(traceId(ids, row.iteration));
  }
  const byGroup = new Map(
    traces.failures.toReversed().map(({ group, item }) => [group, item]),
  );
  return (
    key: string,
    sample: { readonly iteration: number; readonly row?: number },
  ): Shown => {
    const row = sample.row === undefined ? {} : { row: sample.row };
    const own = traceId(ids, sample.iteration);
    if (kept.has(own)) return { traceId: own, ...row };
    const other = byGroup.get(key);
    if (!other) return row;
    return {
      traceId: other.trace_id,
      ...(other.row !== undefined && { row: other.row }),
    };
  };
}

function failureTotal(
  failure: StepFailure,
  count: number,
  shown: Shown,
): FailureTotal {
  const { step, outcome, code, sample } = failure;
  const { pointer, expected, actual } = sample;
  return {
    step,
    outcome,
    code,
    message: count === 1 ? sample.message : failure.message,
    count,
    ...(pointer !== undefined && { pointer }),
    ...(expected && { expected }),
    ...(actual && { actual }),
    ...shown,
  };
}

function rowTotal(data: RowData, ids: IdWords): RowTotal {
  const { kept, failures, ...rest } = data;
  const shown = {
    ...(kept && { traceId: traceId(ids, data.iteration) }),
    ...(data.row !== undefined && { row: data.row }),
  };
  return {
    ...rest,
    ...shown,
    failures: failures.map((each) => failureTotal(each, 1, shown)),
  };
}

function sumSteps(parts: readonly Readonly<StepCounts>[]): StepCounts {
  const of = (pick: (part: Readonly<StepCounts>) => number) => sum(parts, pick);
  return {
    executions: of((part) => part.executions),
    requests: of((part) => part.requests),
    passed: of((part) => part.passed),
    throttled: of((part) => part.throttled),
    failed: of((part) => part.failed),
    attempts: {
      passed: of((part) => part.attempts.passed),
      throttled: of((part) => part.attempts.throttled),
      failed: of((part) => part.attempts.failed),
    },
    bytesSent: of((part) => part.bytesSent),
    bytesReceived: of((part) => part.bytesReceived),
  };
}
