import type { Redacted } from "../redact/redacted.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import type { Trace } from "../../model/result/trace.ts";
import { onFile, writeAtomic } from "./stored_file.ts";
import { FILES, type StoreError, storeError } from "./layout.ts";
import type { TraceFile } from "./run_files.ts";
import { entryOf, indexText, type TraceEntry } from "./trace_index.ts";

const UTF8 = new TextEncoder();
/** Room for traces that wait to be written; they are once half of it is used. */
const PENDING_BYTES = 32 * 1024;

/**
 * Writes `traces.json`, one trace a line, as the traces come. Until `finish` the
 * file is called `traces.json.part`: a killed run keeps every line that was
 * written, and readers take what is whole.
 *
 * `append` never throws, because the engine calls it; an error is
 * thrown by the next `flush` or `finish`.
 */
export class TraceWriter implements TraceFile {
  /** Undefined once it could not be opened. */
  #file: Deno.FsFile | undefined;
  #path: string;
  #entries: TraceEntry[] = [];
  readonly #pending = new Uint8Array(PENDING_BYTES);
  #pendingBytes = 0;
  /** Bytes of everything appended so far, written or not. */
  #offset = 0;
  #failure: StoreError | undefined;

  /** @throws {StoreError} when the file cannot be made */
  constructor(readonly dir: string, readonly policy: string) {
    this.#path = `${dir}/${FILES.tracesPart}`;
    this.#file = opened(this.#path);
    this.#begin();
  }

  /** Adds a trace; returns its size in bytes, or 0 once writing has failed. */
  append(trace: Redacted<Trace>): number {
    if (this.#failure) return 0;
    this.#put(this.#entries.length === 0 ? "\n" : ",\n");
    const offset = this.#offset;
    // The index recognises a trace's line by its first key.
    const { trace_id, ...rest } = trace as Trace;
    const length = this.#put(JSON.stringify({ trace_id, ...rest }));
    this.#entries.push(entryOf(trace, offset, length));
    if (this.#pendingBytes >= PENDING_BYTES / 2) this.#write();
    return length;
  }

  restart(): void {
    if (this.#entries.length === 0) return;
    // What was written so far stays until the file that takes its place is whole.
    this.#entries = [];
    this.#pendingBytes = this.#offset = 0;
    const path = `${this.dir}/${FILES.tracesLast}`;
    // First, for at the end of a run there may be no other descriptor.
    this.#file?.close();
    this.#file = undefined;
    try {
      this.#file = opened(path);
      this.#path = path;
    } catch (error) {
      this.#failure ??= error as StoreError;
    }
    this.#begin();
  }

  /**
   * Writes what waits in memory; to be called about once a second.
   *
   * @throws {StoreError} when this or an earlier write failed
   */
  flush(): void {
    this.#write();
    if (this.#failure) throw this.#failure;
  }

  /**
   * Completes `traces.json` and writes its index.
   *
   * @throws {StoreError}
   */
  async finish(truncated: boolean): Promise<void> {
    try {
      this.#put(`\n],"truncated":${truncated}}\n`);
      this.flush();
      await this.#file?.sync();
    } catch (error) {
      const last = `${this.dir}/${FILES.tracesLast}`;
      // No reader looks at it: what was written before it stays.
      if (this.#path === last) await Deno.remove(last).catch(() => {});
      throw storeError(`Cannot write \`${this.#path}\``, error);
    } finally {
      this.#file?.close();
    }
    const whole = `${this.dir}/${FILES.traces}`;
    await onFile("write", whole, () => Deno.rename(this.#path, whole));
    // Only now: an index of other traces than those a reader finds is worse than none.
    await writeAtomic(`${this.dir}/${FILES.index}`, indexText(this.#entries));
    await Deno.remove(`${this.dir}/${FILES.tracesPart}`).catch(() => {});
  }

  #begin(): void {
    const { policy } = this;
    const head = JSON.stringify({ schema: RUN_SCHEMA, policy }).slice(0, -1);
    this.#put(`${head},"traces":[`);
  }

  /** @returns its length in bytes */
  #put(text: string): number {
    const before = this.#offset;
    for (let rest = text; rest !== "";) {
      const room = this.#pending.subarray(this.#pendingBytes);
      const { read, written } = UTF8.encodeInto(rest, room);
      this.#pendingBytes += written;
      this.#offset += written;
      rest = rest.slice(read);
      if (rest !== "") this.#write();
    }
    return this.#offset - before;
  }

  #write(): void {
    const bytes = this.#pending.subarray(0, this.#pendingBytes);
    this.#pendingBytes = 0;
    const file = this.#file;
    if (this.#failure || !file) return;
    try {
      for (let at = 0; at < bytes.length;) {
        at += file.writeSync(bytes.subarray(at));
      }
    } catch (error) {
      this.#failure = storeError(`Cannot write \`${this.#path}\``, error);
    }
  }
}

/** @throws {StoreError} when the file cannot be made */
function opened(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { write: true, createNew: true });
  } catch (error) {
    throw storeError(`Cannot write \`${path}\``, error);
  }
}
