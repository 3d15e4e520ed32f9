import type { WorkerReport } from "../workers/worker_pool.ts";

/** What a worker recorded so far, without the seconds that were sent before. */
export interface SoFar {
  readonly report: WorkerReport;
  /** Index of its first second, and of the first second of its generator's health. */
  readonly secondsFrom: number;
  readonly healthFrom: number;
}

/**
 * What is new since `before`, the last that was sent. Traces can be large, and are
 * sent once, at the end.
 */
export function newSince(
  report: WorkerReport,
  before: SoFar | undefined,
): SoFar {
  const { snapshot, generator } = report;
  const { secondsFrom, healthFrom } = before ? nextOf(before) : START;
  return {
    report: {
      ...report,
      snapshot: {
        ...snapshot,
        seconds: snapshot.seconds.slice(secondsFrom),
        traces: { ...snapshot.traces, failures: [], slowest: [], sample: [] },
      },
      generator: {
        ...generator,
        seconds: generator.seconds.slice(healthFrom),
      },
    },
    secondsFrom,
    healthFrom,
  };
}

/** Puts what is new to what is known. */
export function joined(
  known: WorkerReport | undefined,
  { report, secondsFrom, healthFrom }: SoFar,
): WorkerReport {
  if (!known) return report;
  const { snapshot, generator } = known;
  return {
    ...report,
    snapshot: {
      ...report.snapshot,
      seconds: [
        ...snapshot.seconds.slice(0, secondsFrom),
        ...report.snapshot.seconds,
      ],
    },
    generator: {
      ...report.generator,
      seconds: [
        ...generator.seconds.slice(0, healthFrom),
        ...report.generator.seconds,
      ],
    },
  };
}

const START = { secondsFrom: 0, healthFrom: 0 };

/** The last second was still going on: it is sent once more. */
function nextOf({ report, secondsFrom, healthFrom }: SoFar) {
  const { snapshot, generator } = report;
  return {
    secondsFrom: secondsFrom + Math.max(0, snapshot.seconds.length - 1),
    healthFrom: healthFrom + Math.max(0, generator.seconds.length - 1),
  };
}
