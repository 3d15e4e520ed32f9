import { join } from "node:path";
import { compileFlow } from "../lib/compile.ts";
import { NAME } from "../lib/base/values/name.ts";
import type { Console } from "./console.ts";
import { failWith, refuseRequest } from "./fail.ts";
import {
  envExample,
  fixtureCsv,
  targetYaml,
} from "./import/draft/companion_files.ts";
import type { Draft, DraftLoad } from "./import/draft/draft.ts";
import { fixturePath } from "./import/draft/flow_document.ts";
import { flowYaml } from "./import/draft/flow_yaml.ts";
import { ImportError } from "./import/draft/import_error.ts";
import { readText } from "./import_sources.ts";
import { isThere, writeNewFile } from "./new_files.ts";

/** Options of `bench import`. */
export interface ImportFlags {
  readonly out?: string;
  readonly name?: string;
  readonly vus?: number;
  readonly hold?: string;
  readonly force?: true;
}

/** Makes a flow of something else. Returns the exit code. */
export async function importCommand(
  from: "curl",
  source: readonly string[],
  flags: ImportFlags,
  console: Console,
): Promise<number> {
  try {
    if (flags.name !== undefined && !NAME.test(flags.name)) {
      return refuseRequest(
        console,
        `"${flags.name}" is not a flow's name`,
        "a letter or _, then letters, digits, _ and -",
      );
    }
    const draft = await draftOf(from, source, flags);
    const files = await importedFiles(draft);
    if (flags.out === undefined) {
      console.out(files[0]!.text);
      console.err(goesTo(draft));
      return 0;
    }
    return await writeAll(
      draft,
      files,
      flags.out,
      flags.force ?? false,
      console,
    );
  } catch (error) {
    return failWith(error, console, "text");
  }
}

async function draftOf(
  _from: "curl",
  source: readonly string[],
  flags: ImportFlags,
): Promise<Draft> {
  const { importCurl } = await import("./import/curl/import_curl.ts");
  const options = {
    ...(flags.name !== undefined && { name: flags.name }),
    ...loadOf(flags),
  };
  return importCurl(await curlScript(source), { ...options, readText });
}

function loadOf({ vus, hold }: ImportFlags): { load?: DraftLoad } {
  if (vus === undefined && hold === undefined) return {};
  return { load: { vus: vus ?? 1, hold: hold ?? "30s" } };
}

/** The argument, or standard input. */
async function curlScript(source: readonly string[]): Promise<string> {
  const [first = "-", ...rest] = source;
  if (rest.length > 0) {
    throw new ImportError(
      "the command line has to be one argument",
      "put it between quotes, or give it on standard input: bench import curl - <commands.txt",
    );
  }
  if (first !== "-") return first;
  if (source.length === 0 && Deno.stdin.isTerminal()) {
    throw new ImportError(
      "there is no command line to import",
      "bench import curl 'curl https://api.example.com/items'",
    );
  }
  return await new Response(Deno.stdin.readable).text();
}

interface ImportedFile {
  readonly path: string;
  readonly text: string;
}

/** The flow first. What does not hold as a flow is refused with its line. */
async function importedFiles(draft: Draft): Promise<ImportedFile[]> {
  const { name, env } = draft;
  const flow = { path: `${name}.bench.yaml`, text: flowYaml(draft) };
  await compileFlow({
    file: flow.path,
    bytes: new TextEncoder().encode(flow.text),
    directory: ".",
    form: "yaml",
  });
  const fixture = fixtureCsv(draft);
  return [
    flow,
    { path: `targets/${name}.yaml`, text: targetYaml(draft) },
    ...env.length > 0
      ? [{ path: ".env.example", text: envExample(draft) }]
      : [],
    ...fixture === undefined
      ? []
      : [{ path: fixturePath(name), text: fixture }],
  ];
}

async function writeAll(
  draft: Draft,
  files: readonly ImportedFile[],
  out: string,
  force: boolean,
  console: Console,
): Promise<number> {
  const paths = files.map((each) => join(out, each.path));
  const taken = force ? [] : paths.filter(isThere);
  if (taken.length > 0) {
    return refuseRequest(
      console,
      `there already: ${taken.join(", ")}; nothing was written over`,
      "give another folder with --out, another --name, or --force",
    );
  }
  for (const [index, { text }] of files.entries()) {
    await writeNewFile(paths[index]!, text, force);
    console.print(`${paths[index]}\n`);
  }
  for (const note of draft.notes) console.err(`note: ${note}\n`);
  console.err(nextSteps(draft, paths[0]!));
  return 0;
}

function goesTo({ name, baseUrls, env }: Draft): string {
  const variables = env.map((each) => each.name).join(", ");
  return `\nTarget: ${baseUrls.join(", ")}\n` +
    (variables === "" ? "" : `Variables: ${variables}\n`) +
    `With --out <dir>, targets/${name}.yaml${
      variables === "" ? " is" : " and .env.example are"
    } written as well.\n`;
}

function nextSteps({ name, env }: Draft, flow: string): string {
  const set = env.map((each) => `  export ${each.name}=...\n`).join("");
  return `\nNext:\n${set}  bench run ${flow} --target ${name}\n`;
}
