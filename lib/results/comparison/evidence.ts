import * as v from "valibot";
import { formatDuration } from "../../base/values/duration.ts";
import { isFunctional, type Mode } from "../../model/mode.ts";
import { blockTotal, type LatencyBlock } from "../../model/result/latency.ts";
import type { RunMeta } from "../../model/result/run.ts";
import {
  histograms as histogramsForm,
  type HistogramSet,
  type SecondPoint,
  series as seriesForm,
} from "../../model/result/series.ts";
import { wholeStretches } from "../histograms/latency_stretches.ts";
import { FILES, StoreError, unreadable } from "../store/layout.ts";
import { fitting, parseStored } from "../store/meta_schema.ts";
import { changedKeys, parseStoredFlow } from "./asked.ts";
import {
  readHistograms,
  readMeta,
  readSeries,
  readStoredFlow,
} from "../store/reader.ts";

/** The figures that a run is compared by. */
export interface RunEvidence {
  readonly meta: RunMeta;
  /** In order. The run ended within the last one, or as it began. */
  readonly seconds: readonly SecondPoint[];
  /** Response times by stretches of the run. */
  readonly overall: readonly LatencyBlock[];
  /** Likewise, by step id. */
  readonly steps: ReadonlyMap<string, readonly LatencyBlock[]>;
}

/** Shorter runs do not show how much their seconds differ. */
export const LEAST_SECONDS = 10;

/** Rounded down, so that no run is said to be as long as it had to be. */
function shortTime(ms: number): string {
  return formatDuration((ms < 1_000 ? ms : Math.floor(ms / 100) * 100) * 1_000);
}

/**
 * The course of a run, as its directory has it.
 *
 * @param now milliseconds since the Unix epoch
 * @throws {StoreError} when it cannot be read, or holds nothing to compare
 */
export async function readEvidence(
  dir: string,
  now: number,
): Promise<RunEvidence> {
  const meta = await readMeta(dir, now);
  const refuse = (why: string, hint: string) =>
    new StoreError(`run \`${meta.id}\` cannot be compared: ${why}`, hint);
  if (isFunctional(meta.mode as Mode)) {
    throw refuse(
      `it is a run in ${meta.mode} mode, which measures no load`,
      "run the flow with --mode load",
    );
  }
  if (meta.ended_at === null) {
    throw refuse("it is not over", "wait for its end");
  }
  if (meta.duration_ms < LEAST_SECONDS * 1_000) {
    const lasted = `it lasted ${
      shortTime(meta.duration_ms)
    }, expected at least ${LEAST_SECONDS}s`;
    // A longer plan would have been cut off as well.
    throw meta.status === "finished"
      ? refuse(lasted, "measure longer: `hold: 60s`")
      : refuse(
        `${lasted}, and is ${meta.status}${
          meta.abort_reason ? `: ${meta.abort_reason}` : ""
        }`,
        "compare a run that came to its end",
      );
  }
  const [series, histograms] = await Promise.all([
    readSeries(dir),
    readHistograms(dir),
  ]);
  if (!series || !histograms) {
    const missing = series ? FILES.histograms : FILES.series;
    throw refuse(`it has no ${missing}`, "run the flow once more");
  }
  const { points } = fitting(seriesForm, series, `${dir}/${FILES.series}`);
  const path = `${dir}/${FILES.histograms}`;
  const { overall, steps } = fitting(histogramsForm, histograms, path);
  if (!overall.stretches) {
    throw refuse(
      `bench ${meta.bench_version} did not store its latencies over time`,
      "run the flow once more with this bench",
    );
  }
  const blocksOf = (set: HistogramSet) => storedBlocks(set, meta, path);
  const bySteps = Object.entries(steps)
    .map(([id, set]) => [id, blocksOf(set)] as const)
    .filter(([, blocks]) => blocks.some((each) => blockTotal(each) > 0));
  return {
    meta,
    seconds: points,
    overall: blocksOf(overall),
    steps: new Map(bySteps),
  };
}

function storedBlocks(
  { stretches = { ms: 1_000, blocks: "" } }: HistogramSet,
  { duration_ms }: RunMeta,
  path: string,
): readonly LatencyBlock[] {
  try {
    return wholeStretches(stretches, duration_ms);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

const flowForm = v.looseObject({ ir: v.number() });

/** The canonical IR of a run. @throws {StoreError} when it is none */
async function flowTextOf(dir: string): Promise<string> {
  const text = await readStoredFlow(dir);
  const path = `${dir}/${FILES.flow}`;
  fitting(flowForm, parseStored(text, path), path);
  return text;
}

/** Of a profile: what makes other load of the same flow. */
const LOAD_KEYS = ["mode", "vus", "arrival", "stages"];
/** Of a flow, or of a mix: what makes other requests. */
const REQUEST_KEYS = ["steps", "flows", "pools", "values", "setup", "cookies"];

/** Settings that may differ between the runs, though figures are then no longer alike. */
interface Allowed {
  readonly targets: boolean;
}

/** Runs that measured the same thing. */
interface Comparable {
  readonly candidate: RunEvidence;
  readonly bases: readonly RunEvidence[];
}

/**
 * Reads runs that are to be compared.
 *
 * @param now milliseconds since the Unix epoch
 * @throws {StoreError} when one of them cannot be read, or measured something else
 */
export async function readComparable(
  candidateDir: string,
  baseDirs: readonly string[],
  now: number,
  allowed: Allowed,
): Promise<Comparable> {
  const dirs = [candidateDir, ...baseDirs];
  // One after the other: of two that are refused, the first is always named.
  const runs = await Array.fromAsync(dirs, (dir) => readEvidence(dir, now));
  const flows = await Array.fromAsync(dirs, flowTextOf);
  const [candidate, ...bases] = runs as [RunEvidence, ...RunEvidence[]];
  bases.forEach((base, i) => {
    checkRuns(candidate, base, allowed);
    checkFlows(flows[0]!, flows[i + 1]!, base.meta.id);
  });
  checkOnce(candidate, bases);
  return { candidate, bases };
}

function checkOnce(
  candidate: RunEvidence,
  bases: readonly RunEvidence[],
): void {
  const ids = bases.map(({ meta }) => meta.id);
  if (ids.includes(candidate.meta.id)) {
    throw new StoreError(
      "a run cannot be compared with itself",
      "name another run after --with",
    );
  }
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) {
    throw new StoreError(
      `run \`${twice}\` is named twice after --with`,
      "name each run once: how much runs differ is learnt from different ones",
    );
  }
}

function checkRuns(
  { meta: a }: RunEvidence,
  { meta: b }: RunEvidence,
  allowed: Allowed,
): void {
  if (a.flow !== b.flow) {
    throw new StoreError(
      `the runs are of different flows: \`${a.flow}\`, and \`${b.flow}\` of ${b.id}`,
      "compare runs of one flow",
    );
  }
  if (a.target !== b.target && !allowed.targets) {
    throw new StoreError(
      `the runs are against different targets: \`${a.target}\`, and \`${b.target}\` of ${b.id}`,
      "--across-targets compares them all the same; bench duel measures two targets at once",
    );
  }
  if (a.options?.arrivals !== b.options?.arrivals) {
    throw otherLoad("`--arrivals`", b.id);
  }
}

/** Thresholds, `hold` and `iterations` may differ: they change no request. */
function checkFlows(a: string, b: string, id: string): void {
  const [x, y] = [parseStoredFlow(a), parseStoredFlow(b)];
  const load = changedKeys(x.profile, y.profile)
    .find((key) => LOAD_KEYS.includes(key));
  if (load !== undefined) throw otherLoad(`\`${load}\` of the profile`, id);
  if (changedKeys(x.rest, y.rest).some((key) => REQUEST_KEYS.includes(key))) {
    throw new StoreError(
      `the steps of the flow are not those of ${id}: the flow was changed between the runs`,
      "run both states of the target with one state of the flow",
    );
  }
}

function otherLoad(what: string, id: string): StoreError {
  return new StoreError(
    `${what} is not that of ${id}`,
    "figures of different loads say nothing about each other",
  );
}
