import type { SoFar, WorkerReport } from "./worker_pool.ts";

/**
 * What of `report` is new to who has the seconds before `from`. Traces can be
 * large, and are sent once, at the end.
 */
export function newSince(report: WorkerReport, from: number): SoFar {
  const { snapshot, generator } = report;
  return {
    report: withSeconds(
      {
        ...report,
        snapshot: {
          ...snapshot,
          traces: { ...snapshot.traces, failures: [], slowest: [], sample: [] },
        },
      },
      snapshot.seconds.slice(from),
      generator.seconds.slice(from),
    ),
    from,
  };
}

/** Puts what is new to what is known. */
export function joined(
  known: WorkerReport | undefined,
  { report, from }: SoFar,
): WorkerReport {
  if (!known) return report;
  return withSeconds(
    report,
    [...known.snapshot.seconds.slice(0, from), ...report.snapshot.seconds],
    [...known.generator.seconds.slice(0, from), ...report.generator.seconds],
  );
}

/** The first second to ask for next: the last one of each was still going on. */
export function nextFrom(parts: readonly SoFar[]): number {
  const ends = parts.map(({ from, report: { snapshot, generator } }) =>
    from + Math.min(snapshot.seconds.length, generator.seconds.length)
  );
  return ends.length === 0 ? 0 : Math.max(0, Math.min(...ends) - 1);
}

/** The report with these seconds in place of its own. */
export function withSeconds(
  report: WorkerReport,
  seconds: WorkerReport["snapshot"]["seconds"],
  health: WorkerReport["generator"]["seconds"],
): WorkerReport {
  return {
    ...report,
    snapshot: { ...report.snapshot, seconds },
    generator: { ...report.generator, seconds: health },
  };
}
