import { decodeHistogram } from "../../lib/results/histograms/histogram_text.ts";
import type { Distribution } from "../../lib/model/metrics.ts";
import type {
  Histograms,
  HistogramSet,
  SecondPoint,
  Series,
} from "../../lib/model/result/series.ts";
import {
  type LatencySummary,
  NO_LATENCY,
  type RowSummary,
  type RunMeta,
} from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import { FILES, StoreError } from "../../lib/results/store/layout.ts";
import {
  readAgent,
  readHistograms,
  readSeries,
  readStoredFlow,
  readStoredRows,
} from "../../lib/results/store/reader.ts";
import {
  eachTrace,
  readTrace,
  readTraceFacts,
  readTraceIndex,
  type TraceFacts,
} from "../../lib/results/store/trace_reader.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { emptyDigest, type TraceDigest } from "../model/traces.ts";
import { type AgentPoint, agentTimeline } from "../model/timeline.ts";
import {
  checkAgent,
  checkFlow,
  checkHistograms,
  checkSeries,
  checkTrace,
} from "./file_checks.ts";
import { Memory, stampOf } from "./file_memory.ts";
import {
  blockMean,
  blockPercentile,
  blockTotal,
  joinBlocks,
  type LatencyBlock,
} from "../../lib/model/result/latency.ts";
import { folded } from "../../lib/results/histograms/latency_stretches.ts";
import { decodeBlocks } from "../../lib/results/histograms/stretches_text.ts";

/** A file's content, nothing when there is no such file, or what is wrong. */
export interface Part<T> {
  readonly value?: T | undefined;
  readonly error?: string | undefined;
}

/** The result of `make`, or why it cannot be read. */
export async function readable<T>(
  make: () => T | undefined | Promise<T | undefined>,
): Promise<Part<T>> {
  try {
    return { value: await make() };
  } catch (error) {
    if (error instanceof StoreError) return { error: error.message };
    throw error;
  }
}

/**
 * The value of a part; nothing when there is no such file.
 *
 * @throws {StoreError} when it cannot be read
 */
export function valueOf<T>({ value, error }: Part<T>): T | undefined {
  if (error !== undefined) throw new StoreError(error);
  return value;
}

/** Where traces are, and what they grow in. */
const TRACES = [FILES.index, FILES.traces, FILES.tracesPart];

/**
 * The files of one run directory, each read when it is asked for and kept until
 * it changes. A file that cannot be read takes its block of a page with it and
 * nothing else.
 */
export class RunDirectory {
  readonly #kept = new Memory<Promise<unknown>>(8);
  /** That of the run as it is now; absent where it cannot be read. */
  meta?: Pick<RunMeta, "steps" | "flows">;

  constructor(readonly dir: string) {}

  /** The seconds of the run. */
  async series(): Promise<Part<readonly SecondPoint[]>> {
    const { value, ...rest } = await this.#series();
    return value ? { value: value.points } : rest;
  }

  /** The seconds of its warm-up, which end at 0; none of a run without one. */
  async warmUp({ warm_up }: RunMeta): Promise<readonly SecondPoint[]> {
    const { value } = await this.#series();
    const lasted = (warm_up?.duration_ms ?? 0) / 1_000;
    return (value?.warm_up ?? []).map((each) => ({
      ...each,
      t: each.t - lasted,
    }))
      // Its last iterations end later.
      .filter(({ t }) => t < 0);
  }

  #series(): Promise<Part<Series>> {
    return this.#file(
      [FILES.series, FILES.seriesPart],
      readSeries,
      checkSeries,
    );
  }

  histograms(): Promise<Part<Histograms>> {
    return this.#file([FILES.histograms], readHistograms, checkHistograms);
  }

  /** The target's machine by second. */
  agent(): Promise<Part<readonly AgentPoint[]>> {
    return this.#file(
      [FILES.agent, FILES.agentPart],
      readAgent,
      (value, path) => agentTimeline(checkAgent(value, path)),
    );
  }

  /** Every row of an integration or system run; none of any other. */
  async rows(meta: RunMeta): Promise<Part<readonly RowSummary[]>> {
    if (!meta.other_rows) return { value: meta.rows };
    const names = [FILES.rows, FILES.rowsPart];
    const kept = await this.#keep(
      names,
      "",
      () => readStoredRows(this.dir, meta),
    );
    return kept.error === undefined && !kept.value
      ? { value: meta.rows ?? [] }
      : kept;
  }

  /** The canonical IR as it is stored. */
  flow(): Promise<Part<string>> {
    return this.#file([FILES.flow], readStoredFlow, checkFlow);
  }

  /** The kept iterations. */
  entries(): Promise<Part<readonly TraceEntry[]>> {
    return this.#keep(TRACES, "entries", async () => {
      const all = await readTraceIndex(this.dir);
      return all.filter(({ once }) => once === null);
    });
  }

  /** The traces of `setup` and `teardown`; none where they cannot be read. */
  async onceEntries(): Promise<readonly TraceEntry[]> {
    const { error } = await this.entries();
    if (error !== undefined) return [];
    const all = await readTraceIndex(this.dir);
    return all.filter(({ once }) => once !== null);
  }

  /** Policy and completeness of `traces.json`; undefined when there is none. */
  async traceFacts(): Promise<TraceFacts | undefined> {
    try {
      for (const name of TRACES) stampOf(this.dir, name);
      return await readTraceFacts(this.dir);
    } catch {
      return;
    }
  }

  /**
   * The entry of one trace, of an iteration or not; none when it was not kept.
   *
   * @throws {StoreError}
   */
  async entriesOf(id: string): Promise<readonly TraceEntry[]> {
    const { value = [] } = await this.entries();
    const known = value.find(({ trace_id }) => trace_id === id);
    if (known) return [known];
    const all = await readTraceIndex(this.dir);
    return all.filter(({ trace_id }) => trace_id === id);
  }

  /** One trace, read without the others. */
  async trace(id: string): Promise<Part<Trace>> {
    const { error } = await this.entries();
    if (error !== undefined) return { error };
    return readable(async () => {
      const trace = await readTrace(this.dir, id, await this.entriesOf(id));
      return trace && checkTrace(trace, this.#path("traces"));
    });
  }

  /**
   * Traces one after the other, one in memory at a time.
   *
   * @param entries which, in this order
   * @throws {StoreError}
   */
  async *traces(entries: readonly TraceEntry[]): AsyncGenerator<Trace> {
    for (const name of TRACES) stampOf(this.dir, name);
    for await (const trace of eachTrace(this.dir, entries)) {
      yield checkTrace(trace, this.#path("traces"));
    }
  }

  /** The digest of all traces, from one pass over them. */
  digest(): Promise<Part<TraceDigest>> {
    return this.#keep(TRACES, "digest", async () => {
      const entries = valueOf(await this.entries()) ?? [];
      const digest = emptyDigest(entries, this.meta);
      for await (const trace of this.traces(entries)) digest.add(trace);
      return digest;
    });
  }

  /** @param step a step's id; the whole run when absent */
  async latencies(step?: string): Promise<Part<LatencySet>> {
    const all = await this.histograms();
    const set = step === undefined ? all.value?.overall : own(all.value, step);
    if (!set) return { error: all.error };
    return this.#keep([FILES.histograms], `latencies ${step}`, () => {
      try {
        return decoded(set);
      } catch (error) {
        throw new StoreError(
          `Cannot read \`${this.#path("histograms")}\`: ${
            error instanceof Error ? error.message : error
          }`,
        );
      }
    });
  }

  /** Response times of each step over time; none of runs of earlier versions. */
  async stretches(): Promise<readonly StepStretches[]> {
    const { value } = await this.histograms();
    const names = [FILES.histograms];
    const kept = await this.#keep(names, "stretches", () => stretchesOf(value));
    return kept.value ?? [];
  }

  /** Names and sizes of the files that are there. */
  files(): { readonly name: string; readonly size: number }[] {
    return Object.values(FILES).flatMap((name) => {
      try {
        return stampOf(this.dir, name) ?? [];
      } catch {
        return [];
      }
    });
  }

  #path(name: keyof typeof FILES): string {
    return `${this.dir}/${FILES[name]}`;
  }

  /** @param names the first is the file, the others what it grows in */
  #file<Stored, T>(
    names: readonly string[],
    read: (dir: string) => Promise<Stored>,
    check: (value: Stored, path: string) => T,
  ): Promise<Part<T>> {
    return this.#keep(
      names,
      "",
      async () => check(await read(this.dir), `${this.dir}/${names[0]}`),
    );
  }

  /** @param kind of what is made of these files, which is kept until one changes */
  #keep<T>(
    names: readonly string[],
    kind: string,
    make: () => T | Promise<T>,
  ): Promise<Part<T>> {
    return readable(() => {
      const stamps = names.map((name) => stampOf(this.dir, name));
      if (stamps.every((each) => each === undefined)) return;
      const key = `${kind}\n${names}\n${stamps.map((each) => each?.stamp)}`;
      return this.#kept.get(key, async () => await make()) as Promise<T>;
    }) as Promise<Part<T>>;
  }
}

/** Latencies of a run or a step, in milliseconds. */
export interface LatencySet {
  readonly service: Distribution;
  readonly response: Distribution;
  readonly throttled: Distribution;
}

function own(all: Histograms | undefined, step: string) {
  return all && Object.hasOwn(all.steps, step) ? all.steps[step] : undefined;
}

function decoded(set: HistogramSet): LatencySet {
  const read = (text: string) => decodeHistogram(text).distribution();
  return {
    service: read(set.service),
    response: read(set.response),
    throttled: read(set.throttled),
  };
}

/** The latencies of a part of a run, in milliseconds. */
export type RangeLatency = LatencySummary & {
  /** Seconds of a stretch: a part begins and ends with one. */
  readonly width: number;
  readonly samples: number;
};

/**
 * Without a sample where nothing is stored that says it.
 *
 * @param from seconds since the start of the run
 * @param to seconds since the start of the run
 */
export function rangeLatency(
  all: Histograms | undefined,
  from = 0,
  to = Infinity,
): RangeLatency {
  const { width, blocks } = storedBlocks(all?.overall ?? {});
  const part = joinBlocks(
    blocks.filter((_, i) => (i + 1) * width > from && i * width < to),
  );
  if (part.buckets.length === 0) return { width, samples: 0, ...NO_LATENCY };
  const at = (percent: number) => blockPercentile(part, percent) / 1_000;
  return {
    width,
    samples: blockTotal(part),
    min: at(0),
    avg: blockMean(part) / 1_000,
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    max: at(100),
  };
}

/** The response times of one step over time, in stretches as long as those of the others. */
export interface StepStretches {
  readonly id: string;
  /** Seconds of a stretch. */
  readonly width: number;
  /** Milliseconds, by stretch; null without a sample. */
  readonly p95: readonly (number | null)[];
}

/** Of every step that has any; none where they are not stored or cannot be read. */
export function stretchesOf(all: Histograms | undefined): StepStretches[] {
  const steps = Object.entries(all?.steps ?? {})
    .map(([id, set]) => ({ id, ...storedBlocks(set) }));
  const width = Math.max(1, ...steps.map((each) => each.width));
  return steps.flatMap(({ id, width: own, blocks }) => {
    const p95 = folded(blocks, width / own).map((block) => {
      const us = blockPercentile(block, 95);
      return Number.isNaN(us) ? null : us / 1_000;
    });
    return blocks.length === 0 ? [] : [{ id, width, p95 }];
  });
}

/** Latencies by stretches of so many seconds; no stretches where they cannot be read. */
function storedBlocks(
  { stretches }: Partial<HistogramSet>,
): { readonly width: number; readonly blocks: readonly LatencyBlock[] } {
  if (!stretches) return { width: 1, blocks: [] };
  const width = stretches.ms / 1_000;
  try {
    return { width, blocks: decodeBlocks(stretches.blocks) };
  } catch {
    return { width, blocks: [] };
  }
}
