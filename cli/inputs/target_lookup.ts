import { dirname, join, resolve } from "node:path";
import { NAME } from "../../lib/base/values/name.ts";

/** What finding a target file needs to know of the world. */
interface LookupWorld {
  readonly cwd: string;
  env(name: string): string | undefined;
  isFile(path: string): boolean;
  exists(path: string): boolean;
}

/** Where a target is, or every path that was tried. */
type TargetLookup =
  | { readonly path: string }
  | {
    readonly tried: readonly string[];
    readonly why: string;
    /** Where the tried paths say nothing. */
    readonly hint?: string;
  };

const URL_START = /^[a-z]+:\/\//i;

/**
 * Finds a target file. A value with a slash or a `.yaml`/`.yml` ending is a
 * path. A bare name is `<name>.yaml`, then `<name>.yml`, in `targets/` beside
 * the flow file and each parent up to the repository root, in `./targets/`,
 * then in `$XDG_CONFIG_HOME/bench/targets/`.
 *
 * @param flowDirectory absent for a flow from standard input
 */
export function findTarget(
  name: string,
  flowDirectory: string | undefined,
  world: LookupWorld,
): TargetLookup {
  if (URL_START.test(name)) {
    return {
      tried: [],
      why: `${name} is a URL, and a target is a file that lists where to go`,
      hint:
        `write \`name: here\` and \`base_urls: ["${name}"]\` into targets/here.yaml, then: --target here`,
    };
  }
  if (/[/\\]|\.ya?ml$/.test(name)) {
    return world.isFile(resolve(world.cwd, name))
      ? { path: name }
      : { tried: [name], why: `there is no target file ${name}` };
  }
  if (!NAME.test(name)) {
    return {
      tried: [],
      why: `"${name}" is neither a target name nor a path to a target file`,
    };
  }
  const tried = directories(flowDirectory, world).flatMap((directory) =>
    [".yaml", ".yml"].map((ending) => join(directory, name + ending))
  );
  const path = tried.find((each) => world.isFile(resolve(world.cwd, each)));
  return path === undefined
    ? { tried, why: `there is no target \`${name}\`` }
    : { path };
}

function directories(
  flowDirectory: string | undefined,
  world: LookupWorld,
): string[] {
  const found: string[] = [];
  if (flowDirectory !== undefined) {
    let at = resolve(world.cwd, flowDirectory);
    for (;;) {
      found.push(join(at, "targets"));
      if (world.exists(join(at, ".git")) || dirname(at) === at) break;
      at = dirname(at);
    }
  }
  found.push(join(world.cwd, "targets"));
  const home = world.env("HOME");
  const config = world.env("XDG_CONFIG_HOME") ||
    (home === undefined ? undefined : join(home, ".config"));
  if (config !== undefined) found.push(join(config, "bench", "targets"));
  return [...new Set(found)];
}
