import { StoreError } from "../lib/results/store/store_error.ts";
import { systemClock } from "../lib/base/time/clock.ts";
import { inBlocks } from "./export/blocks.ts";
import { EXPORTS } from "./export/exports.ts";
import type { Format } from "./model/formats.ts";
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

/** The report, made while it is read; or why there is none. */
type ReportText =
  | { readonly pieces: AsyncIterable<string> }
  | { readonly refusal: string; readonly hint?: string };

/**
 * One run of a store in one of its forms.
 *
 * @throws {StoreError} when the store or the run cannot be read, also later,
 *   while the pieces are read
 */
export async function reportOf(
  { storeDir, id, format, payloads, baseline }: ReportRequest,
): Promise<ReportText> {
  const index = new StoreIndex(storeDir.replace(/(?<=.)\/+$/, ""), systemClock);
  const listed = await index.find(id);
  if (!listed) return noRun(id, storeDir);
  if (!listed.meta) throw new StoreError(listed.error ?? id);
  const other = baseline === undefined ? undefined : await index.find(baseline);
  if (baseline !== undefined && !other) return noRun(baseline, storeDir);
  if (other && !other.meta) throw new StoreError(other.error ?? other.id);
  const { value, error } = await EXPORTS[format](
    listed.meta,
    index.open(listed),
    {
      query: new URLSearchParams(),
      payloads,
      ...(other?.meta && {
        baseline: { meta: other.meta, run: index.open(other) },
      }),
    },
  );
  if (error !== undefined) throw new StoreError(error);
  return value ? { pieces: inBlocks(value) } : nothing(format, id);
}

function noRun(id: string, storeDir: string): ReportText {
  return {
    refusal: `there is no run \`${id}\` in \`${storeDir}\``,
    hint: "name another store with --store",
  };
}

/** Only the per-second series may be missing from a run that can be read. */
function nothing(format: Format, id: string): ReportText {
  return {
    refusal: `\`${id}\` has no series.json, which \`${format}\` is made of`,
    hint: "it is written when a run ends",
  };
}
