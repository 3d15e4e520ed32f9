import { hash } from "node:crypto";
import { join } from "node:path";
import { BuildError } from "./command.ts";
import { sbomText } from "./sbom.ts";

const SUMS = "SHA256SUMS";

/**
 * Writes the bill of materials into a folder, then the checksums of every file
 * there, as `sha256sum --check` reads them.
 *
 * @returns the paths of both
 */
export function writeManifest(folder: string): string[] {
  const bill = join(folder, "bench.cdx.json");
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(bill, sbomText());
  const names = [...Deno.readDirSync(folder)].filter((each) => each.isFile)
    .map((each) => each.name).filter((each) => each !== SUMS).sort();
  const lines = names.map((name) => {
    const bytes = Deno.readFileSync(join(folder, name));
    return `${hash("sha256", bytes)}  ${name}\n`;
  });
  const sums = join(folder, SUMS);
  Deno.writeTextFileSync(sums, lines.join(""));
  return [bill, sums];
}

/**
 * The section of the changelog about a version.
 *
 * @param tag what the version is tagged with; must be `v<version>`
 * @throws {BuildError} when the tag is another, or the changelog is silent
 */
export function notesOf(
  changelog: string,
  version: string,
  tag: string | undefined,
): string {
  if (tag !== `v${version}`) {
    throw new BuildError(
      `the tag of version ${version} is \`v${version}\`, not \`${tag ?? ""}\`
  = the version is in lib/base/values/build.ts`,
    );
  }
  const sections = changelog.split(/^(?=## )/m);
  const found = sections.find((each) => each.startsWith(`## [${version}]`));
  const [, ...lines] = found?.split("\n") ?? [];
  const notes = lines.join("\n").trim();
  if (notes === "") {
    throw new BuildError(
      `CHANGELOG.md says nothing of ${version}
  = give it a section \`## [${version}]\` in place of \`## [Unreleased]\``,
    );
  }
  return `${notes}\n`;
}
