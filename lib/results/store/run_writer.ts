import type { Redacted } from "../redact/redacted.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import type { RunMeta } from "../../model/result/run.ts";
import type { Histograms, Series } from "../../model/result/series.ts";
import { jsonWithoutCommands } from "../../base/text/log_commands.ts";
import { writeAtomic } from "./stored_file.ts";
import { FILES } from "./layout.ts";
import { appendToList, beginList, endList } from "./list_part.ts";
import { Reserve } from "./reserve.ts";
import type { RowList, RunFiles, ShareTicks } from "./run_files.ts";
import { storeError } from "./store_error.ts";
import { TraceWriter } from "./trace_writer.ts";

const ELSEWHERE = "choose another directory with --store or BENCH_STORE";

/**
 * Makes the directory of a new run, and the store's own when there is none yet.
 *
 * @throws {StoreError} when it cannot be made or nothing can be written into it
 */
export async function createRun(
  storeDir: string,
  id: string,
): Promise<RunWriter> {
  const store = storeDir.replace(/(?<=.)\/+$/, "");
  const dir = `${store}/${id}`;
  try {
    await Deno.mkdir(store, { recursive: true });
  } catch (error) {
    const file = error instanceof Deno.errors.AlreadyExists;
    throw storeError(
      `Cannot make the run store \`${store}\``,
      file ? new Error("it is a file, not a directory of runs") : error,
      ELSEWHERE,
    );
  }
  try {
    await Deno.mkdir(dir);
  } catch (error) {
    throw storeError(
      `Cannot make the run directory \`${dir}\``,
      error,
      ELSEWHERE,
    );
  }
  try {
    // A directory can be made where no data fits.
    return new RunWriter(dir, id, new Reserve(dir));
  } catch (error) {
    await Deno.remove(dir, { recursive: true }).catch(() => {});
    throw storeError(
      `Cannot write to the run store \`${store}\``,
      error,
      ELSEWHERE,
    );
  }
}

/** `meta.json` as it is stored and printed: indented, one newline at the end. */
export function metaText(meta: RunMeta): string {
  return `${jsonWithoutCommands(JSON.stringify(meta, null, 2))}\n`;
}

/**
 * Writes one run directory. Every file is whole or not there, except that
 * traces are written as they come. Takes only what has been redacted.
 *
 * Every method that writes throws a StoreError.
 */
export class RunWriter implements RunFiles {
  /** Lists that grow. */
  readonly #begun = new Set<string>();

  constructor(
    readonly dir: string,
    readonly id: string,
    readonly reserve?: Reserve,
  ) {}

  writeMeta(meta: Redacted<RunMeta>): Promise<void> {
    return this.#write(FILES.meta, metaText(meta));
  }

  /** @param canonicalText the canonical IR, templates unresolved */
  writeFlow(canonicalText: Redacted<string>): Promise<void> {
    return this.#write(FILES.flow, canonicalText);
  }

  async writeSeries(series: Redacted<Series>): Promise<void> {
    await this.#write(FILES.series, linesOf(series, "points"));
    await this.#remove(FILES.seriesPart);
  }

  writeHistograms(histograms: Redacted<Histograms>): Promise<void> {
    return this.#write(FILES.histograms, `${JSON.stringify(histograms)}\n`);
  }

  async writeAgent(agent: Redacted<AgentSeries>): Promise<void> {
    await this.#write(FILES.agent, linesOf(agent, "samples"));
    await this.#remove(FILES.agentPart);
  }

  async writeShare(share: Redacted<unknown>): Promise<void> {
    await this.#write(FILES.share, `${JSON.stringify(share)}\n`);
    await this.#remove(FILES.sharePart);
  }

  async writeShareSoFar(
    share: Redacted<unknown>,
    ticks: Redacted<ShareTicks>,
  ): Promise<void> {
    // Ticks that no share counts are not read.
    await this.#append(FILES.sharePart, ticks, "ticks");
    await this.#write(FILES.share, `${JSON.stringify(share)}\n`);
  }

  async dropShareSoFar(): Promise<void> {
    if (!this.#begun.has(FILES.sharePart)) return;
    await Deno.remove(`${this.dir}/${FILES.share}`).catch(() => {});
    await this.#remove(FILES.sharePart);
  }

  appendSeries(series: Redacted<Series>): Promise<void> {
    return this.#append(FILES.seriesPart, series, "points");
  }

  appendAgent(agent: Redacted<AgentSeries>): Promise<void> {
    return this.#append(FILES.agentPart, agent, "samples");
  }

  appendRows(rows: Redacted<RowList>): Promise<void> {
    return this.#append(FILES.rowsPart, rows, "rows");
  }

  async finishRows(): Promise<void> {
    if (!this.#begun.has(FILES.rowsPart)) return;
    const path = (name: string) => `${this.dir}/${name}`;
    await endList(path(FILES.rowsPart), path(FILES.rows));
  }

  /** Opens `traces.json` for traces that come one by one. */
  openTraces(policy: "all" | "sampled"): TraceWriter {
    return new TraceWriter(this.dir, policy);
  }

  /**
   * Marks the run as still running; to be called every few seconds. A
   * `running` run whose `meta.json` is older than 15 s counts as interrupted.
   *
   * @param wall milliseconds since the Unix epoch
   */
  async heartbeat(wall: number): Promise<void> {
    const path = `${this.dir}/${FILES.meta}`;
    try {
      await Deno.utime(path, wall / 1_000, wall / 1_000);
    } catch (error) {
      throw storeError(`Cannot touch \`${path}\``, error);
    }
  }

  /** Frees the space that is reserved for the last write. */
  release(): void {
    this.reserve?.release();
  }

  /** Removes the directory of a run that was refused after all. */
  async discard(): Promise<void> {
    this.release();
    await Deno.remove(this.dir, { recursive: true }).catch(() => {});
  }

  async #append<T extends object>(
    file: string,
    value: T,
    list: string & keyof T,
  ): Promise<void> {
    const path = `${this.dir}/${file}`;
    const { [list]: items, ...head } = value;
    if (!this.#begun.has(file)) await beginList(path, head, list);
    this.#begun.add(file);
    await appendToList(path, items as readonly unknown[]);
  }

  async #remove(file: string): Promise<void> {
    if (!this.#begun.delete(file)) return;
    await Deno.remove(`${this.dir}/${file}`).catch(() => {});
  }

  #write(file: string, text: string): Promise<void> {
    return writeAtomic(`${this.dir}/${file}`, text);
  }
}

/** JSON with the items of one list on lines of their own, to be read by line tools. */
function linesOf<T extends object>(value: T, list: string & keyof T): string {
  const items = value[list];
  if (!Array.isArray(items) || items.length === 0) {
    return `${JSON.stringify(value)}\n`;
  }
  const lines = items.map((each) => JSON.stringify(each)).join(",\n");
  const rest = Object.entries(value).filter(([key]) => key !== list)
    .map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)},`);
  return `{${rest.join("")}${JSON.stringify(list)}:[\n${lines}\n]}\n`;
}
