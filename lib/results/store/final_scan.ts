import { type Finding, redactText, scanText } from "../redact/redacted.ts";
import type { Secrets } from "../redact/secrets.ts";
import { writeAtomic } from "./stored_file.ts";
import { FILES } from "./layout.ts";
import { storeError } from "./store_error.ts";
import { indexBytes, indexText } from "./trace_index.ts";

/** A file that holds a secret. */
interface ScannedFile {
  readonly file: string;
  readonly findings: readonly Finding[];
}

/**
 * Searches every file of a run directory for registered secrets, and scrubs them
 * in place. Redaction happens before storage, so that any
 * finding is a bug: the run is to be marked `errored` and the files named.
 *
 * @throws {StoreError}
 */
export async function finalScan(
  dir: string,
  secrets: Secrets,
): Promise<ScannedFile[]> {
  if (secrets.size === 0) return [];
  const found: ScannedFile[] = [];
  try {
    for (const file of await filesOf(dir)) {
      const text = await Deno.readTextFile(`${dir}/${file}`);
      const findings = scanText(text, secrets);
      if (findings.length === 0) continue;
      found.push({ file, findings });
      await writeAtomic(`${dir}/${file}`, redactText(text, secrets));
    }
    if (found.some(({ file }) => file === FILES.traces)) await reindex(dir);
  } catch (error) {
    throw storeError(`Cannot scan \`${dir}\` for secrets`, error);
  }
  return found;
}

/** Scrubbing moved the traces. */
async function reindex(dir: string): Promise<void> {
  const bytes = await Deno.readFile(`${dir}/${FILES.traces}`);
  await writeAtomic(`${dir}/${FILES.index}`, indexText(indexBytes(bytes)));
}

async function filesOf(dir: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(dir)) {
    if (entry.isFile) files.push(entry.name);
  }
  return files.sort();
}
