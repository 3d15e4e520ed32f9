import { dirname } from "../../base/values/paths.ts";
import { jsonWithoutCommands } from "../../base/text/display.ts";
import { osReason } from "../../base/text/os_reason.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import type { Judgement } from "../../model/result/findings.ts";
import type { RunMeta } from "../../model/result/run.ts";
import type {
  Histograms,
  HistogramSet,
  Series,
} from "../../model/result/series.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import type { Redacted } from "../redact/redacted.ts";
import { FILES, MOST_BYTES, storeError } from "./layout.ts";
import { parseMeta } from "./meta_schema.ts";
import type { RowList, RunFiles, ShareTicks } from "./run_files.ts";
import {
  appendToList,
  beginList,
  endList,
  listText,
  onFile,
  read,
  writeAtomic,
  writeParts,
} from "./stored_file.ts";
import { dropSpare, holdSpare } from "./spare_descriptor.ts";
import { TraceWriter } from "./trace_writer.ts";

/**
 * Several times what an ordinary `meta.json` takes. `getRandomValues` returns
 * no more at once.
 */
const BYTES = 65_536;

/** A full file of rows, with room for those of a second. */
const MOST_ROWS = 0.75 * MOST_BYTES[FILES.rows]!;

/**
 * A descriptor for the files of a run, and disk space for its last write, so that
 * a full disk does not leave a run that still reads `running`.
 *
 * The file that takes the room has no name any more: a run that is killed leaves
 * nothing behind.
 */
class Reserve {
  #file: Deno.FsFile | undefined;
  /** Set where the system keeps the name of a file that is open. */
  #path: string | undefined;

  /** @throws what the file system says when there is no room */
  constructor(dir: string) {
    const path = `${dir}/.reserve`;
    this.#file = Deno.openSync(path, { write: true, createNew: true });
    this.#path = path;
    holdSpare();
    try {
      // Random bytes, since some file systems store others in no space at all.
      const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
      for (let at = 0; at < bytes.length;) {
        at += this.#file.writeSync(bytes.subarray(at));
      }
      this.#file.syncSync();
    } catch (error) {
      this.release();
      throw error;
    }
    this.#removeName();
  }

  /** Frees both. */
  release(): void {
    if (this.#file) dropSpare();
    this.#file?.close();
    this.#file = undefined;
    this.#removeName();
  }

  #removeName(): void {
    if (this.#path === undefined) return;
    try {
      Deno.removeSync(this.#path);
      this.#path = undefined;
    } catch {
      // It is open, or gone with its directory.
    }
  }
}

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
  const failed = (what: string, error: unknown) =>
    storeError(`Cannot ${what}`, error, ELSEWHERE);
  try {
    await Deno.mkdir(store, { recursive: true });
  } catch (error) {
    const why = new Error(await whyNoDirectory(store, error));
    throw failed(`make the run store \`${store}\``, why);
  }
  try {
    await Deno.mkdir(dir);
  } catch (error) {
    throw failed(`make the run directory \`${dir}\``, error);
  }
  try {
    // A directory can be made where no data fits.
    return new RunWriter(dir, new Reserve(dir));
  } catch (error) {
    await Deno.remove(dir, { recursive: true }).catch(() => {});
    throw failed(`write to the run store \`${store}\``, error);
  }
}

/** Why a directory could not be made, by the part of its path that is there. */
async function whyNoDirectory(path: string, error: unknown): Promise<string> {
  if (error instanceof Deno.errors.AlreadyExists) {
    return "it is a file, not a directory of runs";
  }
  let above = path;
  let found: Deno.FileInfo | undefined;
  do {
    above = dirname(above);
    found = await Deno.stat(above).catch(() => undefined);
  } while (!found && above !== dirname(above));
  if (found?.isFile) return `\`${above}\` is a file, not a directory`;
  // So says a file system such as /proc, though the directory above it exists.
  return error instanceof Deno.errors.NotFound
    ? `\`${above}\` takes no new directory`
    : `${osReason(error)} in \`${above}\``;
}

/** `meta.json` as it is stored and printed: indented, one newline at the end. */
export function metaText(meta: RunMeta): string {
  return `${jsonWithoutCommands(JSON.stringify(meta, null, 2))}\n`;
}

async function* histogramText(
  overall: HistogramSet,
  steps: AsyncIterable<readonly [id: string, set: HistogramSet]>,
): AsyncGenerator<string> {
  const none: Histograms = {
    schema: RUN_SCHEMA,
    unit: "us",
    overall,
    steps: {},
  };
  const closing = "}}\n";
  yield JSON.stringify(none).slice(0, -2);
  let comma = "";
  for await (const [id, set] of steps) {
    yield `${comma}${JSON.stringify(id)}:${JSON.stringify(set)}`;
    comma = ",";
  }
  yield closing;
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
    readonly reserve?: Reserve,
  ) {}

  writeMeta(meta: Redacted<RunMeta>): Promise<void> {
    return this.#write(FILES.meta, metaText(meta));
  }

  writeFlow(canonicalText: string): Promise<void> {
    return this.#write(FILES.flow, canonicalText);
  }

  async writeSeries(series: Redacted<Series>): Promise<void> {
    await this.#write(FILES.series, listText(series, "points"));
    await this.#remove(FILES.seriesPart);
  }

  writeHistograms(
    ...parts: Parameters<RunFiles["writeHistograms"]>
  ): Promise<void> {
    return writeParts(
      this.#path(FILES.histograms),
      histogramText(...parts),
    );
  }

  async writeAgent(agent: Redacted<AgentSeries>): Promise<void> {
    await this.#write(FILES.agent, listText(agent, "samples"));
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
    await Deno.remove(this.#path(FILES.share)).catch(() => {});
    await this.#remove(FILES.sharePart);
  }

  appendSeries(series: Redacted<Series>): Promise<void> {
    return this.#append(FILES.seriesPart, series, "points");
  }

  appendAgent(agent: Redacted<AgentSeries>): Promise<void> {
    return this.#append(FILES.agentPart, agent, "samples");
  }

  /** Rows beyond what can be read are left out: `other_rows` counts them. */
  async appendRows(rows: Redacted<RowList>): Promise<void> {
    const path = this.#path(FILES.rowsPart);
    const { size } = this.#begun.has(FILES.rowsPart)
      ? await onFile("write", path, () => Deno.stat(path))
      : { size: 0 };
    if (size > MOST_ROWS) return;
    await this.#append(FILES.rowsPart, rows, "rows");
  }

  async finishRows(): Promise<void> {
    if (!this.#begun.has(FILES.rowsPart)) return;
    await endList(this.#path(FILES.rowsPart), this.#path(FILES.rows));
  }

  openTraces(policy: "all" | "sampled"): TraceWriter {
    return new TraceWriter(this.dir, policy);
  }

  heartbeat(wall: number): Promise<void> {
    const path = this.#path(FILES.meta);
    const time = wall / 1_000;
    return onFile("touch", path, () => Deno.utime(path, time, time));
  }

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
    const path = this.#path(file);
    const { [list]: items, ...head } = value;
    if (!this.#begun.has(file)) await beginList(path, head, list);
    this.#begun.add(file);
    await appendToList(path, items as readonly unknown[]);
  }

  async #remove(file: string): Promise<void> {
    if (!this.#begun.delete(file)) return;
    await Deno.remove(this.#path(file)).catch(() => {});
  }

  #write(file: string, text: string): Promise<void> {
    return writeAtomic(this.#path(file), text);
  }

  #path(file: string): string {
    return `${this.dir}/${file}`;
  }
}

/**
 * Adds a verdict to a stored run, in place of an earlier one of the same runs.
 *
 * @throws {StoreError}
 */
export async function addJudgement(
  dir: string,
  judgement: Judgement,
): Promise<void> {
  await inTurn(dir, async () => {
    const path = `${dir}/${FILES.meta}`;
    const text = await read(path);
    const { judged = [] } = parseMeta(text, path);
    const runs = judgement.runs.join();
    const others = judged.filter((each) =>
      each.kind !== judgement.kind || each.runs.join() !== runs
    );
    // What is stored holds no secret, and a verdict is of names and figures.
    const meta = { ...JSON.parse(text), judged: [...others, judgement] };
    await writeAtomic(path, metaText(meta));
  });
}

/**
 * Changes a run that is over. Another that changes it waits: it would write what it
 * read before.
 */
export async function inTurn(
  dir: string,
  change: () => Promise<void>,
): Promise<void> {
  // Of the files of a run the one that is never replaced.
  const path = `${dir}/${FILES.flow}`;
  const file = await Deno.open(path).catch(() => undefined);
  try {
    // Not every file system has locks.
    await file?.lock(true).catch(() => {});
    await change();
  } finally {
    file?.close();
  }
}
