import {
  boundsOf,
  highestOf,
  lengthOf,
  type LoadBounds,
} from "../../lib/model/course.ts";
import {
  isFunctional,
  type Mode,
  throttleIsError,
} from "../../lib/model/mode.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { type RunDirectory, valueOf } from "./run_directory.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { FlameTree } from "../model/flame.ts";
import { needsNotes, readTraceQuery, selectTraces } from "../model/traces.ts";

/**
 * The flow's step ids in order, from `meta.json`, or from `flow.json` while the
 * run is going on. A step's colour is its position in this list, on every page.
 */
export async function stepIds(
  meta: RunMeta,
  run: RunDirectory,
): Promise<readonly string[]> {
  if (meta.steps.length > 0) return meta.steps.map((step) => step.id);
  return [...(await storedSteps(run)).keys()];
}

/**
 * Whether a throttle of a step, by its id, counts as a failure. Of a flow that cannot be
 * read the mode says it.
 */
export async function failingThrottles(
  meta: RunMeta,
  run: RunDirectory,
): Promise<(step: string) => boolean> {
  const steps = await storedSteps(run);
  return (id) => throttleIsError(steps.get(id) ?? {}, meta.mode as Mode);
}

/** The steps of the stored flow by their ids in the run; none of one that cannot be read. */
async function storedSteps(
  run: RunDirectory,
): Promise<ReadonlyMap<string, StoredStep>> {
  const { value } = await run.flow();
  try {
    const ir = JSON.parse(value ?? "") as StoredFlow | StoredMix;
    return new Map(
      "flows" in ir
        ? ir.flows.flatMap(({ flow }) =>
          flow.steps.map((step) => [`${flow.flow}/${step.id}`, step] as const)
        )
        : ir.steps.map((step) => [String(step.id), step] as const),
    );
  } catch {
    return new Map();
  }
}

interface StoredStep {
  readonly id: string;
  readonly throttle?: { readonly as_error?: boolean };
}

interface StoredFlow {
  readonly flow: string;
  readonly steps: readonly StoredStep[];
}

interface StoredMix {
  readonly flows: readonly { readonly flow: StoredFlow }[];
}

/**
 * The load that a run's flow asks for. Read from the stored flow; nothing of one that
 * cannot be read.
 */
export async function plannedLoad(run: RunDirectory): Promise<LoadBounds> {
  const { value } = await run.flow();
  try {
    const { profile } = JSON.parse(value ?? "");
    // Rows decide when a functional run ends, whatever its profile says.
    if (isFunctional(profile.mode)) return {};
    const bounds = boundsOf(profile);
    const levels = [bounds.vus, bounds.rate].flatMap((course) =>
      course ? [course.from, highestOf(course), lengthOf(course)] : []
    );
    return levels.every((each) => each >= 0 && Number.isFinite(each))
      ? bounds
      : {};
  } catch {
    return {};
  }
}

/**
 * The metadata of a run, in which a trace is named only if it is stored: not every
 * kept trace of a run that goes on is stored yet, and a killed run lost the others.
 */
export async function withStoredTraces(
  meta: RunMeta,
  run: RunDirectory,
): Promise<RunMeta> {
  if (meta.ended_at !== null) return meta;
  const { value: entries = [] } = await run.entries();
  const stored = new Set(entries.map(({ trace_id }) => trace_id));
  const naming = <Of extends { readonly trace_id?: string }>(
    all: readonly Of[],
  ): Of[] =>
    all.map((each) => {
      const { trace_id, ...rest } = each;
      return trace_id === undefined || stored.has(trace_id) ? each : rest as Of;
    });
  const { failures, rows, contract } = meta;
  return {
    ...meta,
    failures: naming(failures),
    ...rows && { rows: naming(rows) },
    ...contract &&
      { contract: { ...contract, violations: naming(contract.violations) } },
  };
}

/** The traces an export is made of. */
interface ChosenTraces {
  /** In the order of time. */
  readonly entries: readonly TraceEntry[];
  /** Whether these are all the run kept. */
  readonly all: boolean;
  /** With those of `setup` and `teardown`, where these are all. */
  readonly withOnce: readonly TraceEntry[];
}

/**
 * The traces that fit a query of the list of traces (docs/http-api.md), or the
 * one that `trace` names.
 *
 * @param read whether VUs count from 1, as on the pages, or as they are stored
 * @throws {StoreError}
 */
export async function chosenTraces(
  run: RunDirectory,
  fields: URLSearchParams,
  read = readTraceQuery,
): Promise<ChosenTraces> {
  const all = valueOf(await run.entries()) ?? [];
  const { cursor: _, ...query } = read(fields);
  const digest = needsNotes(query) ? valueOf(await run.digest()) : undefined;
  const id = fields.get("trace") || null;
  const { entries } = selectTraces(
    id === null ? all : await run.entriesOf(id),
    digest?.notes,
    { ...query, sort: "time", limit: Infinity },
  );
  const isAll = entries.length === all.length;
  const once = isAll && id === null ? await run.onceEntries() : [];
  const withOnce = [...once, ...entries]
    .toSorted((a, b) => a.start_us - b.start_us);
  return { entries, all: isAll, withOnce };
}

/**
 * The merged tree of chosen traces; that of the sample when they are all.
 *
 * @throws {StoreError}
 */
export async function flameOf(
  run: RunDirectory,
  { entries, all }: ChosenTraces,
): Promise<FlameTree> {
  const sample = all ? valueOf(await run.digest())?.flame : undefined;
  if (sample) return sample;
  const flame = new FlameTree();
  for await (const trace of run.traces(entries)) flame.add(trace);
  return flame;
}
