import { refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import {
  readInput,
  readStandardInput,
} from "../../lib/base/text/read_input.ts";
import type { Draft, DraftOptions } from "./draft/draft.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import type { ImportFlags, ImportSource } from "./import_options.ts";

/** Flows that were made together. */
export interface Imported {
  readonly drafts: readonly Draft[];
  /** What their credentials were, by variable, where that is known. */
  readonly recorded: ReadonlyMap<string, string>;
}

/**
 * Reads what there is and makes flows of it. The code of each source is loaded
 * when it is asked for.
 */
export async function importedFrom(
  from: ImportSource,
  source: readonly string[],
  flags: ImportFlags,
): Promise<Imported> {
  const { name, vus, hold, tag } = flags;
  const options: DraftOptions = {
    ...(name !== undefined && { name }),
    ...((vus ?? hold) !== undefined &&
      { load: { vus: vus ?? 1, hold: hold ?? "30s" } }),
  };
  switch (from) {
    case "curl": {
      const { importCurl } = await import("./curl/import_curl.ts");
      const script = await curlScript(source);
      const draft = importCurl(script, { ...options, readText });
      return { drafts: [draft], recorded: new Map() };
    }
    case "har": {
      const { importHar } = await import("./har/import_har.ts");
      const { readHar } = await import("./har/har_file.ts");
      const [first, second] = filesOf(source, 2, "a HAR file, or two");
      const { draft, recorded } = importHar(
        readHar(readText(first!), first!),
        second === undefined ? undefined : readHar(readText(second), second),
        { ...options, anySource: flags.as === "python" },
      );
      return { drafts: [draft], recorded };
    }
    case "openapi": {
      const { readOpenapi } = await import("./openapi/openapi_file.ts");
      const { importOpenapi } = await import(
        "./openapi/import_openapi.ts"
      );
      const [file] = filesOf(source, 1, "an OpenAPI file");
      const document = readOpenapi(file!);
      const drafts = importOpenapi(document, {
        ...options,
        ...(tag !== undefined && { tag }),
      });
      return { drafts, recorded: new Map() };
    }
  }
}

function filesOf(
  source: readonly string[],
  most: number,
  what: string,
): readonly string[] {
  if (source.length > 0 && source.length <= most) return source;
  throw new Refused(`give it ${what}, not ${source.length} files`);
}

/** The argument, or standard input. */
async function curlScript(source: readonly string[]): Promise<string> {
  const [first = "-", ...rest] = source;
  if (rest.length > 0) {
    throw new Refused(
      "the command line has to be one argument",
      "put it between quotes, or give it on standard input: bench import curl - <commands.txt",
    );
  }
  if (first !== "-") return first;
  if (source.length === 0 && Deno.stdin.isTerminal()) {
    throw new Refused(
      "there is no command line to import",
      "bench import curl 'curl https://api.example.com/items'",
    );
  }
  return new TextDecoder().decode(await readStandardInput(MOST_BYTES));
}

/** A recording of a long session has some tens of megabytes. */
const MOST_BYTES = 256 << 20;

function readText(path: string): string {
  try {
    return new TextDecoder().decode(readInput(path, MOST_BYTES, true));
  } catch (error) {
    throw refusal(path, "no-file", `cannot read ${path}: ${osReason(error)}`);
  }
}
