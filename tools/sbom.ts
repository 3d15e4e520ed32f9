/**
 * `deno task sbom`: what is inside the binaries, as CycloneDX 1.6 JSON on
 * standard output, from `deno.lock`. The same lock file gives the same bytes.
 */
import { Buffer } from "node:buffer";
import { VERSION } from "../lib/base/values/build.ts";
import { readArguments } from "./command.ts";

/** The parts of `deno.lock` (version 5) that are read. */
export interface Lock {
  /** `npm:ws@8.23.0` to `8.23.0`, or `1.0.0_peer@2.0.0`. */
  readonly specifiers: Readonly<Record<string, string>>;
  /** By `name@version`, with a suffix for each peer. */
  readonly npm: Readonly<
    Record<string, {
      readonly integrity: string;
      /** By name, or by `name@version` where several are locked. */
      readonly dependencies?: readonly string[];
    }>
  >;
}

/** A part of the binaries. */
export interface Component {
  readonly type: "library" | "platform";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly hashes?: readonly {
    readonly alg: string;
    readonly content: string;
  }[];
}

/** A CycloneDX document. */
export interface Sbom {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly version: 1;
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn: readonly string[];
  }[];
}

/**
 * Lists what the program ships: the packages `roots` reach, and Deno.
 *
 * @param roots npm specifiers with their versions, such as `npm:ws@8.23.0`
 * @throws {Error} when the lock file lacks one of them
 */
export function sbomOf(
  lock: Lock,
  roots: readonly string[],
  deno: string,
): Sbom {
  const first = roots.map((root) => lockedRoot(lock, root));
  const edges = new Map<string, readonly string[]>();
  const walk = (key: string) => {
    if (edges.has(key)) return;
    const found = lock.npm[key]?.dependencies ?? [];
    const below = found.map((name) => lockedPackage(lock, name));
    edges.set(key, below);
    below.forEach(walk);
  };
  first.forEach(walk);
  const keys = [...edges.keys()].sort();
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "bench",
        name: "bench",
        version: VERSION,
      },
    },
    components: [
      { type: "platform", "bom-ref": "deno", name: "deno", version: deno },
      ...keys.map((key) => component(key, lock.npm[key]!.integrity)),
    ],
    dependencies: [
      { ref: "bench", dependsOn: ["deno", ...new Set(first)].sort() },
      ...keys.map((key) => ({
        ref: key,
        dependsOn: [...edges.get(key)!].sort(),
      })),
    ],
  };
}

function lockedRoot(lock: Lock, root: string): string {
  const version = lock.specifiers[root];
  if (version === undefined) throw new Error(`deno.lock does not have ${root}`);
  const name = root.slice("npm:".length, root.lastIndexOf("@"));
  return lockedPackage(lock, `${name}@${version}`);
}

/** A dependency may leave its version out, and that version may have a peer suffix. */
function lockedPackage(lock: Lock, name: string): string {
  const found = name in lock.npm
    ? name
    : Object.keys(lock.npm).find((key) => key.startsWith(`${name}@`));
  if (found === undefined) throw new Error(`deno.lock does not have ${name}`);
  return found;
}

function component(key: string, integrity: string): Component {
  const at = key.indexOf("@", 1);
  const name = key.slice(0, at);
  const [version = ""] = key.slice(at + 1).split("_");
  const [algorithm, digest = ""] = integrity.split("-");
  if (algorithm !== "sha512") {
    throw new Error(`${key} is locked by ${algorithm}, not by sha512`);
  }
  return {
    type: "library",
    "bom-ref": key,
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hashes: [{
      alg: "SHA-512",
      content: Buffer.from(digest, "base64").toString("hex"),
    }],
  };
}

/** The npm packages the program itself imports; tests import more. */
export function shippedPackages(
  sources: readonly string[],
  imports: Readonly<Record<string, string>>,
): string[] {
  const found = new Set<string>();
  for (const source of sources) {
    for (
      const [, specifier = ""] of source.matchAll(
        /(?:from|import|import\()\s*"([^."][^"]*)"/g,
      )
    ) {
      const key = Object.keys(imports).find((each) =>
        specifier === each || (each.endsWith("/") && specifier.startsWith(each))
      );
      const [, name] =
        /^npm:\/?((?:@[^/]+\/)?[^/@]+@[^/]+)/.exec(key ? imports[key]! : "") ??
          [];
      if (name) found.add(`npm:${name}`);
    }
  }
  return [...found].sort();
}

/** Texts of every source file of the program. */
export function* programSources(root: URL): Generator<string> {
  for (const path of ["main.ts", "lib/", "cli/", "viewer/", "agent/"]) {
    yield* textsOf(new URL(path, root));
  }
}

function* textsOf(url: URL): Generator<string> {
  if (!url.href.endsWith("/")) {
    if (/\.tsx?$/.test(url.href)) yield Deno.readTextFileSync(url);
    return;
  }
  for (const entry of Deno.readDirSync(url)) {
    yield* textsOf(new URL(entry.name + (entry.isDirectory ? "/" : ""), url));
  }
}

/** The components that this checkout ships. */
export function sbomOfCheckout(): Sbom {
  const root = new URL("../", import.meta.url);
  const read = (name: string) =>
    JSON.parse(Deno.readTextFileSync(new URL(name, root)));
  const roots = shippedPackages(
    [...programSources(root)],
    read("deno.json").imports,
  );
  return sbomOf(read("deno.lock"), roots, Deno.version.deno);
}

/** As it is published. */
export function sbomText(): string {
  return `${JSON.stringify(sbomOfCheckout(), undefined, 2)}\n`;
}

if (import.meta.main) {
  readArguments({
    task: "sbom",
    about: "Prints what is inside the binaries, as CycloneDX 1.6 JSON.",
  }, {});
  Deno.stdout.writeSync(new TextEncoder().encode(sbomText()));
}
