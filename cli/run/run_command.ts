import { AddressError, parseListenAddress } from "../../agent/address.ts";
import { type PreparedRun, prepareRun } from "../../lib/compile.ts";
import {
  formatThreshold,
  isKnownBySecond,
} from "../../lib/language/expressions/threshold.ts";
import { EXIT } from "../../lib/base/errors/bench_error.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import { offerMetrics } from "../../lib/engine/run_context/metrics_server.ts";
import {
  type Listener,
  planOf,
  rateMemory,
  routeNotes,
} from "../../lib/run.ts";
import { exitCodeOf } from "../../lib/results/report/exit_code.ts";
import { type AttendedOptions, attendedRun } from "./attended_run.ts";
import { viewerBesideRun } from "../view/beside_run.ts";
import type { Console } from "../terminal/console.ts";
import {
  endingOptions,
  withLoad,
  withThresholds,
} from "../options/judged_flow.ts";
import { showWarnings } from "../terminal/errors.ts";
import { flowFiles } from "../inputs/flow_files.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import type { FlagsOf } from "../options/option.ts";
import type { RUN } from "./run_options.ts";
import { chosenFlows } from "./chosen_flows.ts";
import { runFlowSuite } from "./flow_suite.ts";
import { showOutcome, writeReports } from "./show_result.ts";
import { handedOver, takeShard } from "../shards/sharded_run.ts";
import { storeDirectory } from "../options/store.ts";
import { readConnection } from "../options/connection.ts";
import { readDescription } from "../options/openapi_description.ts";
import { systemEnvironment } from "../inputs/environment.ts";

type RunFlags = FlagsOf<typeof RUN>;

/**
 * Runs a flow, prints the summary, writes the run directory; several flows are
 * checked and reported on together. Returns the exit code.
 *
 * @param names files, folders and patterns
 */
export async function runCommand(
  names: readonly string[],
  flags: RunFlags,
  console: Console,
): Promise<number> {
  const all = flowFiles(names);
  const files = await chosenFlows(all, flags, console);
  const [file, ...others] = files;
  const options = await optionsOf(flags, console);
  // A program that reads the result gets a list, however many flows are chosen.
  const isList = flags.json && all.length > 1;
  if (others.length === 0 && !isList) {
    return await runOne(file!, flags, options, console);
  }
  // Those that run at the same time keep the target's `max_rps` together.
  const together = { ...options, rate: rateMemory() };
  return await runFlowSuite(files, flags, {
    prepare: (file) => prepared(file, flags, console),
    carryOut: (each, quiet) =>
      attendedRun(each, { ...together, quiet }, console),
  }, console);
}

async function prepared(
  file: string,
  flags: RunFlags,
  console: Console,
): Promise<PreparedRun> {
  const flow = await readFlowFile(file, console, flags.mode);
  const input = withThresholds(withLoad(flow, flags), flags);
  const target = await readTargetFile(flags.target, input);
  const ready = await prepareRun(input, target, systemEnvironment);
  showWarnings(ready, console);
  return ready;
}

/** How each run is carried out. */
async function optionsOf(
  flags: RunFlags,
  console: Console,
): Promise<AttendedOptions> {
  const { seed, http, workers, arrivals, quiet, traceparent, rehearsal } =
    flags;
  return {
    ...{ seed, http, workers, arrivals, quiet, traceparent, rehearsal },
    ...readConnection(flags, console),
    contract: await readDescription(flags),
    storeDir: storeDirectory(flags.store),
  };
}

/** Names the thresholds that end no run: their figure is not known by the second. */
function noteUnwatched(
  { flow: { profile: { thresholds = [] } }, flows }: PreparedRun,
  console: Console,
): void {
  const names = flows.length > 1 ? flows.map(({ flow }) => flow.flow) : [];
  const unwatched = thresholds.filter((each) => !isKnownBySecond(each, names))
    .map((each) => `\`${formatThreshold(each)}\``);
  if (unwatched.length === 0) return;
  console.err(
    `note: --stop-on-breach does not look at thresholds whose figure is not known by the second; judged at the end: ${
      unwatched.join(", ")
    }\n`,
  );
}

/** Options that are about a load, or thresholds, which this run does not have. */
function noteWithoutEffect(
  prepared: PreparedRun,
  { seed, stopOnBreach, until, arrivals }: RunFlags,
  console: Console,
): void {
  const { executor } = planOf(prepared, { seed });
  const { mode, thresholds = [] } = prepared.flow.profile;
  const isCheck = executor === "rows" && `in ${mode} mode`;
  const idle = {
    "--stop-on-breach": stopOnBreach && (isCheck || thresholds.length === 0 &&
        "without a threshold: give it `--threshold`, or `thresholds`"),
    "--until": until !== undefined && isCheck,
    "--arrivals": arrivals === "poisson" &&
      (isCheck || executor !== "open" &&
          "without an offered rate: give it `--rate`, or an `arrival_cap`"),
  };
  for (const [flag, why] of Object.entries(idle)) {
    if (why) console.err(`note: ${flag} has no effect ${why}\n`);
  }
}

async function runOne(
  file: string,
  flags: RunFlags,
  options: AttendedOptions,
  console: Console,
): Promise<number> {
  const ending = endingOptions(flags);
  const ready = await prepared(file, flags, console);
  if (flags.stopOnBreach) noteUnwatched(ready, console);
  noteWithoutEffect(ready, flags, console);
  for (const each of routeNotes(ready, options.route).unused) {
    console.err(`note: ${each}\n`);
  }
  const sharded = await takeShard(ready, flags, console);
  using view = flags.open
    ? await viewerBesideRun(options.storeDir, console)
    : undefined;
  const outcome = await attendedRun(ready, {
    ...options,
    notes: [...options.notes, ...sharded?.notes ?? []],
    part: sharded?.part,
    listeners: [
      ...readMetrics(flags, console),
      // The lead judges for all.
      ...sharded?.joined ? [] : ending,
      ...view ? [view] : [],
    ],
  }, console);
  const { meta, directory } = outcome;
  if (sharded?.joined && !sharded.joined.orphaned()) {
    return handedOver(outcome, sharded.joined, console);
  }
  // stdout gets the result and nothing else.
  showOutcome(outcome, ready, console, flags);
  const reported = await writeReports(meta, directory!, flags, console);
  // The person who stopped the run has stopped looking at it.
  if (meta.status !== "interrupted") await view?.untilStopped();
  const code = exitCodeOf(meta);
  return code === EXIT.held && !reported ? EXIT.errored : code;
}

/**
 * Reads `--metrics`; where it listens is printed.
 *
 * @throws {InputError} for a text that is no address
 */
function readMetrics(
  { metrics }: { readonly metrics?: string },
  console: Console,
): readonly Listener[] {
  if (metrics === undefined) return [];
  try {
    return [offerMetrics({
      ...parseListenAddress(metrics, "it"),
      onListening: (address) =>
        console.err(`metrics on http://${address}/metrics\n`),
    })];
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw refusal(
      "--metrics",
      "metrics",
      error.message,
      "such as 127.0.0.1:9464, or :9464 for every address of the machine",
    );
  }
}
