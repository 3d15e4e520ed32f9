import { EXIT } from "../lib/base/errors/exit.ts";
import { systemClock } from "../lib/base/time/clock.ts";
import { compileFlow, type InputFile, prepareRun } from "../lib/compile.ts";
import type { Capacity, CapacityTrial } from "../lib/model/result/capacity.ts";
import type { HttpChoice } from "../lib/model/result/http_version.ts";
import type { RunMeta } from "../lib/model/result/run.ts";
import { renderCapacity } from "../lib/results/formats/capacity_text.ts";
import { LoadSearch } from "../lib/results/statistics/load_search.ts";
import { attendedRun } from "./attended_run.ts";
import { storeCapacity } from "./capacity_store.ts";
import { trialOf } from "./capacity_trial.ts";
import type { Console } from "./console.ts";
import { failWith, refuseRequest } from "./fail.ts";
import { readFlowFile, readTargetFile } from "./inputs.ts";
import { type JudgingFlags, withThresholds } from "./judged_flow.ts";
import { storeDirectory } from "./store_directory.ts";
import { readTls, type TlsFlags } from "./tls.ts";
import { systemWorld } from "./world.ts";

/** Options of `bench capacity`. */
export interface CapacityFlags extends TlsFlags, JudgingFlags {
  readonly target: string;
  /** Search by VUs in place of a rate. */
  readonly vus?: true;
  readonly from?: number;
  readonly most?: number;
  readonly precision: number;
  /** Microseconds. */
  readonly trial: number;
  readonly coolDown: number;
  readonly seed: number;
  readonly workers?: number;
  readonly store?: string;
  readonly http: HttpChoice;
  readonly json?: true;
  readonly quiet?: true;
}

/** The first levels, where nothing else is said. */
const FIRST_RATE = 10;
const FIRST_VUS = 1;
/** VUs that carry a rate, where the profile has no more: a second's worth. */
const SECONDS_OF_VUS = 1;
const MOST_VUS = 2_000;
const SHORTEST_US = 2_000_000;

/** One trial, and where it is stored. */
interface Stored {
  readonly trial: CapacityTrial;
  readonly meta: RunMeta;
  readonly directory: string;
}

/** Finds the highest load at which the thresholds hold. Returns the exit code. */
export async function capacityCommand(
  file: string,
  flags: CapacityFlags,
  console: Console,
): Promise<number> {
  try {
    const flow = withThresholds(await readFlowFile(file, console), flags);
    const { flow: { profile } } = await compileFlow(flow);
    if ((profile.thresholds ?? []).length === 0) {
      return refuseRequest(
        console,
        "nothing says when a load is too much: the flow has no thresholds",
        'for example --threshold "p95(latency) < 300ms" --threshold "error_rate < 1%"',
      );
    }
    const target = await readTargetFile(flags.target, flow);
    const at = (level: number, holdUs: number) =>
      prepareRun(
        { ...flow, mode: "load", load: loadAt(level, holdUs, flags, most) },
        target,
        systemWorld,
      );
    const first = flags.from ?? (flags.vus ? FIRST_VUS : FIRST_RATE);
    let most = { rate: Infinity, vus: Infinity };
    const { target: ceilings } = await at(first, flags.trial);
    most = {
      rate: ceilings.max_rps ?? Infinity,
      vus: ceilings.max_vus ?? Infinity,
    };
    const search = new LoadSearch({
      from: first,
      most: Math.min(
        flags.most ?? Infinity,
        flags.vus ? most.vus : most.rate,
      ),
      whole: flags.vus === true,
      precision: flags.precision,
    });
    const trials = await runTrials(search, at, flags, console);
    const capacity = capacityOf(search, trials, flags);
    const directory = await storeCapacity(
      trials,
      capacity,
      storeDirectory(flags.store),
    );
    showCapacity(profileName(trials), capacity, directory, flags, console);
    return capacity.lower === null ? EXIT.verdictFailed : EXIT.held;
  } catch (error) {
    return failWith(error, console, "text");
  }
}

function showCapacity(
  flow: string,
  capacity: Capacity,
  directory: string,
  { json }: CapacityFlags,
  console: Console,
): void {
  if (json) return console.out(`${JSON.stringify(capacity, null, 2)}\n`);
  const { outColor: color, width } = console;
  console.print(renderCapacity(flow, capacity, { color, width, directory }));
}

type Prepare = (
  level: number,
  holdUs: number,
) => ReturnType<typeof prepareRun>;

async function runTrials(
  search: LoadSearch,
  prepare: Prepare,
  flags: CapacityFlags,
  console: Console,
): Promise<readonly Stored[]> {
  const tls = readTls(flags, console);
  const unit = unitOf(flags);
  const trials: Stored[] = [];
  const storeDir = `${storeDirectory(flags.store)}/.capacity-${
    Math.floor(systemClock.wall())
  }`;
  for (let next = search.next(); next; next = search.next()) {
    const { level, share } = next;
    const holdUs = Math.max(SHORTEST_US, Math.round(flags.trial * share));
    const { meta, directory } = await attendedRun(
      await prepare(level, holdUs),
      {
        seed: flags.seed,
        storeDir,
        tls: tls.options,
        http: flags.http,
        notes: tls.notes,
        quiet: true,
        ...(flags.workers !== undefined && { workers: flags.workers }),
      },
      console,
    );
    const trial = trialOf(meta, level, unit);
    trials.push({ trial, meta, directory });
    if (meta.status === "interrupted") break;
    search.note({ ...next, held: trial.held, limited: trial.limited });
    if (!flags.quiet) console.err(trialLine(trial, unit));
    const cool = flags.coolDown / 1_000 * (trial.held ? 1 : 2);
    await systemClock.sleep(cool);
  }
  return trials;
}

function loadAt(
  level: number,
  holdUs: number,
  { vus }: CapacityFlags,
  most: { readonly vus: number },
): NonNullable<InputFile["load"]> {
  if (vus) return { vus: level, hold_us: holdUs };
  const carriers = Math.ceil(level * SECONDS_OF_VUS);
  return {
    vus: Math.max(1, Math.min(MOST_VUS, most.vus, carriers)),
    hold_us: holdUs,
    arrival: { count: level, per_us: 1_000_000 },
  };
}

function capacityOf(
  search: LoadSearch,
  trials: readonly Stored[],
  flags: CapacityFlags,
): Capacity {
  const { lower, upper } = search.bounds;
  const all = trials.map(({ trial }) => trial);
  const above = all.findLast(({ level, held, limited }) =>
    level === upper && !held && !limited
  );
  const limited = all.find((each) => each.limited);
  const cause = above
    ? above.broken.join("; ") || "the run failed"
    : limited
    ? `the generator was the limit at ${limited.level}: what the target can do beyond is not known`
    : "every level that could be tried held";
  return { unit: unitOf(flags), lower, upper, cause, trials: all };
}

function unitOf({ vus }: CapacityFlags): Capacity["unit"] {
  return vus ? "vus" : "requests_per_second";
}

function profileName(trials: readonly Stored[]): string {
  return trials[0]?.meta.flow ?? "capacity";
}

function trialLine(trial: CapacityTrial, unit: Capacity["unit"]): string {
  const { level, held, limited, broken } = trial;
  const what = unit === "vus" ? `${level} VUs` : `${level}/s`;
  const how = limited
    ? "the generator was the limit"
    : held
    ? "held"
    : `broke: ${broken.join("; ")}`;
  return `${what}  ${how}\n`;
}
