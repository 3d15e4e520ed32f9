import { MOST_BYTES, StoreError } from "../../lib/results/store/layout.ts";
import * as v from "valibot";
import {
  type AgentSeries,
  READING_FIELDS,
} from "../../lib/model/result/agent.ts";
import { jsonError } from "../../lib/base/values/read_json.ts";
import {
  type Histograms,
  histograms,
  type Series,
  series,
} from "../../lib/model/result/series.ts";
import { type Trace, trace } from "../../lib/model/result/trace.ts";
import { fitting } from "../../lib/results/store/meta_schema.ts";

/** A file of a run as it is now. */
interface FileStamp {
  readonly name: string;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
}

/**
 * Looks at a file of a run directory before it is opened.
 *
 * @returns undefined when there is none
 * @throws {StoreError} when it is not a plain file, or longer than any run's
 */
export function stampOf(dir: string, name: string): FileStamp | undefined {
  const path = `${dir}/${name}`;
  let info: Deno.FileInfo;
  try {
    // Of thousands of runs, each time: a promise costs more than the look itself.
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw new StoreError(
      `Cannot read \`${path}\`: ${(error as Error).message}`,
      undefined,
      error,
    );
  }
  if (!info.isFile) {
    throw new StoreError(
      `Cannot read \`${path}\`: it is ${
        info.isSymlink ? "a symbolic link" : "not a file"
      }, which is not followed`,
    );
  }
  const limit = MOST_BYTES[name] ?? 0;
  if (info.size > limit) {
    throw new StoreError(
      `Cannot read \`${path}\`: it has ${info.size} bytes, expected at most ${limit}`,
    );
  }
  const at = info.mtime?.getTime() ?? 0;
  return { name, size: info.size, stamp: `${at}:${info.size}:${info.ino}` };
}

/** Keeps the last few results of something slow, by key. */
export class Memory<T> {
  readonly #kept = new Map<string, T>();

  /** @param most results kept; the one unused the longest goes first */
  constructor(readonly most: number) {}

  /** The result under `key`, made once. A promise that fails is not kept. */
  get(key: string, make: () => T): T {
    const made = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    if (made instanceof Promise) made.catch(() => this.#kept.delete(key));
    if (this.#kept.size > this.most) {
      this.#kept.delete(this.#kept.keys().next().value!);
    }
    return made;
  }
}

/*
 * The schemas of the files beside meta.json. A run directory may have been written
 * by anyone: a file that does not fit is an error, and never shown.
 */

const n = v.number();
/** Of a run, or since the epoch. */
const milliseconds = v.pipe(n, v.minValue(-1e13), v.maxValue(1e13));
/** A field is null where the agent's kernel does not report it; an old file misses some. */
const sample = v.object({
  t_ms: milliseconds,
  ts_ms: milliseconds,
  ...v.entriesFromList(READING_FIELDS, v.optional(v.nullable(n), null)),
});
const agent = v.looseObject({ samples: v.array(sample) });

/** @throws {StoreError} when the text is not JSON that a flow could be */
export function checkFlow(text: string, path: string): string {
  const error = jsonError(text, { keepsIntegers: true });
  if (!error) return text;
  throw new StoreError(`Cannot read \`${path}\`: ${error.message}`);
}

/** Gives what the file at a path holds, as it should be. */
const checker =
  <T>(schema: v.GenericSchema<unknown, unknown>) =>
  (value: unknown, path: string): T => fitting(schema, value, path) as T;

/** Checks of the files, which throw a `StoreError` when one is not what it should be. */
export const checkTrace = checker<Trace>(trace);
export const checkSeries = checker<Series>(series);
export const checkHistograms = checker<Histograms>(histograms);
export const checkAgent = checker<AgentSeries>(agent);
