import type { AgentSeries } from "../../model/result/agent.ts";
import type { RowSummary, RunMeta } from "../../model/result/run.ts";
import type { HistogramSet, Series } from "../../model/result/series.ts";
import type { Trace } from "../../model/result/trace.ts";
import type { Redacted } from "../redact/redacted.ts";

/** Takes what a run leaves behind. What writes to a disk throws a StoreError. */
export interface RunFiles {
  /** The run directory, when there is one. */
  readonly dir?: string | undefined;
  writeMeta(meta: Redacted<RunMeta>): Promise<void>;
  /** @param canonicalText the IR as it is: templates unresolved, no value in it */
  writeFlow(canonicalText: string): Promise<void>;
  writeSeries(series: Redacted<Series>): Promise<void>;
  /** @param steps by id, each asked for as it is written */
  writeHistograms(
    overall: Redacted<HistogramSet>,
    steps: AsyncIterable<readonly [id: string, set: Redacted<HistogramSet>]>,
  ): Promise<void>;
  writeAgent(agent: Redacted<AgentSeries>): Promise<void>;
  /** @param share what one shard recorded, as JSON has it */
  writeShare(share: Redacted<unknown>): Promise<void>;
  /**
   * Its record so far: replaced when more came, or when the run is over.
   *
   * @param ticks what came since, to be added to what came before
   */
  writeShareSoFar(
    share: Redacted<unknown>,
    ticks: Redacted<ShareTicks>,
  ): Promise<void>;
  /** Removes what was written so far: the run has it. */
  dropShareSoFar(): Promise<void>;
  /** Adds what came to the list of a run that goes on. */
  appendSeries(points: Redacted<Series>): Promise<void>;
  appendAgent(samples: Redacted<AgentSeries>): Promise<void>;
  /** Adds rows that `meta.json` has no room for. */
  appendRows(rows: Redacted<RowList>): Promise<void>;
  /** Completes their file, where there is one. */
  finishRows(): Promise<void>;
  /** Opens `traces.json` for traces that come one by one. */
  openTraces(policy: "all" | "sampled"): TraceFile;
  /**
   * Marks the run as still running; to be called every few seconds. A
   * `running` run whose `meta.json` is older than 15 s counts as interrupted.
   *
   * @param wall milliseconds since the Unix epoch
   */
  heartbeat(wall: number): Promise<void>;
  /** Frees the space that is reserved for the last write. */
  release(): void;
}

/** `rows.json`. */
export interface RowList {
  readonly schema: number;
  readonly rows: readonly RowSummary[];
}

/** `share.json.part`. */
export interface ShareTicks {
  readonly schema: number;
  readonly ticks: readonly unknown[];
}

/** Takes the traces of one run. */
export interface TraceFile {
  /** Adds a trace and returns its size in bytes; never throws. */
  append(trace: Redacted<Trace>): number;
  /** Writes what waits in memory. */
  flush(): void;
  /** Begins again: what was kept so far is not what is kept in the end. */
  restart(): void;
  /** Completes the file. */
  finish(truncated: boolean): Promise<void>;
  /** Of a run that is not stored, traces that show what did not pass. */
  readonly shown?: readonly Redacted<Trace>[];
}

/** The first traces that show a failure, one for each cause and step; no file is written. */
class FailedTraces implements TraceFile {
  readonly shown: Redacted<Trace>[] = [];
  readonly #causes = new Set<string>();

  append(trace: Redacted<Trace>): number {
    if (this.shown.length === MOST_SHOWN) return 0;
    const before = this.#causes.size;
    for (const { name, failure } of trace.spans) {
      if (failure) this.#causes.add(`${name}\n${failure.message}`);
    }
    if (this.#causes.size > before) this.shown.push(trace);
    return 0;
  }

  flush(): void {}

  restart(): void {}

  finish(): Promise<void> {
    return nothing();
  }
}

/** Failures of so many causes are looked up in them, and some to spare. */
const MOST_SHOWN = 100;

const nothing = () => Promise.resolve();

/** For a run whose caller takes the results as they come: no file is written. */
export const NO_FILES: RunFiles = {
  writeMeta: nothing,
  writeFlow: nothing,
  writeSeries: nothing,
  writeHistograms: nothing,
  writeAgent: nothing,
  writeShare: nothing,
  writeShareSoFar: nothing,
  dropShareSoFar: nothing,
  appendSeries: nothing,
  appendAgent: nothing,
  appendRows: nothing,
  finishRows: nothing,
  openTraces: (policy) =>
    policy === "all" ? new FailedTraces() : {
      append: () => 0,
      flush() {},
      restart() {},
      finish: nothing,
    },
  heartbeat: nothing,
  release() {},
};
