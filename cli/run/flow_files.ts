import { globSync } from "node:fs";
import { refusal } from "../../lib/base/text/diagnostic.ts";

/** The files that a folder is looked through for. */
const FLOWS = "**/*.bench.{yaml,yml,json}";

/**
 * The flow files that arguments name, in order and each once: a file itself, the
 * `*.bench.yaml` of a folder and the folders in it, those that a pattern fits.
 *
 * @throws {InputError} for a folder or a pattern without any
 */
export function flowFiles(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap(filesOf))];
}

function filesOf(name: string): readonly string[] {
  const kind = kindOf(name);
  if (kind === "file") return [name];
  const found = kind === "folder"
    ? globSync(FLOWS, { cwd: name }).filter(isShown)
      .map((each) => `${name.replace(/\/+$/, "")}/${each}`)
    : globSync(name).filter((each) => kindOf(each) === "file");
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
  try {
    return Deno.statSync(name).isDirectory ? "folder" : "file";
  } catch {
    // A name without a pattern is looked for as a file, which says what is missing.
    return /[*?[{]/.test(name) ? "pattern" : "file";
  }
}
