import type { Mode } from "../../lib/model/mode.ts";
import { basename, dirname, join, relative } from "node:path";
import type { InputFile, World } from "../../lib/compile.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { nearest } from "../../lib/base/text/suggest.ts";
import type { Console } from "../terminal/console.ts";
import { pythonDocument } from "./python_flow.ts";
import { findTarget } from "./target_lookup.ts";
import { systemWorld } from "./world.ts";

/**
 * Reads a flow: a `.yaml`/`.yml` file, IR JSON (`.json`), a Python file
 * (`.py`), which is run and writes one, or `-` for IR JSON on standard input,
 * whose fixture paths are relative to the current directory.
 *
 * @throws {InputError} when there is no such file, or Python cannot compile it
 */
export async function readFlowFile(
  name: string,
  console: Console,
  mode?: Mode,
): Promise<InputFile> {
  const file = await readFlow(name, console);
  return mode === undefined ? file : { ...file, mode };
}

async function readFlow(name: string, console: Console): Promise<InputFile> {
  if (name === "-") {
    const bytes = await new Response(Deno.stdin.readable).bytes();
    return { file: "-", bytes, directory: Deno.cwd(), form: "json" };
  }
  if (/\.py$/i.test(name)) {
    const source = new TextDecoder().decode(await readBytes(name, "flow"));
    const document = await pythonDocument(name, source, console.err);
    const file = document.files?.[0]?.name ?? name;
    return { file, directory: dirname(name), form: "document", document };
  }
  const form = /\.ya?ml$/i.test(name)
    ? "yaml"
    : /\.json$/i.test(name)
    ? "json"
    : undefined;
  if (!form) {
    throw refusal(
      name,
      "flow-form",
      `${name} is not a flow: expected a .yaml or .yml file, a .py file, IR in a .json file, or - for IR on standard input`,
      withEnding(name),
    );
  }
  return {
    file: name,
    bytes: await readBytes(name, "flow"),
    directory: dirname(name),
    form,
  };
}

/**
 * Finds and reads a target file.
 *
 * @throws {InputError} that lists every path tried
 */
export async function readTargetFile(
  name: string,
  flow: InputFile,
  env: World["env"] = systemWorld.env,
): Promise<InputFile> {
  const lookup = findTarget(
    name,
    flow.file === "-" ? undefined : flow.directory,
    {
      cwd: Deno.cwd(),
      env,
      isFile: (path) => stat(path)?.isFile ?? false,
      exists: (path) => stat(path) !== undefined,
    },
  );
  if ("why" in lookup) {
    const hint = lookup.hint ?? missHint(name, lookup.tried);
    // A URL or nothing at all would be a strange name for the place.
    const at = lookup.tried.length === 0 ? "--target" : name;
    throw refusal(at, "no-target", lookup.why, hint);
  }
  const bytes = await readBytes(lookup.path, "target");
  return {
    file: shown(lookup.path),
    bytes,
    directory: dirname(lookup.path),
    form: "yaml",
  };
}

const ENDINGS = [".bench.yaml", ".yaml", ".yml", ".py", ".json"];

/** The flow that was meant by a name without its ending. */
function withEnding(name: string): string | undefined {
  const ending = ENDINGS.find((each) => stat(name + each)?.isFile);
  return ending && `did you mean ${name}${ending}?`;
}

/** What was meant, or every path that was tried for a bare name. */
function missHint(name: string, tried: readonly string[]): string | undefined {
  if (tried.length <= 1) return near(tried[0]);
  const there = new Set(tried.map(dirname));
  const found = [...there].flatMap(targetNames);
  const meant = nearest(name, found);
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  return `looked for: ${tried.map(shown).join(", ")}`;
}

/** The targets of a folder, by name. */
function targetNames(directory: string): string[] {
  try {
    return [...Deno.readDirSync(directory)].flatMap((entry) =>
      /^(.+)\.ya?ml$/.exec(entry.name)?.[1] ?? []
    );
  } catch {
    return [];
  }
}

/** The shorter way to write a path, for messages. */
function shown(path: string): string {
  const short = relative(Deno.cwd(), path);
  return short.length < path.length ? short : path;
}

async function readBytes(path: string, what: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw refusal(
        path,
        "no-file",
        `there is no ${what} file ${path}`,
        near(path),
      );
    }
    throw refusal(
      path,
      "no-file",
      `cannot read the ${what} file ${path}: ${osReason(error)}`,
    );
  }
}

/** The file a person most likely meant. */
function near(path: string | undefined): string | undefined {
  if (path === undefined) return;
  try {
    const names = [...Deno.readDirSync(dirname(path))].map((each) => each.name);
    const found = nearest(basename(path), names);
    return found && `did you mean ${join(dirname(path), found)}?`;
  } catch {
    return undefined;
  }
}

function stat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}
