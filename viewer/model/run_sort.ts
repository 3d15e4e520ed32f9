import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Listed } from "./listed_run.ts";
import { verdictOf } from "./verdict.ts";

interface Sort {
  readonly key: string;
  readonly of: (meta: RunMeta) => number | string;
}

/** What the run list can be sorted by. */
const SORTS: readonly Sort[] = [
  { key: "verdict", of: (meta) => verdictOf(meta).word },
  { key: "started", of: (meta) => meta.started_at },
  { key: "flow", of: (meta) => meta.flow },
  { key: "mode", of: (meta) => meta.mode },
  { key: "target", of: (meta) => meta.target },
  { key: "vus", of: (meta) => meta.vus },
  {
    key: "duration",
    of: (meta) => meta.duration_ms,
  },
  {
    key: "iterations",
    of: (meta) => meta.iterations.completed,
  },
  {
    key: "error_rate",
    of: (meta) => meta.error_rate,
  },
  {
    key: "throttle_rate",
    of: (meta) => meta.throttle_rate,
  },
  { key: "p95", of: (meta) => meta.latency.p95 ?? 0 },
];

/**
 * Sorts by a column's key, downwards with `-` before it; an unknown key leaves
 * the order. Runs that cannot be read come last.
 */
export function sortRuns(runs: readonly Listed[], sort: string): Listed[] {
  const down = sort.startsWith("-");
  const by = SORTS.find(({ key }) => key === (down ? sort.slice(1) : sort));
  if (!by) return [...runs];
  return runs.toSorted((a, b) => {
    if (!a.meta || !b.meta) return Number(!a.meta) - Number(!b.meta);
    const x = by.of(a.meta);
    const y = by.of(b.meta);
    const order = x < y ? -1 : x > y ? 1 : 0;
    return down ? -order : order;
  });
}
