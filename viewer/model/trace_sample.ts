import { SAMPLE } from "../../lib/results/traces/traces.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";

/**
 * Of kept traces those that stand for the whole run: the random sample, without
 * the failures and the slowest that were kept besides. All of them where every
 * trace was kept.
 */
export function sampleOf(
  entries: readonly TraceEntry[],
): readonly TraceEntry[] {
  const ranked = entries.filter(({ rank }) => rank !== null);
  if (ranked.length === 0) return entries;
  const kept = new Set(
    ranked.toSorted((a, b) => b.rank! - a.rank!).slice(0, SAMPLE),
  );
  return entries.filter((entry) => kept.has(entry));
}
