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
import { parseArgs } from "node:util";
import { VERSION } from "../lib/base/values/version.ts";
import { BuildError } from "./build_error.ts";
import { writeArchive } from "./release_archive.ts";
import { writeSdist, writeWheel } from "./release_python.ts";
import { notesOf, writeManifest } from "./release_papers.ts";

interface Flags {
  readonly target: string;
  readonly from: string;
  readonly out: string;
  readonly tag?: string | undefined;
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: args.filter((each) => each !== "--"),
      allowPositionals: true,
      options: {
        target: { type: "string", default: Deno.build.target },
        from: { type: "string", default: "dist" },
        out: { type: "string", default: "release" },
        tag: { type: "string" },
      },
    });
    await release(positionals, values);
    return 0;
  } catch (error) {
    const { code } = error as { code?: unknown };
    const usage = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
    say(Deno.stderr, `release: error: ${(error as Error).message}\n`);
    return usage ? 2 : 1;
  }
}

async function release(what: readonly string[], flags: Flags): Promise<void> {
  switch (what.join(" ")) {
    case "archive": {
      const path = await writeArchive(flags.target, flags.from, flags.out);
      return say(Deno.stderr, `${path}\n`);
    }
    case "wheel": {
      const path = await writeWheel(flags.target, flags.from, flags.out);
      return say(Deno.stderr, `${path}\n`);
    }
    case "sdist":
      return say(Deno.stderr, `${await writeSdist(flags.out)}\n`);
    case "manifest": {
      const paths = writeManifest(flags.out);
      return say(Deno.stderr, `${paths.join("\n")}\n`);
    }
    case "notes": {
      const changelog = Deno.readTextFileSync("CHANGELOG.md");
      return say(Deno.stdout, notesOf(changelog, VERSION, flags.tag));
    }
    default:
      throw new BuildError(
        "say one of: archive, wheel, sdist, manifest, notes",
      );
  }
}

function say(where: typeof Deno.stderr, text: string): void {
  where.writeSync(new TextEncoder().encode(text));
}

if (import.meta.main) Deno.exit(await main(Deno.args));
