import { NO_TRACES } from "../../results/traces/traces.ts";
import type { PartialReport, WorkerReport } from "./worker_pool.ts";

/** The report without the seconds before `from`, and without traces: they are sent at the end. */
export function reportSince(report: WorkerReport, from: number): PartialReport {
  const { snapshot, generator } = report;
  return {
    report: withSeconds(
      {
        ...report,
        snapshot: {
          ...snapshot,
          traces: { ...NO_TRACES, truncated: snapshot.traces.truncated },
        },
      },
      snapshot.seconds.slice(from),
      generator.seconds.slice(from),
    ),
    from,
  };
}

/** Adds a part of a report to the parts before it. */
export function joinReports(
  known: WorkerReport | undefined,
  { report, from }: PartialReport,
): WorkerReport {
  if (!known) return report;
  return withSeconds(
    report,
    [...known.snapshot.seconds.slice(0, from), ...report.snapshot.seconds],
    [...known.generator.seconds.slice(0, from), ...report.generator.seconds],
  );
}

/** The first second to ask for next: the last one of each was still going on. */
export function nextFrom(parts: readonly PartialReport[]): number {
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
