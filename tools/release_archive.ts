import { join } from "node:path";
import type { ArchiveFile } from "./archive_file.ts";
import { BuildError, run } from "./command.ts";
import { sourceTime } from "./build_facts.ts";
import { noticesOf, noticesText } from "./notices.ts";
import {
  checkTarget,
  fileOf,
  isBuiltFor,
  notBuilt,
  PROGRAMS,
} from "./programs.ts";
import { sbomOfCheckout } from "./sbom.ts";
import { tarGz } from "./tar.ts";
import { zipOf } from "./zip.ts";

/** Under the names that each shell looks for. */
const COMPLETIONS = {
  "bench.bash": "bash",
  "_bench": "zsh",
  "bench.fish": "fish",
} as const;

const PAPERS = ["LICENSE", "README.md", "CHANGELOG.md"] as const;

/**
 * Writes the archive of one target: its binaries, the completion scripts, and
 * the papers. A ZIP file for Windows, a gzipped tar for the others.
 *
 * @param from the folder that the binaries were built into
 * @param out the folder of the archive, made when it is not there
 * @returns the path of the archive
 * @throws {BuildError} when there is no such target, or a binary is missing
 */
export async function writeArchive(
  target: string,
  from: string,
  out: string,
): Promise<string> {
  checkTarget(target);
  const windows = target.includes("windows");
  const root = `bench-${target}`;
  const files: ArchiveFile[] = [
    ...binaries(target, from),
    ...await completions(),
    ...PAPERS.map((path) => fileAt(path, path, false)),
    await notices(),
  ].map((each) => ({ ...each, path: `${root}/${each.path}` }));
  const path = join(out, `${root}${windows ? ".zip" : ".tar.gz"}`);
  await Deno.mkdir(out, { recursive: true });
  const time = await sourceTime();
  await Deno.writeFile(path, (windows ? zipOf : tarGz)(files, time));
  return path;
}

function binaries(target: string, from: string): ArchiveFile[] {
  return PROGRAMS.filter((each) => isBuiltFor(each, target)).map(({ name }) => {
    const path = fileOf(name, target);
    try {
      return fileAt(join(from, path), path, true);
    } catch (error) {
      throw notBuilt(join(from, path), error, target, from);
    }
  });
}

function fileAt(from: string, path: string, executable: boolean): ArchiveFile {
  return { path, bytes: Deno.readFileSync(from), executable };
}

function textFile(path: string, text: string): ArchiveFile {
  return { path, bytes: new TextEncoder().encode(text), executable: false };
}

async function completions(): Promise<ArchiveFile[]> {
  return await Promise.all(
    Object.entries(COMPLETIONS).map(async ([name, shell]) =>
      textFile(
        `completions/${name}`,
        await output(["run", "-A", "main.ts", "completions", shell]),
      )
    ),
  );
}

async function notices(): Promise<ArchiveFile> {
  const { npmCache } = JSON.parse(await output(["info", "--json"]));
  const found = noticesOf(sbomOfCheckout().components, npmCache);
  const text = noticesText(found, Deno.version.deno);
  return textFile("THIRD_PARTY_LICENSES.txt", text);
}

async function output(args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await run(Deno.execPath(), args);
  if (!success) throw new BuildError(stderr.trim());
  return stdout;
}
