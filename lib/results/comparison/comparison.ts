import type { RunMeta } from "../../model/result/run.ts";
import type { DifferenceBounds } from "../statistics/difference_bounds.ts";
import { optionText } from "./asked.ts";

/** How one figure of a run came out against other runs. */
export type ComparisonVerdict = "better" | "same" | "worse" | "unclear";

/** One figure of the runs that are compared. */
export interface ComparedFigure {
  /**
   * `error_rate`, `throttle_rate`, `p50` ... `p99`, `requests_per_second`; of runs
   * that are paired also `typical`, the geometric mean of the latencies.
   */
  readonly metric: string;
  /** Absent for the whole run. */
  readonly step?: string;
  readonly unit: "ms" | "share" | "per_second";
  /** Of several base runs their mean; null without a sample. */
  readonly base: number | null;
  readonly candidate: number | null;
  /**
   * By how much the candidate is more: a share of the base (0.05 is 5 %), for
   * rates a difference of shares. null when nothing can be said.
   */
  readonly change: DifferenceBounds | null;
  readonly verdict: ComparisonVerdict;
  /** Why nothing can be said, or how much longer to measure. */
  readonly detail?: string;
}

/** One run that takes part. */
interface ComparedRun extends
  Pick<
    RunMeta,
    "id" | "target" | "bench_version" | "started_at" | "duration_ms"
  > {
  /** Completed ones. */
  readonly iterations: number;
}

/** A candidate against one or more base runs; what `bench compare --json` prints. */
export interface RunComparison {
  readonly flow: string;
  readonly candidate: ComparedRun;
  readonly bases: readonly ComparedRun[];
  /** Measured together, second by second. */
  readonly paired: boolean;
  /** Smaller changes are called none. */
  readonly margin: number;
  /** With which all intervals hold at once. */
  readonly confidence: number;
  readonly verdict: ComparisonVerdict;
  readonly figures: readonly ComparedFigure[];
  /** Notes for the reader, before the figures are trusted. */
  readonly notes: readonly string[];
}

/** From this share of failed iterations on, latencies are mostly those of failures. */
const MOSTLY = 0.5;

/** Whether most iterations failed, so that latencies say little about a target that serves. */
export function mostlyFailed({ error_rate }: RunMeta): boolean {
  return error_rate >= MOSTLY;
}

/** Options that change how requests are made: this may be what is compared. */
const NOTED = ["http", "workers", "traceparent", "cacert", "cert"];

function optionNotes(metas: readonly RunMeta[]): string[] {
  return NOTED.flatMap((name) => {
    const values = new Set(
      metas.map(({ options }) => optionText(options?.[name])),
    );
    return values.size > 1
      ? [`run with different \`--${name}\`: ${[...values].join(", ")}`]
      : [];
  });
}

/** Runs that a note is written for one by one. */
const MOST_NAMED = 3;

/** A note for each run; of many one that names some, and says the same of all. */
function notesOn(
  metas: readonly RunMeta[],
  one: (meta: RunMeta) => string,
  all: (ids: string) => string,
): string[] {
  const others = metas.length - MOST_NAMED;
  if (others <= 0) return metas.map(one);
  const named = metas.slice(0, MOST_NAMED).map(({ id }) => id).join(", ");
  return [all(`${named} and ${others} more`)];
}

/** Notes on the runs for the reader, before the figures are trusted. */
export function comparisonNotes(metas: readonly RunMeta[]): string[] {
  const versions = new Set(metas.map(({ bench_version }) => bench_version));
  return [
    ...notesOn(
      metas.filter(({ generator }) => generator?.limited),
      ({ id }) =>
        `${id}: the generator was the limit; its latencies are its own (use more cores, or less load)`,
      (ids) =>
        `${ids}: the generator was the limit; the latencies are its own (use more cores, or less load)`,
    ),
    ...notesOn(
      metas.filter(mostlyFailed),
      ({ id, error_rate }) =>
        `${id}: ${Math.floor(error_rate * 100)}% of its iterations failed; ` +
        "its latencies are mostly those of failures",
      (ids) =>
        `${ids}: at least ${MOSTLY * 100}% of the iterations failed in each; ` +
        "the latencies are mostly those of failures",
    ),
    ...notesOn(
      metas.filter(({ status }) => status !== "finished"),
      ({ id, status }) => `${id} is ${status}: it did not run to its end`,
      (ids) => `${ids} did not run to their end`,
    ),
    ...versions.size > 1
      ? [`measured by different versions of bench: ${[...versions].join(", ")}`]
      : [],
    ...optionNotes(metas),
  ];
}
