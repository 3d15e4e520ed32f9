import { compileFlow } from "../../lib/compile.ts";
import { parseTarget } from "../../lib/parse/target.ts";
import { Reader } from "../../lib/source/reader.ts";
import { decodeSource } from "../../lib/source/source_text.ts";
import { InputError } from "../../lib/text/diagnostic.ts";
import { renderDiagnostics } from "../../lib/text/render.ts";

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
    const sources = new Map([[file, reader.text]]);
    throw new InputError(reader.diagnostics, sources);
  }
  const form = file === "flow.json" ? "json" : "yaml";
  const input = { file, bytes, directory: ".", form } as const;
  return (await compileFlow(input)).canonical;
}

/** What a person reads about an input that is refused, without colour. */
export async function diagnosticsOf(
  file: string,
  bytes: Uint8Array,
): Promise<string> {
  try {
    await readCase(file, bytes);
    return "";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { diagnostics, sources } = error;
    return renderDiagnostics(diagnostics, sources, { color: false });
  }
}
