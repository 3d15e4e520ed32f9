import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { didYouMean } from "../../lib/base/text/suggest.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  isUncounted,
  judgementsOf,
  rateOf,
} from "../../lib/results/report/figures.ts";
import { FILES, isRunId, ofStored } from "../../lib/results/store/layout.ts";
import { listRuns, type RunListing } from "../../lib/results/store/reader.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { statOf } from "../inputs/stat.ts";

/** Where runs are kept: `--store`, else `BENCH_STORE`, else `.bench/runs`. */
export function storeDirectory(
  flag: string | undefined,
  env = systemEnvironment.env,
): string {
  return flag || env("BENCH_STORE") || ".bench/runs";
}

/** A run in a list of them. */
export type StoredRun =
  | ReturnType<typeof figuresOf>
  | Extract<RunListing, { readonly problem: string }>;

/**
 * The stored runs, the newest first.
 *
 * @param which `most` of them, and those of one flow or one tag alone
 * @returns `others` is the number of those that are left out
 */
export async function storedRuns(
  storeDir: string,
  which: {
    readonly flow?: string | undefined;
    readonly tag?: string | undefined;
    readonly most: number;
  },
): Promise<{ readonly runs: readonly StoredRun[]; readonly others: number }> {
  const all = await ofStored(() => listRuns(storeDir, systemClock.wall()));
  // Ids say the second alone.
  const newest = all.toSorted((a, b) => startOf(b).localeCompare(startOf(a)));
  const { flow, tag } = which;
  const listed = newest.filter((each) => {
    const meta = "meta" in each ? each.meta : undefined;
    return (flow === undefined || meta?.flow === flow) &&
      (tag === undefined || meta?.tags?.includes(tag));
  });
  return {
    runs: listed.slice(0, which.most).map((each) =>
      "meta" in each ? figuresOf(each.meta) : each
    ),
    others: Math.max(0, listed.length - which.most),
  };
}

/** When a run started, as text that sorts by it. */
function startOf(
  run: { readonly id: string; readonly meta?: RunMeta },
): string {
  return run.meta?.started_at.replaceAll(/[-:]/g, "") ?? run.id;
}

function figuresOf(meta: RunMeta) {
  const { id, flow, target, mode, status, verdict, started_at } = meta;
  const { latency, latency_intervals: intervals } = meta;
  const requests = isUncounted(meta) ? null : meta.requests;
  return {
    ...{ id, flow, target, mode, status, verdict, started_at },
    ...{ duration_ms: meta.duration_ms, requests },
    error_rate: rateOf(meta, "error_rate"),
    throttle_rate: rateOf(meta, "throttle_rate"),
    p95_ms: latency.p95,
    // Earlier versions did not store how many there were.
    ...(intervals && { samples: intervals.samples }),
    ...(meta.tags && { tags: meta.tags }),
    judged: judgementsOf(meta),
  };
}

/** Names the newest run of a store, wherever one is expected. */
export const LATEST = "latest";

/**
 * The directory of a run that a person names: by its id in the store, by path, or
 * as the latest.
 *
 * @throws {Refused} when there is none
 */
export function runOfStore(run: string, storeDir: string): string {
  if (run === LATEST) return latestOf(storeDir);
  const path = /[/\\]/.test(run) ? run : `${storeDir}/${run}`;
  if (statOf(path)?.isDirectory) return path.replace(/[/\\]+$/, "");
  const near = path === run
    ? undefined
    : didYouMean(run, [LATEST, ...idsIn(storeDir)]);
  throw new Refused(
    `there is no run \`${run}\`: \`${path}\` is not a run directory`,
    path !== run && statOf(run)?.isDirectory
      ? `for the directory of that name here: ./${run}`
      : near !== undefined
      ? near
      : isRunId(run)
      ? "name the store with --store, or give the path of the run's directory"
      : `\`bench runs\` lists them; \`${LATEST}\` is the newest one`,
  );
}

/** Ids have the second in them that a run began in. */
const SECOND = "20260101T000000Z".length;

function latestOf(storeDir: string): string {
  const ids = idsIn(storeDir);
  const [newest = ""] = ids;
  const ofSecond = ids
    .filter((each) => each.startsWith(newest.slice(0, SECOND)));
  // Runs under names of their own say no second.
  const [latest] = (ids.length > 0 ? ofSecond : renamedIn(storeDir))
    .map((id) => `${storeDir}/${id}`)
    .map((path) => ({ path, at: startedAt(path) }))
    .sort((a, b) => b.at.localeCompare(a.at));
  if (latest) return latest.path;
  throw new Refused(
    `there is no run yet: \`${storeDir}\` has none`,
    "name the store with --store, or the path of a run's directory",
  );
}

/** The newest first. */
function idsIn(storeDir: string): string[] {
  return directoriesIn(storeDir).filter(isRunId).sort().reverse();
}

function renamedIn(storeDir: string): string[] {
  return directoriesIn(storeDir).filter((name) =>
    !name.startsWith(".") && statOf(`${storeDir}/${name}/${FILES.meta}`)?.isFile
  );
}

function directoriesIn(storeDir: string): string[] {
  return ifPossible(() => [...Deno.readDirSync(storeDir)], [])
    .flatMap(({ name, isDirectory }) => isDirectory ? name : []);
}

/** Empty where that cannot be read. */
function startedAt(runDir: string): string {
  const path = `${runDir}/${FILES.meta}`;
  return ifPossible(
    () => String(JSON.parse(Deno.readTextFileSync(path)).started_at),
    "",
  );
}
