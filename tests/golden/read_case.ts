import { compileFlow, prepareRun } from "../../lib/compile.ts";
import { parseTarget } from "../../lib/language/parse/target.ts";
import { Mistakes } from "../../lib/engine/preflight/mistakes.ts";
import { Reader } from "../../lib/language/source/reader.ts";
import { decodeSource } from "../../lib/language/source/source_text.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { renderDiagnostics } from "../../lib/base/text/render.ts";

/**
 * Reads `flow.yaml`, `flow.json` (IR) or `target.yaml` with every check that
 * needs no other file, and returns the IR in canonical form.
 *
 * @throws {InputError} with every mistake
 */
export async function readCase(
  file: string,
  bytes: Uint8Array,
): Promise<string> {
  if (file === "target.yaml") {
    const reader = new Reader(file);
    const text = decodeSource(bytes, reader);
    const target = text === undefined ? undefined : parseTarget(text, reader);
    if (target) return JSON.stringify(target);
    const mistakes = new Mistakes();
    mistakes.addReader(reader);
    mistakes.throwIfAny();
  }
  const form = file === "flow.json" ? "json" : "yaml";
  const input = { file, bytes, directory: ".", form } as const;
  return (await compileFlow(input)).canonical;
}

/**
 * A flow with everything it meets before a run: `target.yaml`, fixtures, and
 * `env.json` for the environment. Reads nothing outside the folder.
 *
 * @throws {InputError} with every mistake
 */
export async function prepareCase(folder: URL): Promise<void> {
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
  await prepareRun(file("flow.yaml"), file("target.yaml"), {
    env: (name) => env[name],
    readBytes: read,
  });
}

/** What a person reads about a flow that may not run against its target. */
export function refusalOf(folder: URL): Promise<string> {
  return rendered(() => prepareCase(folder));
}

/** What a person reads about an input that is refused, without colour. */
export function diagnosticsOf(
  file: string,
  bytes: Uint8Array,
): Promise<string> {
  return rendered(() => readCase(file, bytes));
}

async function rendered(check: () => Promise<unknown>): Promise<string> {
  try {
    await check();
    return "";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { diagnostics, sources } = error;
    return renderDiagnostics(diagnostics, sources, { color: false });
  }
}
