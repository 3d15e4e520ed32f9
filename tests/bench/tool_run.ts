import { columns, type Figure, short } from "./figure.ts";

/** What a tool did against a target, and what that cost it. */
export interface ToolRun {
  readonly tool: string;
  /** Requests, echoes or calls. */
  readonly count: number;
  readonly wallSeconds: number;
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
}

/** How much a tool does in a second of processor time. */
export function perCpu({ count, cpuSeconds }: ToolRun): number {
  return count / cpuSeconds;
}

/**
 * Runs side by side.
 *
 * @param what what is counted, as the head of a column
 * @param measure the tool the last column compares with; no column without one
 */
export function toolTable(
  what: string,
  runs: readonly ToolRun[],
  measure?: ToolRun,
): string {
  const head = ["", what, `${what}/s`, "CPU s", `${what}/CPU s`, "RSS MB"];
  return columns([
    [...head, measure ? `of ${measure.tool}` : ""],
    ...runs.map((run) => [
      run.tool,
      String(run.count),
      short(run.count / run.wallSeconds),
      run.cpuSeconds.toFixed(2),
      short(perCpu(run)),
      short(run.peakRssMb),
      measure ? (perCpu(run) / perCpu(measure)).toFixed(2) : "",
    ]),
  ]);
}

/** The most memory that `bench` took, which may be so many megabytes. */
export function memoryOf(
  name: string,
  { peakRssMb }: ToolRun,
  limit: number,
): Figure {
  return {
    name: `${name}: peak memory`,
    value: peakRssMb,
    unit: "MB",
    expected: { op: "<=", limit },
  };
}

/** One tool's work for its CPU time as a share of another's; none without that one. */
export function shareOf(
  name: string,
  own: ToolRun,
  other: ToolRun | undefined,
  least?: number,
): Figure[] {
  return other
    ? [{
      name: `${name} per CPU second, of ${other.tool}'s`,
      value: perCpu(own) / perCpu(other),
      unit: "",
      ...(least !== undefined && { expected: { op: ">=", limit: least } }),
    }]
    : [];
}
