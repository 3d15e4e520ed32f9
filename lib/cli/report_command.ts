import { basename, dirname } from "node:path";
import type { Console } from "./console.ts";
import { failWith, refuseRequest } from "./fail.ts";
import { storeDirectory } from "./store_directory.ts";
import type { ViewerParts } from "./viewer.ts";

/** Options of `bench report`. */
export interface ReportFlags {
  readonly html: string;
  readonly store?: string;
  readonly force?: true;
}

/**
 * Writes one run as a single HTML file. A file that is there already stays,
 * unless `--force` is given. Returns the exit code.
 *
 * @param run a run id in the store, or the path of a run directory
 */
export async function reportCommand(
  run: string,
  flags: ReportFlags,
  console: Console,
  parts: ViewerParts,
): Promise<number> {
  try {
    const path = /[/\\]/.test(run);
    const storeDir = path ? dirname(run) : storeDirectory(flags.store);
    if (!flags.force && await exists(flags.html)) {
      return refuseRequest(
        console,
        `\`${flags.html}\` exists already`,
        "add --force to write over it",
      );
    }
    const { reportOf } = await parts.report();
    const text = await reportOf(storeDir, path ? basename(run) : run);
    if (text === undefined) {
      return refuseRequest(
        console,
        `there is no run \`${run}\` in \`${storeDir}\``,
        "name another store with --store",
      );
    }
    await writeWhole(flags.html, text);
    console.err(`report written to ${flags.html}\n`);
    return 0;
  } catch (error) {
    if (isFileError(error)) {
      return refuseRequest(
        console,
        `Cannot write \`${flags.html}\`: ${(error as Error).message}`,
      );
    }
    return failWith(error, console, "text");
  }
}

/** The file is whole or not there. */
async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await Deno.writeTextFile(part, text);
  await Deno.rename(part, path);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === "string";
}
