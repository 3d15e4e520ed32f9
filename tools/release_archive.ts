import { join } from "node:path";
import type { ArchiveFile } from "./archive_file.ts";
import { BuildError } from "./build_error.ts";
import { sourceTime } from "./build_facts.ts";
import { noticesOf, noticesText } from "./notices.ts";
import { isBuiltFor, PROGRAMS, TARGETS } from "./programs.ts";
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
  if (!TARGETS.includes(target)) {
    throw new BuildError(
      `there is no target \`${target}\`\n  = one of: ${TARGETS.join(", ")}`,
    );
  }
  const windows = target.includes("windows");
  const root = `bench-${target}`;
  const files: ArchiveFile[] = [
    ...binaries(target, from),
    ...await completions(),
    ...papers(),
    await notices(),
  ].map((each) => ({ ...each, path: `${root}/${each.path}` }));
  const path = join(out, `${root}${windows ? ".zip" : ".tar.gz"}`);
  await Deno.mkdir(out, { recursive: true });
  const time = await sourceTime();
  await Deno.writeFile(path, (windows ? zipOf : tarGz)(files, time));
  return path;
}

function binaries(target: string, from: string): ArchiveFile[] {
  const ending = target.includes("windows") ? ".exe" : "";
  return PROGRAMS.filter((each) => isBuiltFor(each, target)).map(({ name }) => {
    const path = name + ending;
    try {
      const bytes = Deno.readFileSync(join(from, path));
      return { path, bytes, executable: true };
    } catch (error) {
      throw new BuildError(
        `Cannot read ${join(from, path)}: ${(error as Error).message}
  = build it with deno task compile --target ${target} --out ${from}`,
      );
    }
  });
}

async function completions(): Promise<ArchiveFile[]> {
  return await Promise.all(
    Object.entries(COMPLETIONS).map(async ([name, shell]) => ({
      path: `completions/${name}`,
      bytes: await output(["run", "-A", "main.ts", "completions", shell]),
      executable: false,
    })),
  );
}

function papers(): ArchiveFile[] {
  return PAPERS.map((path) => ({
    path,
    bytes: Deno.readFileSync(path),
    executable: false,
  }));
}

async function notices(): Promise<ArchiveFile> {
  const { npmCache } = JSON.parse(
    new TextDecoder().decode(await output(["info", "--json"])),
  );
  const text = noticesText(
    noticesOf(sbomOfCheckout().components, npmCache),
    Deno.version.deno,
  );
  return {
    path: "THIRD_PARTY_LICENSES.txt",
    bytes: new TextEncoder().encode(text),
    executable: false,
  };
}

async function output(args: readonly string[]): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
  }).output();
  if (!success) throw new BuildError(new TextDecoder().decode(stderr).trim());
  return stdout;
}
