import { dirname } from "node:path";
import { renderJunit } from "../../lib/results/formats/junit.ts";
import { readRows } from "../../lib/results/store/reader.ts";
import { renderMarkdown } from "../../lib/results/formats/markdown.ts";
import { withoutCommands } from "../../lib/base/text/log_commands.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import type { Console } from "../terminal/console.ts";
import { printError } from "../terminal/fail.ts";
import type { ReportFlags } from "../options/shared_options.ts";

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
    meta.rows && readRows(directory, meta).catch(() => meta.rows);
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

/** Likewise, of any result. */
export async function putReports(
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
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { append });
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
