import type { Listed } from "./listed_run.ts";

/** By run id: p95 of the runs of the same flow, mode and target before it, oldest first. */
export type Earlier = ReadonlyMap<string, readonly number[]>;

const MOST = 11;

/** @param runs newest first */
export function earlierOf(runs: readonly Listed[]): Earlier {
  const seen = new Map<string, number[]>();
  const earlier = new Map<string, readonly number[]>();
  for (const { id, meta } of runs.toReversed()) {
    if (!meta || meta.latency.p95 === null) continue;
    const key = JSON.stringify([meta.flow, meta.mode, meta.target]);
    const before = seen.get(key) ?? [];
    earlier.set(id, before.slice(-MOST));
    seen.set(key, before);
    before.push(meta.latency.p95);
  }
  return earlier;
}
