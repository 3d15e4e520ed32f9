import { rescan } from "../redact/redacted.ts";
import type { Secrets } from "../redact/secrets.ts";
import { writeAtomic } from "./stored_file.ts";
import { FILES, storeError } from "./layout.ts";
import { indexBytes, indexText } from "./trace_index.ts";

/** The IR as its author wrote it, before any value was known, and figures. */
const WITHOUT_DATA: ReadonlySet<string> = new Set([
  FILES.flow,
  FILES.histograms,
  FILES.series,
  FILES.index,
]);

/**
 * Searches every file of a run directory for registered secrets, and scrubs them
 * in place. Redaction happens before storage, so that any
 * finding is a bug: the run is to be marked `errored` and the files named.
 *
 * @returns the files that held one
 * @throws {StoreError}
 */
export async function finalScan(
  dir: string,
  secrets: Secrets,
): Promise<string[]> {
  if (secrets.size === 0) return [];
  const found: string[] = [];
  try {
    for (const file of await filesOf(dir)) {
      const text = await Deno.readTextFile(`${dir}/${file}`);
      const clean = file === FILES.traces || file === FILES.tracesPart
        ? rescanLines(text, secrets)
        : rescan(text, secrets);
      if (clean === undefined) continue;
      found.push(file);
      await writeAtomic(`${dir}/${file}`, clean);
    }
    if (found.includes(FILES.traces)) await reindex(dir);
  } catch (error) {
    throw storeError(`Cannot scan \`${dir}\` for secrets`, error);
  }
  return found;
}

/** A trace a line. */
function rescanLines(text: string, secrets: Secrets): string | undefined {
  let clean = false;
  const lines = text.split("\n").map((line) => {
    if (!line.startsWith('{"trace_id')) return line;
    const end = line.endsWith(",") ? "," : "";
    const found = rescan(line.slice(0, line.length - end.length), secrets);
    clean ||= found !== undefined;
    return found === undefined ? line : found + end;
  });
  return clean ? lines.join("\n") : undefined;
}

/** Scrubbing moved the traces. */
async function reindex(dir: string): Promise<void> {
  const bytes = await Deno.readFile(`${dir}/${FILES.traces}`);
  await writeAtomic(`${dir}/${FILES.index}`, indexText(indexBytes(bytes)));
}

async function filesOf(dir: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { isFile, name } of Deno.readDir(dir)) {
    if (isFile && !WITHOUT_DATA.has(name)) files.push(name);
  }
  return files.sort();
}

/** The warning that secrets were found in stored files. */
export function leakText(files: readonly string[]): string {
  return `a secret had reached ${
    files.join(", ")
  } and was scrubbed there: this is a bug in bench, please report it`;
}
