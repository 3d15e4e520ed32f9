import { causingSpan, type Trace } from "../../lib/model/result/trace.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { SAMPLE } from "../../lib/results/traces/traces.ts";
import type { Outcome } from "../../lib/model/result/iteration.ts";
import { FlameTree } from "./flame.ts";
import { type KeptFailure, keptFailuresOf } from "./kept_failures.ts";

/** What a list of traces shows of one beyond its index entry. */
export interface TraceNote {
  /** Steps that did not pass, with how they came out; the causing one first. */
  readonly bad: readonly { readonly step: string; readonly outcome: Outcome }[];
  /** Steps begun. */
  readonly steps: readonly string[];
  /** Statuses of its responses, each once. */
  readonly statuses: readonly number[];
  readonly attempts: number;
  /** What its fixture row is called. */
  readonly rowName?: string;
  /** Why the iteration did not pass. */
  readonly message?: string;
}

/** All kept traces of a run, drawn together. */
export interface TraceDigest {
  readonly notes: ReadonlyMap<string, TraceNote>;
  /** Of those that stand for the whole run. */
  readonly flame: FlameTree;
  /** Every step that did not pass. */
  readonly failures: readonly KeptFailure[];
  add(trace: Trace): void;
}

/**
 * A digest of no traces yet.
 *
 * @param entries of all that are going to be added
 */
export function emptyDigest(entries: readonly TraceEntry[]): TraceDigest {
  const sample = new Set(sampleOf(entries).map(({ trace_id }) => trace_id));
  const notes = new Map<string, TraceNote>();
  const flame = new FlameTree();
  const failures: KeptFailure[] = [];
  return {
    notes,
    flame,
    failures,
    add(trace) {
      notes.set(trace.trace_id, noteOf(trace));
      if (sample.has(trace.trace_id)) flame.add(trace);
      failures.push(...keptFailuresOf(trace));
    },
  };
}

function noteOf({ spans, row_name }: Trace): TraceNote {
  const roots = spans.filter((span) => span.parent_id === undefined);
  const statuses = new Set<number>();
  let attempts = 0;
  for (const span of spans) {
    if (span.name !== "http_call") continue;
    attempts++;
    const status = span.attributes?.status;
    if (typeof status === "number") statuses.add(status);
  }
  const cause = causingSpan(roots);
  const message = cause?.failure?.message;
  return {
    steps: roots.map((span) => span.name),
    bad: roots.toSorted((a, b) => Number(b === cause) - Number(a === cause))
      .flatMap(({ name, outcome }) =>
        outcome === undefined || outcome === "passed"
          ? []
          : [{ step: name, outcome }]
      ),
    statuses: [...statuses],
    attempts,
    ...(message !== undefined && { message }),
    ...(row_name !== undefined && { rowName: row_name }),
  };
}

/**
 * Of kept traces those that stand for the whole run: the random sample, without
 * the failures and the slowest that were kept besides. All of them where every
 * trace was kept.
 */
function sampleOf(
  entries: readonly TraceEntry[],
): readonly TraceEntry[] {
  const ranked = entries.filter(({ rank }) => rank !== null);
  if (ranked.length === 0) return entries;
  const kept = new Set(
    ranked.toSorted((a, b) => b.rank! - a.rank!).slice(0, SAMPLE),
  );
  return entries.filter((entry) => kept.has(entry));
}
