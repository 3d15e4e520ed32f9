import { join } from "node:path";
import type { Component } from "./sbom.ts";

/** The notices that the packages in binaries require: their names and licences. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** The licence's own text; empty when the package has none. */
  readonly text: string;
}

/**
 * Reads the licences of packages from Deno's cache, where building put them.
 *
 * @throws {Error} when a package is not there, or names no licence
 */
export function noticesOf(
  components: readonly Component[],
  npmCache: string,
): Notice[] {
  return components.filter((each) => each.type === "library").map(
    ({ name, version }) => {
      const folder = packageFolder(npmCache, name, version);
      const license = licenseOf(
        JSON.parse(Deno.readTextFileSync(join(folder, "package.json"))),
      );
      if (license === undefined) {
        throw new Error(`${name} ${version} names no licence`);
      }
      const file = [...Deno.readDirSync(folder)].map((each) => each.name)
        .find((each) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(each));
      const text = file ? Deno.readTextFileSync(join(folder, file)) : "";
      return { name, version, license, text };
    },
  );
}

/**
 * The licence of a `package.json`, as an SPDX expression: `license`, or what
 * npm had before it and packages of that age still have, an object or a list of them.
 */
export function licenseOf(
  { license, licenses }: {
    readonly license?: unknown;
    readonly licenses?: unknown;
  },
): string | undefined {
  if (typeof license === "string") return license;
  const listed = [licenses ?? license ?? []].flat();
  const types = listed.map((each) => (each as { type?: unknown } | null)?.type);
  if (!types.every((each) => typeof each === "string")) return undefined;
  // A package that lists several leaves the choice to its user.
  return types.length > 1 ? `(${types.join(" OR ")})` : types[0];
}

/** `<cache>/<registry>/<name>/<version>`, whichever registry it came from. */
function packageFolder(cache: string, name: string, version: string): string {
  for (const { name: registry } of Deno.readDirSync(cache)) {
    const folder = join(cache, registry, name, version);
    try {
      Deno.statSync(join(folder, "package.json"));
      return folder;
    } catch {
      continue;
    }
  }
  throw new Error(`${name} ${version} is not in ${cache}: run deno install`);
}

/** One text of them all. */
export function noticesText(notices: readonly Notice[], deno: string): string {
  const rule = "-".repeat(78);
  return [
    "The programs of this archive contain software of others.",
    `Deno ${deno}, Copyright the Deno authors, MIT License: the text of LICENSE, with that line.
What Deno contains in turn, such as V8, is listed at https://github.com/denoland/deno.`,
    ...notices.map(({ name, version, license, text }) =>
      `${name} ${version}, ${license}\n\n${
        text.trim() || "The package has no text of its own."
      }`
    ),
  ].join(`\n\n${rule}\n\n`) + "\n";
}
