import { parseTemplate } from "../expressions/template.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import { flowStrings } from "./templated.ts";

/**
 * The environment variables a valid flow names, in flow order, each with the
 * JSON Pointers of the strings that use it.
 */
export function referencedEnv(
  flow: Flow,
  registry: Registry,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { pointer, text } of flowStrings(flow, registry)) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string" || part.root !== "env") continue;
      const name = part.path.join(".");
      const pointers = found.get(name);
      if (!pointers) found.set(name, [pointer]);
      else if (pointers.at(-1) !== pointer) pointers.push(pointer);
    }
  }
  return found;
}
