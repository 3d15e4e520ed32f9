import type { RunMeta } from "../../lib/model/result/run.ts";

/** Runs that are looked at; older ones say little about today. */
const MOST = 50;

/**
 * Runs that ended by themselves and did the same as `run`: flow, mode, target
 * and VUs. Newest first.
 *
 * @param all newest first
 */
export function likeRuns(
  all: readonly RunMeta[],
  run: RunMeta,
  without: readonly string[],
): RunMeta[] {
  return all.filter((each) =>
    each.status === "finished" && !without.includes(each.id) &&
    each.ir_sha256 === run.ir_sha256 && each.mode === run.mode &&
    each.target === run.target && each.vus === run.vus
  ).slice(0, MOST);
}

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
