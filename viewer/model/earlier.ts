import type { Listed } from "./listed_run.ts";

/** By run id: p95 of the runs of the same flow, mode and target before it, oldest first. */
export type Earlier = ReadonlyMap<string, readonly number[]>;

const MOST = 11;

/**
 * @param runs newest first
 * @param shown of which of them
 */
export function earlierOf(
  runs: readonly Listed[],
  shown: readonly Listed[],
): Earlier {
  const asked = new Set(shown);
  const seen = new Map<string, number[]>();
  const earlier = new Map<string, readonly number[]>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const { id, meta } = runs[i]!;
    if (!meta || meta.latency.p95 === null) continue;
    const key = `${meta.flow} ${meta.mode} ${meta.target}`;
    const before = seen.get(key) ?? [];
    if (asked.has(runs[i]!)) earlier.set(id, before.slice(-MOST));
    seen.set(key, before);
    before.push(meta.latency.p95);
  }
  return earlier;
}
