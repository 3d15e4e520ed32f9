import { basename, dirname, extname } from "../../lib/base/values/paths.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import type { Console } from "../terminal/console.ts";
import { writeOutput } from "../terminal/output_file.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { ofStored } from "../../lib/results/store/layout.ts";
import { runOfStore, storeDirectory } from "../options/store.ts";
import { reportOf } from "../../viewer/report_file.ts";
import { type Format, NAMED_FORMATS } from "../../viewer/model/formats.ts";
import type { ReportFlags } from "./view_options.ts";

/**
 * Writes one run in one of its forms. A file that is there already stays,
 * unless `--force` is given. Returns the exit code.
 *
 * @param run a run id in the store, or the path of a run directory
 */
export function reportCommand(
  run: string,
  flags: ReportFlags,
  console: Console,
): Promise<number> {
  return ofStored(() => writeReport(run, flags, console));
}

async function writeReport(
  run: string,
  flags: ReportFlags,
  console: Console,
): Promise<number> {
  const file = flags.html ?? flags.output;
  try {
    const format = flags.html === undefined
      ? flags.format ?? formatOf(file)
      : "html";
    if (format === undefined) {
      throw new Refused(
        `no form of a report ends in \`${extname(file!)}\``,
        `endings are ${
          NAMED_FORMATS.map(([, { ending }]) => ending).join(", ")
        }; or name the form with --format`,
      );
    }
    refuseForeign(format, flags);
    if (file !== undefined && !flags.force && await exists(file)) {
      throw new Refused(
        `\`${file}\` exists already`,
        "add --force to write over it",
      );
    }
    const directory = runOfStore(run, storeDirectory(flags.store));
    const storeDir = dirname(directory);
    const { baseline } = flags;
    const pieces = await reportOf({
      storeDir,
      id: basename(directory),
      format,
      payloads: flags.payloads,
      ...(baseline !== undefined &&
        { baseline: basename(runOfStore(baseline, storeDir)) }),
    });
    if (file === undefined) {
      for await (const piece of pieces) console.out(piece);
      return 0;
    }
    await writeOutput(file, pieces);
    console.err(`report written to ${file}\n`);
    return 0;
  } catch (error) {
    if (file !== undefined && isFileError(error)) {
      throw new Refused(
        `Cannot write \`${file}\`: ${osReason(error)}`,
      );
    }
    throw error;
  }
}

/** @throws {Refused} for a flag that the form has nothing for */
function refuseForeign(format: Format, flags: ReportFlags): void {
  if (flags.baseline !== undefined && format !== "html") {
    throw new Refused(
      `--baseline is for the HTML report, not for \`${format}\``,
    );
  }
  if (!flags.payloads && format !== "html" && format !== "har") {
    throw new Refused(
      `--no-payloads is for \`html\` and \`har\`, not for \`${format}\``,
    );
  }
}

/**
 * The form by a file's ending; the longest that fits. HTML without an ending,
 * undefined for one that says nothing: HTML in a .pdf is no help.
 */
function formatOf(file = ""): Format | undefined {
  const fits = NAMED_FORMATS
    .filter(([, { ending }]) => file.toLowerCase().endsWith(ending))
    .sort(([, a], [, b]) => b.ending.length - a.ending.length);
  if (fits.length === 0) return extname(file) === "" ? "html" : undefined;
  return fits[0]![0];
}

/** Whether something there would be lost: of a device or a pipe nothing is. */
async function exists(path: string): Promise<boolean> {
  try {
    const info = await Deno.lstat(path);
    const { isFile, isDirectory, isSymlink } = info.isSymlink
      ? await Deno.stat(path).catch(() => info)
      : info;
    return isFile || isDirectory || isSymlink;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === "string";
}
