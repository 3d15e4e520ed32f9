import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { FlameTree } from "../model/flame.ts";
import {
  needsNotes,
  readTraceQuery,
  selectTraces,
} from "../model/trace_query.ts";
import { type Part, readable, type RunDirectory } from "./run_directory.ts";

/** The traces an export is made of. */
interface ChosenTraces {
  /** In the order of time. */
  readonly entries: readonly TraceEntry[];
  /** Whether these are all the run kept. */
  readonly all: boolean;
}

/**
 * The traces that fit a query of the list of traces (docs/http-api.md), or the
 * one that `trace` names.
 *
 * @param read whether VUs count from 1, as on the pages, or as they are stored
 */
export async function chosenTraces(
  run: RunDirectory,
  fields: URLSearchParams,
  read = readTraceQuery,
): Promise<Part<ChosenTraces>> {
  const { value: all = [], error } = await run.entries();
  if (error !== undefined) return { error };
  const { cursor: _, ...query } = read(fields);
  const digest = needsNotes(query) ? await run.digest() : {};
  if (digest.error !== undefined) return { error: digest.error };
  const id = fields.get("trace");
  const { entries } = selectTraces(
    id === null ? all : all.filter((each) => each.trace_id === id),
    digest.value?.notes,
    { ...query, sort: "time", limit: Infinity },
  );
  return { value: { entries, all: entries.length === all.length } };
}

/** The merged tree of chosen traces; that of the sample when they are all. */
export async function flameOf(
  run: RunDirectory,
  { entries, all }: ChosenTraces,
): Promise<Part<FlameTree>> {
  if (all) {
    const { value, error } = await run.digest();
    return error === undefined
      ? { value: value?.flame ?? new FlameTree() }
      : { error };
  }
  return await readable(async () => {
    const flame = new FlameTree();
    for await (const trace of run.traces(entries)) flame.add(trace);
    return flame;
  });
}
