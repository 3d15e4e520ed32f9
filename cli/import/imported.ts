import { basename } from "../../lib/base/values/paths.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { decodedText } from "../../lib/base/text/decoded_text.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { readStandardInput } from "../../lib/base/text/read_input.ts";
import { durationHint, parseDuration } from "../../lib/base/values/duration.ts";
import { NAME } from "../../lib/language/expressions/template.ts";
import {
  type InputEnvironment,
  readablePath,
  systemEnvironment,
} from "../inputs/environment.ts";
import { flowsOfMix } from "./draft/companion_files.ts";
import type { Draft, DraftOptions } from "./draft/draft.ts";
import type { DraftingFlags, ImportSource } from "./import_options.ts";

/** Flows that were made together. */
export interface Imported {
  readonly drafts: readonly Draft[];
  /** The recorded values of their credentials, by variable. */
  readonly recorded: ReadonlyMap<string, string>;
}

/**
 * Reads what there is and makes flows of it. The code of each source is loaded
 * when it is asked for.
 */
export async function importedFrom(
  from: ImportSource,
  source: readonly string[],
  flags: DraftingFlags,
  environment = systemEnvironment,
): Promise<Imported> {
  refuseForeign(from, flags);
  const readText = (path: string) => textOf(path, environment);
  const options = draftOptions(flags);
  switch (from) {
    case "curl": {
      const { importCurl } = await import("./curl/import_curl.ts");
      const script = await curlScript(source);
      const draft = importCurl(script, { ...options, readText });
      return { drafts: [draft], recorded: recordedOf([draft]) };
    }
    case "har":
      return await fromHar(source, flags, readText);
    case "postman":
      return await fromPostman(source, flags, readText);
    case "openapi": {
      const { readOpenapi } = await import("../../lib/openapi/description.ts");
      const { importOpenapi } = await import(
        "./openapi/import_openapi.ts"
      );
      const [file] = filesOf(source, 1, "an OpenAPI file");
      const document = readOpenapi(
        said(file!, () => readablePath(environment, file!)),
      );
      const drafts = importOpenapi(document, {
        ...options,
        ...(flags.tag !== undefined && { tag: flags.tag }),
      });
      return { drafts, recorded: new Map() };
    }
  }
}

/** Recordings of one journey; with `--mix` each of its own. */
async function fromHar(
  source: readonly string[],
  flags: DraftingFlags,
  readText: (path: string) => string,
): Promise<Imported> {
  const { importHar } = await import("./har/import_har.ts");
  const { readHar } = await import("./har/recording.ts");
  if (flags.mix !== undefined) {
    draftOptions({ ...flags, name: flags.mix });
    const named = flowsOfMix(flags.mix);
    const all = filesOf(source, Infinity, "HAR files").map((path) =>
      importHar(readHar(readText(path), path), undefined, { keepsPauses: true })
    );
    return {
      drafts: all.map(({ draft }, nth) =>
        named(draft, basename(source[nth]!).replace(/\.\w+$/, ""))
      ),
      recorded: new Map(all.flatMap(({ recorded }) => [...recorded])),
    };
  }
  const [first, second] = filesOf(source, 2, "a HAR file, or two");
  const options = draftOptions(flags);
  const { draft, recorded } = importHar(
    readHar(readText(first!), first!),
    second === undefined ? undefined : readHar(readText(second), second),
    { ...options, keepsPauses: options.load !== undefined },
  );
  return { drafts: [draft], recorded };
}

/** One flow of a collection; with `--mix` one of each folder at its top. */
async function fromPostman(
  source: readonly string[],
  flags: DraftingFlags,
  readText: (path: string) => string,
): Promise<Imported> {
  const { readCollection, readEnvironment, topFolders } = await import(
    "./postman/collection.ts"
  );
  const { importPostman } = await import("./postman/import_postman.ts");
  const [file] = filesOf(source, 1, "a Postman collection");
  const text = readText(file!);
  const variables = flags.environment === undefined
    ? new Map()
    : readEnvironment(readText(flags.environment), flags.environment);
  if (flags.mix !== undefined) {
    draftOptions({ ...flags, name: flags.mix });
    const named = flowsOfMix(flags.mix);
    const drafts = topFolders(text, file!).map((folder) => {
      const collection = readCollection(text, file!, folder);
      return named(importPostman(collection, variables, {}), folder);
    });
    return { drafts, recorded: recordedOf(drafts) };
  }
  const draft = importPostman(
    readCollection(text, file!, flags.tag),
    variables,
    draftOptions(flags),
  );
  return { drafts: [draft], recorded: recordedOf([draft]) };
}

function recordedOf(drafts: readonly Draft[]): Imported["recorded"] {
  return new Map(drafts.flatMap(({ recorded = [] }) => [...recorded]));
}

/** @throws {Refused} for a name that is none, and a time for which no load is held */
function draftOptions({ name, vus, hold }: DraftingFlags): DraftOptions {
  if (name !== undefined && !NAME.test(name)) {
    throw new Refused(
      `"${name}" is not a flow's name`,
      "a letter or _, then letters, digits, _ and -",
    );
  }
  if (hold !== undefined) checkHold(hold);
  return {
    ...(name !== undefined && { name }),
    ...((vus ?? hold) !== undefined &&
      { load: { vus: vus ?? 1, hold: hold ?? "30s" } }),
  };
}

function checkHold(hold: string): void {
  let us: number;
  try {
    us = parseDuration(hold);
  } catch (error) {
    throw new Refused(
      `--hold: ${(error as Error).message}`,
      durationHint(hold),
    );
  }
  if (us === 0) throw new Refused("--hold must be longer than 0s");
}

/** Options that are of some sources alone. */
const SOURCES = {
  tag: ["openapi", "postman"],
  environment: ["postman"],
  mix: ["har", "postman"],
} as const satisfies Partial<
  Record<keyof DraftingFlags, readonly ImportSource[]>
>;

/** Options that `--mix` leaves nothing to: each of its flows has a name and a part of its own. */
const NOT_OF_A_MIX = ["tag", "name"] as const;

/** @throws {Refused} for an option that would have no effect */
function refuseForeign(from: ImportSource, flags: DraftingFlags): void {
  for (const [name, sources] of Object.entries(SOURCES)) {
    const given = flags[name as keyof typeof SOURCES] !== undefined;
    if (!given || sources.some((each) => each === from)) continue;
    throw new Refused(
      `--${name} is for ${sources.join(" and ")}, not for ${from}`,
    );
  }
  if (flags.mix === undefined) return;
  for (const name of NOT_OF_A_MIX) {
    if (flags[name] === undefined) continue;
    throw new Refused(
      `--${name} does not go with --mix, which makes a flow of each ${
        from === "har" ? "recording" : "folder at the top"
      }`,
    );
  }
}

function filesOf(source: readonly string[], most: number, what: string) {
  if (source.length > 0 && source.length <= most) return source;
  const got = source.length === 0 ? "none" : `${source.length} files`;
  throw new Refused(`expected ${what}, got ${got}`);
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
  return decodedText(await readStandardInput(MOST_BYTES));
}

/** A recording of a long session has some tens of megabytes. */
const MOST_BYTES = 256 << 20;

function textOf(path: string, environment: InputEnvironment): string {
  const bytes = said(
    path,
    () => environment.readBytes(path, MOST_BYTES, true),
  );
  return decodedText(bytes);
}

/** The result of looking at a file. @throws {InputError} that says why it cannot */
function said<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw refusal(path, "no-file", `cannot read ${path}: ${osReason(error)}`);
  }
}
