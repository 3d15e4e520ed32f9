import { FILES } from "./layout.ts";
import { storeError } from "./store_error.ts";

/** What `traces.json` states about itself. */
export interface TraceFacts {
  readonly policy: "all" | "sampled";
  /** A trace that should have been kept was left out, or the run was killed. */
  readonly truncated: boolean;
}

/** The first line and the last one are shorter than this. */
const EDGE_BYTES = 256;

/**
 * Which traces a run kept, read from the two ends of the file; undefined when
 * it has none. A run that was killed counts as truncated.
 *
 * @throws {StoreError}
 */
export async function readTraceFacts(
  dir: string,
): Promise<TraceFacts | undefined> {
  for (const name of [FILES.traces, FILES.tracesPart]) {
    const path = `${dir}/${name}`;
    try {
      using file = await Deno.open(path);
      const head = await readEdge(file, 0);
      const { size } = await file.stat();
      const tail = await readEdge(file, Math.max(0, size - EDGE_BYTES));
      return {
        policy: head.includes('"policy":"sampled"') ? "sampled" : "all",
        truncated: !tail.trimEnd().endsWith('],"truncated":false}'),
      };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw storeError(`Cannot read \`${path}\``, error);
    }
  }
}

async function readEdge(file: Deno.FsFile, from: number): Promise<string> {
  await file.seek(from, Deno.SeekMode.Start);
  const bytes = new Uint8Array(EDGE_BYTES);
  const count = await file.read(bytes);
  return new TextDecoder().decode(bytes.subarray(0, count ?? 0));
}
