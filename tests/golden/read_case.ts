import {
  type CompiledFlow,
  compileFlow,
  type Environment,
  type PreparedRun,
  prepareRun,
} from "../../lib/compile.ts";
import { readTargetInput } from "../../lib/language/flow/input.ts";
import { Reader } from "../../lib/language/source/reader.ts";
import { registry } from "../../lib/steps/registry.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { renderDiagnostics } from "../../lib/base/text/render.ts";

/** What its author is warned of, and the sources that stand in frames. */
type Warned = Pick<CompiledFlow, "warnings" | "sources">;

/**
 * Reads `flow.yaml`, `flow.json` (IR) or `target.yaml` with every check that
 * needs no other file, and returns the IR in canonical form.
 *
 * @param folder of the flows of a mix
 *
 * @throws {InputError} with every error
 */
export async function readCase(
  file: string,
  bytes: Uint8Array,
  folder?: URL,
): Promise<string> {
  return (await checkCase(file, bytes, folder)).canonical;
}

async function checkCase(
  file: string,
  bytes: Uint8Array,
  folder?: URL,
): Promise<Warned & Pick<CompiledFlow, "canonical">> {
  if (file === "target.yaml") {
    const reader = new Reader(file);
    const input = { file, bytes, directory: ".", form: "yaml" } as const;
    const target = readTargetInput(input, registry, reader);
    reader.diagnostics.throwIfAny();
    if (target) {
      const canonical = JSON.stringify(target);
      return { canonical, warnings: [], sources: new Map() };
    }
  }
  const form = file === "flow.json" ? "json" : "yaml";
  const input = { file, bytes, directory: ".", form } as const;
  return await compileFlow(input, folder && filesOf(folder));
}

/** The files of a folder, and no others. */
export function filesOf(folder: URL): Pick<Environment, "readBytes"> {
  return { readBytes: (name) => Deno.readFileSync(new URL(name, folder)) };
}

/**
 * A flow with everything it meets before a run: `target.yaml`, fixtures, and
 * `env.json` for the environment. Reads nothing outside the folder.
 *
 * @throws {InputError} with every error
 */
export async function prepareCase(folder: URL): Promise<PreparedRun> {
  const read = (name: string) => Deno.readFileSync(new URL(name, folder));
  const has = (name: string) =>
    [...Deno.readDirSync(folder)].some((each) => each.name === name);
  const env: Record<string, string> = has("env.json")
    ? JSON.parse(new TextDecoder().decode(read("env.json")))
    : {};
  const file = (name: string) => ({
    file: name,
    bytes: read(name),
    directory: ".",
    form: "yaml" as const,
  });
  return await prepareRun(file("flow.yaml"), file("target.yaml"), {
    env: (name) => env[name],
    readBytes: read,
  });
}

/** What a person reads about a flow and the target it is to run against. */
export function messagesOf(folder: URL): Promise<string> {
  return rendered(() => prepareCase(folder));
}

/** What a person reads about one input, without colour. */
export function diagnosticsOf(
  file: string,
  bytes: Uint8Array,
  folder?: URL,
): Promise<string> {
  return rendered(() => checkCase(file, bytes, folder));
}

/** One case, which may lie in a folder of its feature. */
export interface Case {
  /** Its folders below the root. */
  readonly name: string;
  readonly folder: URL;
}

/** The folders below `root` that hold files, by name. */
export function casesIn(root: URL, name = ""): Case[] {
  const entries = [...Deno.readDirSync(root)];
  if (entries.some((each) => each.isFile)) return [{ name, folder: root }];
  return entries.map((each) => each.name).sort().flatMap((each) =>
    casesIn(new URL(`${each}/`, root), name === "" ? each : `${name}/${each}`)
  );
}

async function rendered(
  check: () => Promise<Warned>,
): Promise<string> {
  try {
    const { warnings, sources } = await check();
    return renderDiagnostics(warnings, sources, { color: false });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { diagnostics, sources } = error;
    return renderDiagnostics(diagnostics, sources, { color: false });
  }
}
