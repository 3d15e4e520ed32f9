import type { PreparedRun } from "../../lib/compile.ts";
import { withoutCommands } from "../../lib/base/text/display.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { annotationsOf } from "../../lib/results/formats/annotations.ts";
import { renderJunit } from "../../lib/results/formats/junit.ts";
import { renderMarkdown } from "../../lib/results/formats/markdown.ts";
import { renderSummary } from "../../lib/results/formats/text.ts";
import { readStoredRows } from "../../lib/results/store/reader.ts";
import { metaText } from "../../lib/results/store/run_writer.ts";
import type { RunOutcome } from "../../lib/run.ts";
import { statOf } from "../inputs/stat.ts";
import type { ReportFlags } from "../options/shared_options.ts";
import type { Console } from "../terminal/console.ts";
import { annotate, printError } from "../terminal/errors.ts";
import { writeOutput } from "../terminal/output_file.ts";

/**
 * Prints the result of a run; failures show their line of the flow file. Where
 * the store could not take all of it, this is the only place that has it.
 */
export function showOutcome(
  { meta, directory, unsaved }: RunOutcome,
  { sources }: PreparedRun,
  console: Console,
  { json, verbose }: {
    readonly json?: boolean;
    readonly verbose?: boolean;
  } = {},
): void {
  if (json) console.out(metaText(meta));
  else {
    const { outColor: color, width } = console;
    console.print(
      renderSummary(meta, {
        ...{ color, width, sources },
        // Nothing may be left of a directory that could not take all.
        ...(directory !== undefined &&
          (!unsaved || statOf(directory)?.isDirectory) &&
          { runDir: directory }),
        ...(verbose && { verbose }),
      }),
    );
  }
  annotate(annotationsOf(meta), console);
  if (unsaved) printError(console, unsaved.message, unsaved.hint);
}

/**
 * Writes what was asked for, and appends to the job's summary page where there
 * is one (`GITHUB_STEP_SUMMARY`). The run is stored by now: what cannot be
 * written is said, and the rest is written all the same.
 *
 * @param directory the run's directory
 * @returns whether every file a flag names was written
 */
export async function writeReports(
  meta: RunMeta,
  directory: string,
  flags: ReportFlags,
  console: Console,
): Promise<boolean> {
  // A store that broke off has the rows of its meta.json.
  const rowsOf = () =>
    meta.rows && readStoredRows(directory, meta).catch(() => meta.rows);
  return await putReports(
    {
      junit: async () => renderJunit(meta, await rowsOf()),
      markdown: () => renderMarkdown(meta, directory),
    },
    flags,
    console,
  );
}

/** How a result reads in the files that are asked for. */
interface ReportTexts {
  readonly junit: () => string | Promise<string>;
  readonly markdown: () => string;
}

/** How it reads on the terminal. */
interface ShownResult extends ReportTexts {
  readonly data: unknown;
  readonly text: (
    style: { readonly color: boolean; readonly width: number },
  ) => string;
}

/**
 * Prints a result of several runs, and writes its reports.
 *
 * @returns whether every file a flag names was written
 */
export async function showResult(
  { data, text, ...reports }: ShownResult,
  flags: ReportFlags & { readonly json?: boolean },
  console: Console,
): Promise<boolean> {
  const { outColor: color, width } = console;
  if (flags.json) console.out(`${JSON.stringify(data, null, 2)}\n`);
  else console.print(text({ color, width }));
  return await putReports(reports, flags, console);
}

async function putReports(
  { junit, markdown }: ReportTexts,
  flags: ReportFlags,
  console: Console,
): Promise<boolean> {
  const asked = [[flags.junit, junit], [flags.reportMd, markdown]] as const;
  let written = true;
  for (const [path, text] of asked) {
    if (path === undefined) continue;
    written = await putReport(path, await text(), false, console) && written;
  }
  const summary = Deno.env.get("GITHUB_STEP_SUMMARY");
  if (summary) {
    await putReport(summary, withoutCommands(markdown()), true, console);
  }
  return written;
}

/** Writes one report; what cannot be written is said. */
async function putReport(
  path: string,
  text: string,
  append: boolean,
  console: Console,
): Promise<boolean> {
  try {
    if (append) await Deno.writeTextFile(path, text, { append });
    else await writeOutput(path, [text]);
    return true;
  } catch (error) {
    printError(
      console,
      `cannot write the report ${path}: ${osReason(error)}`,
      "the run itself is stored",
    );
    return false;
  }
}
