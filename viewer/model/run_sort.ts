import type { RunMeta } from "../../lib/result/run.ts";
import type { Listed } from "../store/shelf.ts";
import { verdictOf } from "./verdict.ts";

interface Sort {
  readonly key: string;
  readonly title: string;
  readonly number?: true;
  readonly of: (meta: RunMeta) => number | string;
}

/** The sortable columns of the run list, in order. */
export const SORTS: readonly Sort[] = [
  { key: "verdict", title: "verdict", of: (meta) => verdictOf(meta).word },
  { key: "started", title: "started", of: (meta) => meta.started_at },
  { key: "flow", title: "flow", of: (meta) => meta.flow },
  { key: "mode", title: "mode", of: (meta) => meta.mode },
  { key: "target", title: "target", of: (meta) => meta.target },
  { key: "vus", title: "VUs", number: true, of: (meta) => meta.vus },
  {
    key: "duration",
    title: "duration",
    number: true,
    of: (meta) => meta.duration_ms,
  },
  {
    key: "iterations",
    title: "iterations",
    number: true,
    of: (meta) => meta.iterations.completed,
  },
  {
    key: "error_rate",
    title: "error_rate",
    number: true,
    of: (meta) => meta.error_rate,
  },
  {
    key: "throttle_rate",
    title: "throttle_rate",
    number: true,
    of: (meta) => meta.throttle_rate,
  },
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
