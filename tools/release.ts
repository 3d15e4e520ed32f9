/**
 * `deno task release`: what a release publishes, from binaries that are built.
 *
 *     deno task release archive --target <triple> [--from dist] [--out release]
 *     deno task release wheel --target <triple> [--from dist] [--out release]
 *     deno task release sdist [--out release]
 *     deno task release manifest [--out release]
 *     deno task release notes --tag <tag>
 *
 * `archive` packs the binaries of one target with their papers; `wheel` is the
 * Python package with the program of one target, `sdist` without; `manifest`
 * writes the bill of materials and the checksums of everything beside it;
 * `notes` prints what the changelog says of the version, and refuses a tag that
 * is not that of the sources.
 */
import { VERSION } from "../lib/base/values/build.ts";
import { BuildError, readArguments, runTool, say } from "./command.ts";
import { writeArchive } from "./release_archive.ts";
import { writeSdist, writeWheel } from "./release_python.ts";
import { notesOf, writeManifest } from "./release_papers.ts";

async function main(): Promise<void> {
  const { values, positionals } = readArguments({
    task: "release",
    takes:
      "archive|wheel|sdist|manifest|notes [--target TRIPLE] [--from FOLDER] [--out FOLDER] [--tag TAG]",
    about: "Makes one kind of file of a release from the built programs.",
  }, {
    target: { type: "string", default: Deno.build.target },
    from: { type: "string", default: "dist" },
    out: { type: "string", default: "release" },
    tag: { type: "string" },
  });
  const { target, from, out, tag } = values;
  switch (positionals.join(" ")) {
    case "archive":
      return say(`${await writeArchive(target, from, out)}\n`);
    case "wheel":
      return say(`${await writeWheel(target, from, out)}\n`);
    case "sdist":
      return say(`${await writeSdist(out)}\n`);
    case "manifest":
      return say(`${writeManifest(out).join("\n")}\n`);
    case "notes": {
      const changelog = Deno.readTextFileSync("CHANGELOG.md");
      const notes = notesOf(changelog, VERSION, tag);
      Deno.stdout.writeSync(new TextEncoder().encode(notes));
      return;
    }
    default:
      throw new BuildError(
        "say one of: archive, wheel, sdist, manifest, notes",
      );
  }
}

if (import.meta.main) await runTool("release", main);
