import { isAbsolute, join } from "../../lib/base/values/paths.ts";
import { compileFlow, type InputFile } from "../../lib/compile.ts";
import { EXIT, Refused } from "../../lib/base/errors/bench_error.ts";
import { renderSummary } from "../../lib/results/formats/text.ts";
import { MAX_FILE_BYTES } from "../../lib/language/source/source_text.ts";
import type { Console } from "../terminal/console.ts";
import { envExample, mixYaml, targetYaml } from "./draft/companion_files.ts";
import { isOfShells } from "./draft/credentials.ts";
import type { Draft } from "./draft/draft.ts";
import {
  dataFiles,
  type DraftFile,
  oneLine,
  secretColumns,
  sentFiles,
} from "./draft/flow_document.ts";
import { flowYaml } from "./draft/flow_yaml.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { draftInput, replay } from "./import_replay.ts";
import { type Imported, importedFrom } from "./imported.ts";
import { readTargetFile } from "../inputs/input_files.ts";
import type {
  DraftingFlags,
  ImportFlags,
  ImportSource,
} from "./import_options.ts";
import { isThere, refuseLinks, writeNewFile } from "../flow/new_files.ts";
import { shellWord } from "../../lib/base/text/display.ts";

/** Makes flows of something else. Returns the exit code. */
export async function importCommand(
  from: ImportSource,
  source: readonly string[],
  flags: ImportFlags,
  console: Console,
): Promise<number> {
  const imported = await importedFrom(from, source, flags);
  const { drafts } = imported;
  const files = await importedFiles(drafts, console, flags);
  if (flags.out === undefined && drafts.length > 1) {
    // Flows that are printed cannot be distinguished.
    throw new Refused(
      `there are ${drafts.length} flows`,
      flags.mix === undefined
        ? "write them with --out <dir>, or print one with --tag <tag>"
        : "write them and their mix with --out <dir>",
    );
  }
  warnOfSet(drafts, console);
  if (flags.out === undefined) console.out(files[0]!.text);
  else await writeAll(files, flags, console);
  reportNotes(drafts, flags.out ?? ".", console);
  if (flags.target !== undefined && !await replays(imported, flags, console)) {
    return EXIT.verdictFailed;
  }
  // A mix runs the others; it comes first.
  const flows = flags.mix === undefined
    ? files.slice(0, drafts.length)
    : files.slice(0, 1);
  console.err(
    flags.out === undefined
      ? goesTo(drafts[0]!, files)
      : nextSteps(drafts, flows.map(({ path }) => join(flags.out!, path))),
  );
  return 0;
}

/** Runs each flow once; prints what does not hold. */
async function replays(
  { drafts, recorded }: Imported,
  { target: name = "", out = "." }: ImportFlags,
  console: Console,
): Promise<boolean> {
  for (const draft of drafts) {
    const target = await readTargetFile(name, draftInput(draft, out));
    const { meta, sources } = await replay(draft, recorded, target, out);
    if (meta.verdict === "pass") {
      console.err(`\nThe replay of \`${draft.name}\` passed.\n`);
      continue;
    }
    const { errColor: color, width } = console;
    console.err(`\n${renderSummary(meta, { color, width, sources })}`);
    console.err(
      `\nThe replay of \`${draft.name}\` did not pass: the flow is a draft, to be mended by hand.\n`,
    );
    return false;
  }
  return true;
}

/** Flows first. What does not hold as a flow is refused with its line. */
export async function importedFiles(
  drafts: readonly Draft[],
  console: Console,
  { mix, vus = drafts.length, hold = "30s" }: DraftingFlags = {},
): Promise<DraftFile[]> {
  const flows = drafts.map((each) => (
    { path: `${each.name}.bench.yaml`, text: flowYaml(each) }
  ));
  for (const { path, text } of flows) {
    const bytes = new TextEncoder().encode(text);
    refuseTooLarge(path, bytes.length);
    const input: InputFile = {
      ...{ file: path, directory: ".", form: "yaml" },
      bytes,
    };
    try {
      await compileFlow(input);
    } catch (error) {
      console.err(
        `\`${path}\` was not written: the flow that was made is refused. Lines are those of that flow.\n\n`,
      );
      throw error;
    }
  }
  const [first] = drafts;
  const env = drafts.flatMap((each) => each.env);
  const columns = drafts.flatMap(secretColumns);
  const baseUrls = [...new Set(drafts.flatMap((each) => each.baseUrls))];
  const mixed = mix === undefined ? [] : [{
    path: `${mix}.yaml`,
    text: mixYaml(mix, flows, { vus, hold }),
  }];
  return [
    ...mixed,
    ...flows,
    {
      path: `targets/${targetName(drafts)}.yaml`,
      text: targetYaml(first!, baseUrls),
    },
    ...env.length > 0 || columns.length > 0
      ? [{ path: ".env.example", text: envExample(env, columns) }]
      : [],
    ...drafts.flatMap(dataFiles),
  ];
}

/** @throws {Refused} for a flow that `run` would not read */
function refuseTooLarge(path: string, bytes: number): void {
  if (bytes <= MAX_FILE_BYTES) return;
  throw new Refused(
    `the flow \`${path}\` would have ${bytes} bytes, and at most ${MAX_FILE_BYTES} (1 MiB) are read of one`,
    "import less at once: fewer requests, or one part of a description or collection with --tag",
  );
}

/** Flows that were made together share one target. */
function targetName([first]: readonly Draft[]): string {
  return first!.target ?? first!.name;
}

async function writeAll(
  files: readonly DraftFile[],
  { out = ".", force }: ImportFlags,
  console: Console,
): Promise<void> {
  const paths = files.map((each) => join(out, each.path));
  for (const each of files) refuseLinks(out, each.path);
  const taken = force ? [] : paths.filter(isThere);
  if (taken.length > 0) {
    throw new Refused(
      `there already: ${taken.join(", ")}; nothing was written over`,
      "give another folder with --out, another --name, or --force",
    );
  }
  for (const { path, text } of files) {
    await writeNewFile(out, path, text, force ?? false);
    console.print(`${join(out, path)}\n`);
  }
}

/** A recording names its variables by what it calls its fields, which may be set for something else. */
function warnOfSet(drafts: readonly Draft[], console: Console): void {
  const hosts = [...new Set(drafts.flatMap((each) => each.baseUrls))];
  for (const name of variablesOf(drafts)) {
    if (isOfShells(name) || systemEnvironment.env(name) === undefined) continue;
    console.err(
      `note: ${name} is set in your environment: a run of the flow sends its value to ${
        hosts.join(", ")
      }\n`,
    );
  }
}

/** The notes of the flows, and the parts of requests that are not sent. */
export function notesOf(drafts: readonly Draft[]): string[] {
  const notes = drafts.flatMap((draft) => [
    ...draft.notes,
    ...secretColumns(draft),
    ...draft.steps.flatMap(({ id, lost }) =>
      lost.map((each) => `step \`${id}\`: ${each}`)
    ),
  ]);
  return [...new Set(notes)].map(oneLine);
}

/** Prints the notes of the flows, and the files that are sent and not there. */
function reportNotes(
  drafts: readonly Draft[],
  folder: string,
  console: Console,
): void {
  const missing = drafts.flatMap(sentFiles)
    .map((path) => isAbsolute(path) ? path : join(folder, path))
    .filter((path) => !isThere(path))
    .map((path) => `the file ${path} is sent and is not there: put it there`);
  for (const note of new Set([...notesOf(drafts), ...missing.map(oneLine)])) {
    console.err(`note: ${note}\n`);
  }
}

/** The variables that flows read. */
export function variablesOf(drafts: readonly Draft[]): string[] {
  return [
    ...new Set(drafts.flatMap(({ env }) => env.map((each) => each.name))),
  ];
}

function goesTo(draft: Draft, [, ...beside]: readonly DraftFile[]): string {
  const variables = variablesOf([draft]).join(", ");
  const paths = beside.map(({ path }) => path);
  const last = paths.pop()!;
  return `\nTarget: ${draft.baseUrls.join(", ")}\n` +
    (variables === "" ? "" : `Variables: ${variables}\n`) +
    `With --out <dir>, ${
      paths.length === 0 ? `${last} is` : `${paths.join(", ")} and ${last} are`
    } written as well.\n`;
}

function nextSteps(
  drafts: readonly Draft[],
  flows: readonly string[],
): string {
  const set = variablesOf(drafts).filter((name) => !isOfShells(name))
    .map((name) => `  export ${name}=...\n`);
  const words = flows.map(shellWord).join(" ");
  const run = `bench run ${words} --target ${targetName(drafts)}`;
  return `\nNext:\n${set.join("")}  ${run}\n`;
}
