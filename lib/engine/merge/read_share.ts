import type { GenericSchema } from "valibot";
import { countsFromJson } from "../../base/values/counts_json.ts";
import { FILES } from "../../results/store/layout.ts";
import { readPart } from "../../results/store/list_part.ts";
import { fitting } from "../../results/store/meta_schema.ts";
import type { ShareTicks } from "../../results/store/run_files.ts";
import { readJson } from "../../results/store/stored_file.ts";
import { StoreError } from "../../results/store/store_error.ts";
import type { ShareTick, StoredShare } from "../run_context/stored_share.ts";
import { joined, withSeconds } from "../workers/so_far.ts";
import { shareTick, storedShare } from "./share_schema.ts";
import { unsound } from "./unsound.ts";

/**
 * The share in a run directory; undefined when there is none.
 *
 * @throws {StoreError} when it is damaged
 */
export async function readShare(dir: string): Promise<StoredShare | undefined> {
  const path = `${dir}/${FILES.share}`;
  const stored = await readJson(path);
  if (stored === undefined) return undefined;
  const share = checked<StoredShare>(storedShare, stored, path);
  const whole = share.ticks === undefined
    ? share
    : withTicks(share, await readTicks(dir, share.ticks));
  const wrong = unsound(whole);
  if (wrong === undefined) return whole;
  throw new StoreError(`Cannot read \`${path}\`: ${wrong}`);
}

async function readTicks(dir: string, count: number): Promise<ShareTick[]> {
  const path = `${dir}/${FILES.sharePart}`;
  const { ticks = [] } = await readPart<Partial<ShareTicks>>(path) ?? {};
  if (ticks.length < count) {
    throw new StoreError(
      `Cannot read \`${path}\`: it has ${ticks.length} of ${count} ticks`,
    );
  }
  return ticks.slice(0, count)
    .map((each) => checked<ShareTick>(shareTick, each, path));
}

function withTicks(
  share: StoredShare,
  ticks: readonly ShareTick[],
): StoredShare {
  const workers = share.workers.map((report, nth) =>
    ticks.flatMap((tick) => tick[nth] ?? []).reduce(
      (known, { from, seconds, health }) =>
        joined(known, { from, report: withSeconds(report, seconds, health) }),
      report,
    )
  );
  return { ...share, workers };
}

function checked<T>(
  schema: GenericSchema,
  stored: unknown,
  path: string,
): T {
  let counts: unknown;
  try {
    counts = countsFromJson(stored);
  } catch (error) {
    throw new StoreError(
      `Cannot read \`${path}\`: ${(error as Error).message}`,
    );
  }
  fitting(schema, counts, path);
  return counts as T;
}
