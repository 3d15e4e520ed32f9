/*
 * A descriptor for the files of runs, whose connections may take every other one.
 * There is one for the process, as the limit is.
 */

let spare: Deno.FsFile | undefined;
/** Runs that write their files. */
let runs = 0;

/** Keeps the descriptor until `dropSpare` was called as often. */
export function holdSpare(): void {
  runs++;
  keep();
}

export function dropSpare(): void {
  runs--;
  if (runs === 0) free();
}

/**
 * Opens a file for the time of `work`, where no other descriptor is left with
 * that one.
 *
 * @throws what the file system says
 */
export async function withFile<T>(
  path: string,
  options: Deno.OpenOptions,
  work: (file: Deno.FsFile) => Promise<T>,
): Promise<T> {
  const file = await opened(path, options);
  try {
    return await work(file);
  } finally {
    file.close();
    keep();
  }
}

async function opened(
  path: string,
  options: Deno.OpenOptions,
): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, options);
  } catch (error) {
    const { code = "" } = error as { readonly code?: string };
    if (!spare || !OUT_OF_DESCRIPTORS.has(code)) throw error;
    free();
    // At once, before a connection takes it.
    return Deno.openSync(path, options);
  }
}

/** Of the process, and of the system. */
const OUT_OF_DESCRIPTORS: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);

function keep(): void {
  if (runs === 0) return;
  try {
    // No file of a run: its room on the disk would stay taken once it is replaced.
    spare ??= Deno.openSync("/dev/null");
  } catch {
    // None is free, and the next write tries again; or the system has none such.
  }
}

function free(): void {
  spare?.close();
  spare = undefined;
}
