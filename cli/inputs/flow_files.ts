import * as fs from "node:fs";
import { absolutePath } from "../../lib/base/values/paths.ts";
import {
  type Diagnostic,
  InputError,
  refusal,
} from "../../lib/base/text/diagnostic.ts";
import { statOf } from "./stat.ts";

/** The files that a folder is looked through for. */
const FLOWS = "**/*.bench.{yaml,yml,json}";

/**
 * The flow files that arguments name, in order and each once: a file itself, the
 * `*.bench.yaml` of a folder and the folders in it, those that a pattern fits.
 *
 * @throws {InputError} for a folder or a pattern without any
 */
export function flowFiles(names: readonly string[]): readonly string[] {
  const files = Map.groupBy(
    names.flatMap(filesOf),
    (each) => absolutePath(each),
  );
  return [...files.values()].map(([first]) => first!);
}

function filesOf(name: string): readonly string[] {
  const kind = kindOf(name);
  if (kind === "file") return [name];
  const found = kind === "folder"
    ? fs.globSync(FLOWS, { cwd: name }).filter(isShown)
      .map((each) => `${name.replace(/\/+$/, "")}/${each}`)
    : fs.globSync(name).filter((each) => kindOf(each) === "file");
  if (found.length > 0) return found.sort();
  throw refusal(
    name,
    "no-flow",
    kind === "folder"
      ? `there is no flow in the folder ${name}`
      : `no file fits ${name}`,
    kind === "folder"
      ? "flows of a folder are its files *.bench.yaml, those of folders in it too"
      : undefined,
  );
}

/** Not of an installed package, nor of a folder that is hidden. */
function isShown(path: string): boolean {
  return !/(?:^|\/)(?:\.|node_modules\/)/.test(path);
}

function kindOf(name: string): "file" | "folder" | "pattern" {
  const info = statOf(name);
  if (info) return info.isDirectory ? "folder" : "file";
  // A name without a pattern is looked for as a file, which says what is missing.
  return /[*?[{]/.test(name) ? "pattern" : "file";
}

/** Diagnostics of files, with the texts they point into. */
type Diagnosed = Pick<InputError, "diagnostics" | "sources">;

/**
 * Checks several files, those behind one that is wrong too. Returns what is said
 * of all of them, each thing once: a target that is wrong is wrong for every flow.
 *
 * @param check returns what is said of a correct file
 * @throws what it throws beside an {@link InputError}
 */
export async function diagnosticsOf(
  files: readonly string[],
  check: (file: string) => Promise<Diagnosed>,
): Promise<Diagnosed> {
  const diagnostics = new Map<string, Diagnostic>();
  const sources = new Map<string, string>();
  for (const file of files) {
    const found = await check(file).catch((error) => {
      if (error instanceof InputError) return error;
      throw error;
    });
    for (const each of found.diagnostics) {
      diagnostics.set(JSON.stringify(each), each);
    }
    for (const [name, text] of found.sources) sources.set(name, text);
  }
  return { diagnostics: [...diagnostics.values()], sources };
}
