import { ifPossible } from "../../lib/base/values/if_possible.ts";
import {
  absolutePath,
  basename,
  dirname,
  join,
  relativePath,
} from "../../lib/base/values/paths.ts";
import { type InputError, refusal } from "../../lib/base/text/diagnostic.ts";
import { conceal } from "../../lib/language/source/conceal.ts";
import { credentialsOfUrl } from "../../lib/language/source/credentials.ts";
import { nearest } from "../../lib/base/text/suggest.ts";
import { type InputEnvironment, readablePath } from "./environment.ts";
import { statOf } from "./stat.ts";

/**
 * Finds a target file. A value with a slash or a `.yaml`/`.yml` ending is a
 * path. A bare name is `<name>.yaml`, then `<name>.yml`, in `targets/` beside
 * the flow file and each parent up to the repository root, in `./targets/`,
 * then in `$XDG_CONFIG_HOME/bench/targets/`.
 *
 * @param flowDirectory the current folder for a flow from standard input
 * @throws {InputError} that lists every path tried
 */
export function findTarget(
  name: string,
  flowDirectory: string,
  environment: InputEnvironment,
): string {
  if (name === "") {
    throw noTarget("--target", "expected a target's name or path, got nothing");
  }
  const isUrl = /^[a-z]+:\/\//i.test(name);
  if (isUrl || isAddress(name)) {
    // A base URL has no user, no query and no fragment.
    const base = name.replace(/[?#].*$/s, "")
      .replace(/^([a-z]+:\/\/)?[^/]*@/i, "$1");
    throw noTarget(
      "--target",
      `${conceal(name, credentialsOfUrl(name))} is ${
        isUrl ? "a URL" : "an address"
      }, and a target is a file that lists where to go`,
      `write \`name: here\` and \`base_urls: ["${
        isUrl ? "" : "http://"
      }${base}"]\` into targets/here.yaml, then: --target here`,
    );
  }
  if (/[/\\]|\.ya?ml$/.test(name)) {
    // What is no file, or one that may not be read, is for the reader to say.
    if (environment.folder !== undefined || statOf(name)) return name;
    throw noTarget(name, `there is no target file ${name}`, nearFile(name));
  }
  const folders = directories(flowDirectory, environment);
  const tried = folders.flatMap((directory) =>
    [".yaml", ".yml"].map((ending) => join(directory, name + ending))
  );
  const path = tried.find(isFile);
  if (path !== undefined) return path;
  const meant = nearest(name, folders.flatMap(targetNames));
  throw noTarget(
    name,
    `there is no target \`${name}\``,
    meant === undefined
      ? `looked for: ${tried.map(shownPath).join(", ")}`
      : `did you mean \`${meant}\`?`,
  );
}

/** A host and a port, with or without a user, which a target's name cannot be. */
export function isAddress(name: string): boolean {
  return /^(?:[^\s/]+@)?[\w.-]+:\d+(?:\/|$)/.test(name);
}

function noTarget(at: string, why: string, hint?: string): InputError {
  return refusal(at, "no-target", why, hint);
}

function directories(
  flowDirectory: string,
  environment: InputEnvironment,
): string[] {
  const { env, folder } = environment;
  const found: string[] = [];
  let at = absolutePath(flowDirectory);
  for (;;) {
    found.push(join(at, "targets"));
    if (statOf(join(at, ".git")) || dirname(at) === at) break;
    at = dirname(at);
  }
  found.push(join(Deno.cwd(), "targets"));
  if (folder !== undefined) {
    return [...new Set(found)].filter((each) => isInside(each, environment));
  }
  const home = env("HOME");
  const config = env("XDG_CONFIG_HOME") ||
    (home === undefined ? undefined : join(home, ".config"));
  if (config !== undefined) found.push(join(config, "bench", "targets"));
  return [...new Set(found)];
}

function isInside(directory: string, environment: InputEnvironment): boolean {
  return ifPossible(() => readablePath(environment, directory), "") !== "";
}

/** The targets of a folder, by name. */
function targetNames(directory: string): string[] {
  return namesIn(directory)
    .flatMap((name) => /^(.+)\.ya?ml$/.exec(name)?.[1] ?? []);
}

/** The shorter way to write a path, for messages. */
export function shownPath(path: string): string {
  const short = relativePath(Deno.cwd(), path);
  return short.length < path.length ? short : path;
}

/** The file a person most likely meant. */
export function nearFile(path: string): string | undefined {
  const found = nearest(basename(path), namesIn(dirname(path)));
  return found && `did you mean ${join(dirname(path), found)}?`;
}

export function isFile(path: string): boolean {
  return statOf(path)?.isFile ?? false;
}

function namesIn(directory: string): string[] {
  return ifPossible(() => [...Deno.readDirSync(directory)], [])
    .map((each) => each.name);
}
