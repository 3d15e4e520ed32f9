import { parse } from "yaml";

/**
 * What a CI system would run of a pipeline's file, as one script: the commands
 * of every step with the environment of the step, then a look at each file
 * that the pipeline goes on to collect.
 */
export function ciScript(yml: string): string {
  const found: Found = { commands: [], paths: [] };
  walk(parse(yml), found, {});
  return [
    ...found.commands,
    ...found.paths.map((path) => `test -e ${path}`),
  ].join("\n");
}

interface Found {
  readonly commands: string[];
  readonly paths: string[];
}

type Mapping = Readonly<Record<string, unknown>>;

/** Keys that name what is collected when the commands have ended. */
const COLLECTED = ["path", "paths", "junit"];

function walk(value: unknown, found: Found, env: Mapping): void {
  if (Array.isArray(value)) value.forEach((each) => walk(each, found, env));
  if (typeof value !== "object" || value === null) return;
  const mapping = value as Mapping;
  const own = { ...env, ...mapping.env as Mapping };
  for (const [key, each] of Object.entries(mapping)) {
    if (key === "run" || key === "script") {
      const exports = Object.entries(own)
        .map(([name, text]) => `export ${name}="${secret(String(text))}"; `);
      for (const line of [each].flat()) {
        found.commands.push(`( ${exports.join("")}${line}\n)`);
      }
    } else if (COLLECTED.includes(key)) {
      found.paths.push(...[each].flat().map(String));
    } else if (key !== "env") walk(each, found, own);
  }
}

/** `${{ secrets.NAME }}` as the shell finds it. */
function secret(text: string): string {
  return text.replaceAll(/\$\{\{ secrets\.(\w+) \}\}/g, "$$$1");
}
