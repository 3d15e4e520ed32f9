import {
  BenchError,
  EXIT,
  Refused,
} from "../../lib/base/errors/bench_error.ts";
import { type Diagnostic, InputError } from "../../lib/base/text/diagnostic.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import { isMix } from "../../lib/engine/preflight/prepared_run.ts";
import { isFunctional } from "../../lib/model/mode.ts";
import { annotationsOf } from "../../lib/results/formats/annotations.ts";
import {
  type MissingRun,
  renderSuiteJunit,
  renderSuiteMarkdown,
  renderSuiteSummary,
  type SuiteRun,
} from "../../lib/results/formats/suite_report.ts";
import {
  exitCodeOf,
  worstExitCode,
} from "../../lib/results/report/exit_code.ts";
import { runEnd } from "../../lib/results/report/figures.ts";
import { readStoredRows } from "../../lib/results/store/reader.ts";
import type { RunOutcome } from "../../lib/run.ts";
import { diagnosticsOf } from "../inputs/flow_files.ts";
import type { FlagsOf } from "../options/option.ts";
import type { Console } from "../terminal/console.ts";
import { annotate, failWith, printError } from "../terminal/errors.ts";
import type { RUN } from "./run_options.ts";
import { showResult } from "./show_result.ts";

type RunFlags = FlagsOf<typeof RUN>;

/** Options that are about one run. */
const OF_ONE_RUN = [
  ...["shard", "lead", "open", "metrics", "until"] as const,
  ...["stopOnBreach"] as const,
] satisfies (keyof RunFlags)[];

/** How one flow of a suite is made ready and carried out. */
interface SuiteSteps {
  /** @throws {InputError} when it cannot be run */
  prepare(file: string): Promise<PreparedRun>;
  carryOut(prepared: PreparedRun, quiet: boolean): Promise<
    RunOutcome<string> & { readonly signal: unknown }
  >;
}

/**
 * Checks several flows, each in a run of its own, and reports on all together.
 * Nothing is sent before every flow is known to be correct. Returns the exit code.
 *
 * @throws {InputError} with what is wrong in all of them
 */
export async function runFlowSuite(
  files: readonly string[],
  flags: RunFlags,
  { prepare, carryOut }: SuiteSteps,
  console: Console,
): Promise<number> {
  for (const each of OF_ONE_RUN) {
    if (flags[each] === undefined) continue;
    const flag = each.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new Refused(
      `--${flag} is for one flow, but ${files.length} were given`,
      "run that flow by itself",
    );
  }
  const { jobs, mode } = flags;
  // Otherwise each flow is refused for what a load needs and it does not have.
  if (mode !== undefined && !isFunctional(mode)) {
    const message =
      `several flows are checked one by one, but \`--mode\` is ${mode}`;
    throw new Refused(message, mixHint(files));
  }
  const all = await eachPrepared(files, prepare);
  refuseLoad(all);
  const runs: (SuiteRun | undefined)[] = [];
  const codes: number[] = [];
  const said = new Set<string>();
  let [next, stopped] = [0, false];
  const work = async () => {
    while (next < all.length && !stopped) {
      const index = next++;
      const prepared = all[index]!;
      try {
        const outcome = await carryOut(prepared, flags.quiet || jobs > 1);
        const { meta, directory, unsaved, signal } = outcome;
        if (signal) stopped = true;
        if (unsaved) printError(console, unsaved.message, unsaved.hint);
        annotate(annotationsOf(meta), console);
        if (!flags.quiet) {
          console.err(`${runEnd(meta).summary}  ${meta.flow}\n`);
        }
        codes.push(exitCodeOf(meta));
        runs[index] = { meta, directory, sources: prepared.sources };
      } catch (error) {
        if (!(error instanceof BenchError)) throw error;
        // A store that cannot be made is refused for each of them.
        const known = said.has(error.message);
        said.add(error.message);
        codes.push(known ? error.exitCode : failWith(error, console, "text"));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, all.length) }, work));
  const missing = all.flatMap(({ flow: { flow }, file }, index) =>
    runs[index] ? [] : [{ flow, file, begun: index < next }]
  );
  const ended = runs.filter((each) => each !== undefined);
  const written = await report(ended, missing, flags, console);
  const code = worstExitCode(codes);
  return code === EXIT.held && !written ? EXIT.errored : code;
}

/** @throws {InputError} */
async function eachPrepared(
  files: readonly string[],
  prepare: SuiteSteps["prepare"],
): Promise<readonly PreparedRun[]> {
  const prepared: PreparedRun[] = [];
  const { diagnostics, sources } = await diagnosticsOf(files, async (file) => {
    const { sources } = prepared[prepared.push(await prepare(file)) - 1]!;
    return { diagnostics: [], sources };
  });
  if (diagnostics.length > 0) throw new InputError(diagnostics, sources);
  return prepared;
}

/** Load of several flows is a load of its own, and not one after the other. */
function refuseLoad(all: readonly PreparedRun[]): void {
  const hint = mixHint(
    all.filter(({ flows }) => !isMix(flows)).map(({ file }) => file),
  );
  const diagnostics = all.flatMap(({ flow, flows, file }): Diagnostic[] =>
    isFunctional(flow.profile.mode) ? [] : [{
      code: "suite-mode",
      at: { file },
      message:
        `several flows are checked one by one, but the mode of \`${flow.flow}\` is ${flow.profile.mode}`,
      hint: isMix(flows)
        ? "a mix is the load of all its flows: run it by itself"
        : hint,
    }]
  );
  if (diagnostics.length > 0) throw new InputError(diagnostics, new Map());
}

/** The way to a load of several flows, with a mix of them as a file in one line. */
function mixHint(files: readonly string[]): string {
  const flows = files.map((file) => `{ flow: ${file}, weight: 1 }`);
  const mix = `{ version: 1, mix: both, flows: [${flows.join(", ")}] }`;
  return `for load of several flows write a mix: \`${mix}\`; \`--mode integration\` checks them, \`--only\` chooses one`;
}

async function report(
  runs: readonly SuiteRun[],
  missing: readonly MissingRun[],
  flags: RunFlags,
  console: Console,
): Promise<boolean> {
  const withRows = () =>
    Promise.all(runs.map(async (each) => {
      const { meta, directory } = each;
      const rows = meta.rows &&
        await readStoredRows(directory, meta).catch(() => meta.rows);
      return rows ? { ...each, rows } : each;
    }));
  return await showResult(
    {
      data: runs.map(({ meta }) => meta),
      text: (style) => renderSuiteSummary(runs, missing, style),
      junit: async () => renderSuiteJunit(await withRows(), missing),
      markdown: () => renderSuiteMarkdown(runs, missing),
    },
    flags,
    console,
  );
}
