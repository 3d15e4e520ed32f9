import { decodeHistogram } from "../../lib/results/histograms/histogram_text.ts";
import type { AgentSeries } from "../../lib/model/result/agent.ts";
import type { Distribution } from "../../lib/model/result/totals.ts";
import type {
  Histograms,
  HistogramSet,
  Series,
} from "../../lib/model/result/series.ts";
import type { RowSummary, RunMeta } from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import { FILES } from "../../lib/results/store/layout.ts";
import {
  readAgent,
  readFlow,
  readHistograms,
  readRows,
  readSeries,
} from "../../lib/results/store/reader.ts";
import {
  eachTrace,
  readTrace,
  readTraceFacts,
  readTraceIndex,
  type TraceFacts,
} from "../../lib/results/store/trace_reader.ts";
import { type StepStretches, stretchesOf } from "./step_stretches.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { emptyDigest, type TraceDigest } from "../model/trace_digest.ts";
import { sampleOf } from "../model/trace_sample.ts";
import { stampOf } from "./files.ts";
import { Memory } from "./memory.ts";
import {
  checkAgent,
  checkFlow,
  checkHistograms,
  checkSeries,
  checkTrace,
} from "./stored_shapes.ts";

/** A file's content, nothing when there is no such file, or what is wrong. */
export interface Part<T> {
  readonly value?: T;
  readonly error?: string;
}

/**
 * The files of one run directory, each read when it is asked for and kept until
 * it changes. A file that cannot be read takes its block of a page with it and
 * nothing else.
 */
export class RunDirectory {
  readonly #kept = new Memory<unknown>(8);

  constructor(readonly dir: string) {}

  series(): Promise<Part<Series>> {
    return this.#read([FILES.series, FILES.seriesPart], async (path) => {
      return checkSeries(await readSeries(this.dir), path);
    });
  }

  histograms(): Promise<Part<Histograms>> {
    return this.#read([FILES.histograms], async (path) => {
      return checkHistograms(await readHistograms(this.dir), path);
    });
  }

  agent(): Promise<Part<AgentSeries>> {
    return this.#read([FILES.agent, FILES.agentPart], async (path) => {
      return checkAgent(await readAgent(this.dir), path);
    });
  }

  /** Every row of an integration or system run; none of any other. */
  async rows(meta: RunMeta): Promise<Part<readonly RowSummary[]>> {
    if (!meta.other_rows) return meta.rows ? { value: meta.rows } : {};
    const names = [FILES.rows, FILES.rowsPart];
    const kept = await this.#read(names, () => readRows(this.dir, meta));
    return kept.error === undefined && !kept.value
      ? { value: meta.rows ?? [] }
      : kept;
  }

  /** The canonical IR as it is stored. */
  flow(): Promise<Part<string>> {
    return this.#read([FILES.flow], async (path) => {
      return checkFlow(await readFlow(this.dir), path);
    });
  }

  async entries(): Promise<Part<readonly TraceEntry[]>> {
    const error = this.#tracesError();
    if (error !== undefined) return { error };
    return await this.#kind(
      [FILES.index, FILES.traces, FILES.tracesPart],
      "entries",
      () => readTraceIndex(this.dir),
    );
  }

  /** What `traces.json` says of itself; undefined when there is none. */
  async traceFacts(): Promise<TraceFacts | undefined> {
    if (this.#tracesError() !== undefined) return;
    return await readTraceFacts(this.dir).catch(() => undefined);
  }

  /** One trace, read without the others. */
  async trace(id: string): Promise<Part<Trace>> {
    const entries = await this.entries();
    if (entries.error !== undefined) return { error: entries.error };
    try {
      const trace = await readTrace(this.dir, id, entries.value);
      return trace ? { value: checkTrace(trace, this.#path("traces")) } : {};
    } catch (error) {
      return { error: reason(error) };
    }
  }

  /**
   * Traces one after the other, one in memory at a time.
   *
   * @param entries which, in this order; all of them when absent
   * @throws {StoreError}
   */
  async *traces(entries?: readonly TraceEntry[]): AsyncGenerator<Trace> {
    const error = this.#tracesError();
    if (error !== undefined) throw new StoreError(error);
    for await (const trace of eachTrace(this.dir, entries)) {
      yield checkTrace(trace, this.#path("traces"));
    }
  }

  /** What all traces are together, from one pass over them. */
  async digest(): Promise<Part<TraceDigest>> {
    const error = this.#tracesError();
    if (error !== undefined) return { error };
    return await this.#kind(
      [FILES.index, FILES.traces, FILES.tracesPart],
      "digest",
      async () => {
        const { value: entries = [] } = await this.entries();
        const sample = sampleOf(entries).map(({ trace_id }) => trace_id);
        const digest = emptyDigest(new Set(sample));
        for await (const trace of this.traces()) digest.add(trace);
        return digest;
      },
    );
  }

  /** @param step a step's id; the whole run when absent */
  async latencies(step?: string): Promise<Part<LatencySet>> {
    const all = await this.histograms();
    const set = step === undefined ? all.value?.overall : own(all.value, step);
    if (!set) return all.error === undefined ? {} : { error: all.error };
    return this.#kind([FILES.histograms], `latencies ${step}`, () => {
      try {
        return Promise.resolve(decoded(set));
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
    const { value: steps = [] } = await this.#kind(
      [FILES.histograms],
      "stretches",
      () => Promise.resolve(stretchesOf(value)),
    );
    return steps;
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

  #tracesError(): string | undefined {
    for (const name of [FILES.index, FILES.traces, FILES.tracesPart]) {
      try {
        stampOf(this.dir, name);
      } catch (error) {
        return reason(error);
      }
    }
  }

  /** @param names the first is the file, the others what it grows in */
  #read<T>(
    names: readonly string[],
    make: (path: string) => Promise<T>,
  ): Promise<Part<T>> {
    return this.#kind(names, "", () => make(`${this.dir}/${names[0]}`));
  }

  async #kind<T>(
    names: readonly string[],
    kind: string,
    make: () => Promise<T>,
  ): Promise<Part<T>> {
    try {
      const stamps = names.map((name) => stampOf(this.dir, name));
      if (stamps.every((each) => each === undefined)) return {};
      const key = `${kind}\n${names}\n${stamps.map((each) => each?.stamp)}`;
      return { value: await this.#kept.get(key, make) as T };
    } catch (error) {
      return { error: reason(error) };
    }
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

function reason(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  throw error;
}
