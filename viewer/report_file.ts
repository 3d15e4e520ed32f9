import { Refused } from "../lib/base/errors/bench_error.ts";
import { StoreError } from "../lib/results/store/layout.ts";
import { systemClock } from "../lib/base/time/clock.ts";
import { EXPORTS, inBlocks } from "./export/exports.ts";
import type { Format } from "./model/formats.ts";
import type { ComparedRun } from "./page/comparison_blocks.tsx";
import { StoreIndex } from "./store/store_index.ts";

/** Which run of which store, and what of it. */
interface ReportRequest {
  readonly storeDir: string;
  readonly id: string;
  readonly format: Format;
  readonly payloads: boolean;
  /** Id of a run to compare with. */
  readonly baseline?: string;
}

/**
 * One run of a store in one of its forms, made while it is read.
 *
 * @throws {Refused} when there is no such run, or it lacks what the form is made of
 * @throws {StoreError} when the store or the run cannot be read, also later,
 *   while the pieces are read
 */
export async function reportOf(
  { storeDir, id, format, payloads, baseline }: ReportRequest,
): Promise<AsyncIterable<string>> {
  const index = new StoreIndex(storeDir.replace(/(?<=.)\/+$/, ""), systemClock);
  const runOf = async (id: string): Promise<ComparedRun> => {
    const listed = await index.find(id);
    if (!listed) {
      throw new Refused(
        `\`${storeDir}/${id}\` is not a run directory: it has no meta.json`,
        "`bench runs` lists the runs of a store",
      );
    }
    if (!listed.meta) throw new StoreError(listed.error ?? id);
    return { meta: listed.meta, run: index.open(listed) };
  };
  const { meta, run } = await runOf(id);
  const pieces = await EXPORTS[format](meta, run, {
    query: new URLSearchParams(),
    payloads,
    ...(baseline !== undefined && { baseline: await runOf(baseline) }),
  });
  if (pieces) return inBlocks(pieces);
  // Only the per-second series may be missing from a run that can be read.
  throw new Refused(
    `\`${id}\` has no series.json, which \`${format}\` is made of`,
    "it is written when a run ends",
  );
}
