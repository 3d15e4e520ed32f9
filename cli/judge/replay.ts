import { absolutePath, dirname } from "../../lib/base/values/paths.ts";
import { BenchError, Refused } from "../../lib/base/errors/bench_error.ts";
import { type InputFile, prepareRun } from "../../lib/compile.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { isFunctional, type Mode } from "../../lib/model/mode.ts";
import { OUTCOMES } from "../../lib/model/outcome.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import { firstDifference } from "../../lib/results/replay/first_difference.ts";
import {
  renderReplay,
  type ShownReplay,
} from "../../lib/results/formats/replay_text.ts";
import { checkBegun, exitCode } from "../../lib/results/report/exit_code.ts";
import { readMeta, readStoredFlow } from "../../lib/results/store/reader.ts";
import {
  readTrace,
  readTraceIndex,
} from "../../lib/results/store/trace_reader.ts";
import { ofStored, StoreError } from "../../lib/results/store/layout.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { readTargetFile } from "../inputs/input_files.ts";
import { isFile } from "../inputs/target_lookup.ts";
import {
  type InputEnvironment,
  systemEnvironment,
} from "../inputs/environment.ts";
import type { FlagsOf } from "../options/option.ts";
import { runOfStore, storeDirectory } from "../options/store.ts";
import { readConnection } from "../options/connection.ts";
import { type GracefulStop, startRun } from "../run/start_run.ts";
import type { Console } from "../terminal/console.ts";
import type { REPLAY, REPLAYING } from "./judging_options.ts";

/**
 * Carries one stored iteration out once more, and shows where it parts from what was
 * stored. Returns the exit code of the iteration as it is now.
 */
export async function replayCommand(
  run: string,
  trace: string | undefined,
  flags: FlagsOf<typeof REPLAY>,
  console: Console,
): Promise<number> {
  const { target } = flags;
  const iteration = {
    ...{ run, trace },
    ...(target !== undefined &&
      { target: (flow: InputFile) => readTargetFile(target, flow) }),
  };
  const replayed = await replay(iteration, flags, systemEnvironment, console);
  if (flags.json) console.out(`${JSON.stringify(replayed, null, 2)}\n`);
  else {
    const { outColor: color, width } = console;
    console.print(renderReplay(replayed, { color, width }));
  }
  return exitCodeOfIteration(replayed);
}

/** Only the iteration counts: `teardown` and thresholds are of its run. */
function exitCodeOfIteration({ after, meta }: Replayed): number {
  return exitCode({
    errored: meta.status === "errored",
    verdict: OUTCOMES[after.outcome].isError ? "fail" : "pass",
  });
}

/** Which iteration to replay, and where. */
interface StoredIteration {
  /** A run id of the store, or the path of a run directory. */
  readonly run: string;
  /** Beginning of its id. Its run's first that did not pass, when absent. */
  readonly trace?: string | undefined;
  /** Reads the target; the run's own, when absent. */
  readonly target?: (flow: InputFile) => Promise<InputFile>;
}

/** An iteration, and the same once more. */
interface Replayed extends ShownReplay {
  readonly run: string;
  /** Of the iteration that was carried out now. */
  readonly meta: RunMeta;
}

/**
 * Carries one stored iteration out once more, as a functional run with the same row
 * and seed; stores nothing.
 *
 * @param stopping ends it before
 * @throws {Refused} when there is no such iteration
 * @throws {InputError} when its flow cannot be run any more
 * @throws {BenchError} when its `setup` did not pass
 */
export function replay(
  { run, trace, target }: StoredIteration,
  flags: FlagsOf<typeof REPLAYING>,
  environment: InputEnvironment,
  console: Console,
  stopping?: GracefulStop,
): Promise<Replayed> {
  const connection = readConnection(flags, console);
  return ofStored(async () => {
    const dir = runOfStore(run, storeDirectory(flags.store, environment.env));
    const meta = await readMeta(dir, systemClock.wall());
    const before = await tracedIteration(dir, meta, trace);
    const flow = {
      file: `${dir}/flow.json`,
      directory: meta.flow_file === "-" ? "." : dirname(meta.flow_file),
      form: "json",
      bytes: new TextEncoder().encode(await readStoredFlow(dir)),
      mode: { value: "integration" },
    } as const;
    const asked = { ...flow, file: meta.flow_file };
    const targetFile = await (target?.(asked) ??
      ownTarget(meta, asked, environment));
    let after: Trace | undefined;
    const { meta: now } = await startRun(
      await prepareRun(flow, targetFile, environment),
      {
        ...{ seed: meta.seed, row: rowOption(meta), workers: 1 },
        replays: {
          iteration: before.iteration,
          everyRow: isFunctional(meta.mode as Mode),
          values: Object.fromEntries(
            before.values?.map(({ name, value }) => [name, value]) ?? [],
          ),
        },
        ...{ ...connection, http: flags.http, environment },
        ...(stopping && { stopping }),
        // As a store cuts them: those of `before` were.
        listeners: [{ trace: (_, cut) => void (after ??= cut()) }],
      },
    );
    checkBegun(now, "the iteration was not replayed");
    if (!after) {
      const hint = "try it again";
      throw new BenchError("the replayed iteration did not end", { hint });
    }
    const difference = firstDifference(before, after);
    return {
      ...{ run: meta.id, before, after },
      ...(difference && { difference }),
      meta: now,
    };
  });
}

/** The row that the run was asked for, which its iterations count from. */
function rowOption({ options }: RunMeta): number | undefined {
  const row = options?.["row"];
  return typeof row === "number" ? row : undefined;
}

/** Why there is no target: the run's was no file, or is not there. */
function missingTarget({ id, target, target_file: file }: RunMeta): Refused {
  return new Refused(
    file === undefined
      ? `the target \`${target}\` of run \`${id}\` was made by a program, and its hosts are not stored`
      : `the target \`${target}\` of run \`${id}\` was read from ${file}, which is not there from this folder`,
    "give a target: --target <name|file>",
  );
}

/** The target of the run, as it is now. */
function ownTarget(
  meta: RunMeta,
  flow: InputFile,
  environment: InputEnvironment,
): Promise<InputFile> {
  return readTargetFile(targetOf(meta, flow.directory), flow, environment)
    .catch((error) => {
      const isMissing = meta.target_file === undefined ||
        (error instanceof InputError &&
          error.diagnostics[0]?.code === "no-target");
      throw isMissing ? missingTarget(meta) : error;
    });
}

/** The file that the run's target was read from, while it is there; else its name. */
function targetOf({ target, target_file }: RunMeta, directory: string): string {
  const path = target_file && absolutePath(directory, target_file);
  return path && isFile(path) ? path : target;
}

/**
 * A stored iteration.
 *
 * @param traceId the beginning of its id; the first that did not pass when absent
 * @throws {StoreError} when there is none
 */
export async function tracedIteration(
  dir: string,
  { id }: RunMeta,
  traceId: string | undefined,
): Promise<Trace> {
  const index = await readTraceIndex(dir);
  const iterations = index.filter(({ once }) => once === null);
  const entry = traceId === undefined
    ? iterations.find(({ outcome }) => outcome !== "passed") ?? iterations[0]
    : index.find(({ trace_id }) => trace_id.startsWith(traceId));
  if (entry?.once) {
    throw new StoreError(
      `trace \`${traceId}\` is of \`${entry.once}\`, and no iteration`,
      "`setup` and `teardown` are carried out with every iteration that is replayed",
    );
  }
  const trace = entry && await readTrace(dir, entry.trace_id, index);
  if (trace) return trace;
  throw new StoreError(
    traceId === undefined
      ? `run \`${id}\` kept no trace`
      : `run \`${id}\` has no trace \`${traceId}\``,
    "`trace_id` of each kept iteration is in traces.json, and on the page of its failure",
  );
}
