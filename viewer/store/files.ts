import { FILES } from "../../lib/results/store/layout.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";

const MIB = 1024 * 1024;

/** Beyond these a file is not read: it is not one that this program wrote. */
const LIMITS: Readonly<Record<string, number>> = {
  [FILES.meta]: 16 * MIB,
  [FILES.flow]: 16 * MIB,
  [FILES.series]: 256 * MIB,
  [FILES.seriesPart]: 256 * MIB,
  [FILES.histograms]: 64 * MIB,
  [FILES.agent]: 256 * MIB,
  [FILES.agentPart]: 256 * MIB,
  [FILES.rows]: 256 * MIB,
  [FILES.rowsPart]: 256 * MIB,
  [FILES.index]: 128 * MIB,
  [FILES.traces]: 256 * MIB,
  [FILES.tracesPart]: 256 * MIB,
};

/** A file of a run as it is now. */
interface FileStamp {
  readonly name: string;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
}

/**
 * Looks at a file of a run directory before it is opened.
 *
 * @returns undefined when there is none
 * @throws {StoreError} when it is not a plain file, or longer than any run's
 */
export function stampOf(dir: string, name: string): FileStamp | undefined {
  const path = `${dir}/${name}`;
  let info: Deno.FileInfo;
  try {
    // Of thousands of runs, each time: a promise costs more than the look itself.
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw new StoreError(
      `Cannot read \`${path}\`: ${(error as Error).message}`,
      undefined,
      error,
    );
  }
  if (!info.isFile) {
    throw new StoreError(
      `Cannot read \`${path}\`: it is ${
        info.isSymlink ? "a symbolic link" : "not a file"
      }, which is not followed`,
    );
  }
  const limit = LIMITS[name] ?? 0;
  if (info.size > limit) {
    throw new StoreError(
      `Cannot read \`${path}\`: it has ${info.size} bytes, expected at most ${limit}`,
    );
  }
  const at = info.mtime?.getTime() ?? 0;
  return { name, size: info.size, stamp: `${at}:${info.size}:${info.ino}` };
}
