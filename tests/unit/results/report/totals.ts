import type { Distribution } from "../../../../lib/model/metrics.ts";
import type { RunTotals } from "../../../../lib/model/result/totals.ts";

type StepTotals = RunTotals["steps"][number];

/** The spread of exactly these latencies, in milliseconds. */
export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  return {
    count,
    min: sorted[0] ?? 0,
    avg: count === 0 ? 0 : sorted.reduce((sum, each) => sum + each, 0) / count,
    max: sorted.at(-1) ?? 0,
    percentile: (p) => sorted[Math.ceil(p / 100 * count) - 1] ?? 0,
  };
}

/** Totals of a run with these latencies; nothing else happened by default. */
export function totalsOf(
  latencies: readonly number[] = [],
  facts: Partial<RunTotals> = {},
): RunTotals {
  const spread = distributionOf(latencies);
  const none = distributionOf([]);
  return {
    iterations: iterationsOf(latencies.length),
    requests: latencies.length,
    latencies: { service: spread, response: spread, throttled: none },
    steps: [stepTotalsOf(latencies)],
    failures: [],
    otherFailures: 0,
    rows: [],
    otherRows: 0,
    ...facts,
  };
}

/** Iterations that all completed. */
export function iterationsOf(
  completed: number,
  { failed = 0, throttled = 0, interrupted = 0 } = {},
): RunTotals["iterations"] {
  const passed = completed - Math.max(failed, throttled);
  const started = completed + interrupted;
  return { started, completed, passed, failed, throttled, interrupted };
}

/** A step that passed with these latencies. */
export function stepTotalsOf(
  latencies: readonly number[],
  facts: Partial<StepTotals> = {},
): StepTotals {
  const count = latencies.length;
  const spread = distributionOf(latencies);
  return {
    executions: count,
    requests: count,
    passed: count,
    throttled: 0,
    failed: 0,
    attempts: { passed: count, throttled: 0, failed: 0 },
    bytes_sent: 0,
    bytes_received: 0,
    checks: [],
    http_versions: ["1.1"],
    latencies: {
      service: spread,
      response: spread,
      throttled: distributionOf([]),
    },
    ...facts,
  };
}
