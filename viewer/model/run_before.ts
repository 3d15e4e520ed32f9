import type { RunMeta } from "../../lib/model/result/run.ts";

/** The run of the same flow and mode that ended before `run` began. */
export function runBefore(
  all: readonly RunMeta[],
  run: RunMeta,
): RunMeta | undefined {
  return all.find((each) =>
    each.id !== run.id && each.flow === run.flow && each.mode === run.mode &&
    each.status !== "running" && each.started_at <= run.started_at &&
    // Runs that began together are in the order of their names.
    (each.started_at < run.started_at || each.id < run.id)
  );
}
