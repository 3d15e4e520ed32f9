import { BenchError, Refused } from "../../base/errors/bench_error.ts";
import { osReason } from "../../base/text/os_reason.ts";

/** The files of a run directory. */
export const FILES = {
  meta: "meta.json",
  flow: "flow.json",
  traces: "traces.json",
  /** The name of `traces.json` until it is complete. */
  tracesPart: "traces.json.part",
  /** The traces that are kept at the end, until they take the place of those. */
  tracesLast: "traces.json.tmp",
  index: "traces.idx",
  series: "series.json",
  /** The seconds, one by one, until `series.json` is complete. */
  seriesPart: "series.json.part",
  histograms: "histograms.json",
  /** Rows that `meta.json` has no room for. */
  rows: "rows.json",
  rowsPart: "rows.json.part",
  /** The record of one shard, where the lead does not have it. */
  share: "share.json",
  /** Its seconds, while the run goes on. */
  sharePart: "share.json.part",
  agent: "agent.json",
  /** Likewise. */
  agentPart: "agent.json.part",
} as const;

const MIB = 1024 * 1024;

/** Bytes that a file of a run has at most: a longer one was not written by this program. */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.values(FILES).map((name) => [name, 256 * MIB])),
  [FILES.meta]: 16 * MIB,
  [FILES.flow]: 16 * MIB,
  [FILES.index]: 128 * MIB,
  [FILES.histograms]: 64 * MIB,
};

/** File systems allow 255 bytes for a name, of which the rest of a run id takes 24. */
const LONGEST_FLOW = 200;

const RUN_ID = /^\d{8}T\d{6}Z-[A-Za-z_][A-Za-z0-9_-]*-[0-9a-f]{6}$/;

/** Whether `text` is a run id: `20261120T180211Z-<flow>-<6 hex>`. */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/**
 * A new run id. Ids sort by the second their run started in.
 *
 * @param wall milliseconds since the Unix epoch
 * @param random a number in [0, 1), not the seeded one of the run: two runs with
 *   one seed in one second must differ
 */
export function makeRunId(
  flow: string,
  wall: number,
  random: () => number,
): string {
  const time = new Date(wall).toISOString().replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
  const tail = Math.floor(random() * 0x1000000).toString(16).padStart(6, "0");
  return `${time}-${flow.slice(0, LONGEST_FLOW)}-${tail}`;
}

/** The run store cannot be written or read. */
export class StoreError extends BenchError {
  override readonly name = "StoreError";
  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { hint, cause });
  }
}

/** The error of a file that cannot be read. */
export function unreadable(
  path: string,
  why: string,
  hint?: string,
): StoreError {
  return new StoreError(`Cannot read \`${path}\`: ${why}`, hint);
}

/**
 * `error` from the file system as a StoreError.
 *
 * @param doing what failed, such as "Cannot write `x/meta.json`"
 */
export function storeError(
  doing: string,
  error: unknown,
  hint?: string,
): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`${doing}: ${osReason(error)}`, hint, error);
}

/**
 * The result of work on stored runs.
 *
 * @throws {Refused} for a run that cannot be read: it was asked for wrongly
 */
export async function ofStored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Refused(error.message, error.hint);
  }
}
