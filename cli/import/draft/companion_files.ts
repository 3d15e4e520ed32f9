import { Refused } from "../../../lib/base/errors/bench_error.ts";
import type { Draft } from "./draft.ts";
import { type EnvVariable, isOfShells } from "./credentials.ts";
import { comments, type DraftFile } from "./flow_document.ts";
import { snakeCase, UniqueNames } from "./names.ts";
import { yamlText } from "./flow_yaml.ts";

/** A name for files: what is between `api.` and the top-level domain. */
export function hostName(baseUrl: string): string {
  const host = /^\w+:\/\/([^/:]+)/.exec(baseUrl)?.[1] ?? "";
  if (/^[\d.]+$|^\[|^localhost$|\.invalid$/.test(host) || host === "") {
    return "imported";
  }
  const labels = host.split(".").filter((each) => !/^(?:www|api)$/.test(each));
  const name = (labels.length > 1 ? labels.slice(0, -1) : labels).join("-")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return /^[A-Za-z_]/.test(name) ? name : `on-${name}`;
}

/**
 * The target file: where flows may go.
 *
 * @param baseUrls of all flows that share it
 */
export function targetYaml(
  draft: Draft,
  baseUrls: readonly string[] = draft.baseUrls,
): string {
  const { timeout } = draft;
  const name = draft.target ?? draft.name;
  return comments(["Where runs may go; no other host is contacted."]) +
    yamlText({
      name,
      base_urls: [...baseUrls],
      ...(timeout !== undefined && { request_timeout: `${timeout}s` }),
    });
}

/** The variables the flow reads, without their values: a file that a shell reads. */
export function envExample(
  env: readonly EnvVariable[],
  notes: readonly string[] = [],
): string {
  const about = new Map(env.map((each) => [each.name, each.about]));
  const lines = [...about].map(([name, text]) => {
    if (!/^[A-Z_][A-Z0-9_]*$/.test(name)) {
      throw new Refused(`\`${name}\` is not the name of a variable`);
    }
    // Setting it to nothing would break the shell that reads the file.
    const line = isOfShells(name)
      ? comments([`${name} is set by your shell.`])
      : `${name}=\n`;
    return comments([text]) + line;
  });
  return comments([
    "Copy to .env, fill in the values, and keep it out of version control:",
    "  bench run <flow> --target <target> --env-file .env",
    ...notes.flatMap((each) => ["", each]),
  ]) + `\n${lines.join("\n")}`;
}

/** A mix in which each flow has the same share. */
export function mixYaml(
  name: string,
  flows: readonly DraftFile[],
  { vus, hold }: { readonly vus: number; readonly hold: string },
): string {
  const lines = flows.map(({ path }) => `  - { flow: ${path}, weight: 1 }\n`);
  return `version: 1
mix: ${name}
# The share of a flow is its weight among all of them.
flows:
${lines.join("")}
profile:
  mode: load
  vus: ${vus}
  hold: ${hold}
`;
}

/** Gives each flow of a mix a name of its own, and all of them one target. */
export function flowsOfMix(
  mix: string,
): (draft: Draft, called: string) => Draft {
  const names = new UniqueNames([mix]);
  return (draft, called) => {
    const base = snakeCase(called).replace(/^(?=\d|$)/, "flow_");
    return { ...draft, name: names.of(base), target: mix };
  };
}
