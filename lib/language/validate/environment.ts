import { parseTemplate } from "../expressions/template.ts";
import type { Flow } from "../../model/ir/flow.ts";
import { templatedStrings } from "./templated.ts";

/**
 * The environment variables a valid flow names, in flow order, each with the
 * JSON Pointers of the strings that use it.
 */
export function referencedEnv(flow: Flow): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [index, step] of flow.steps.entries()) {
    for (const { pointer, text } of templatedStrings(step, `/steps/${index}`)) {
      for (const part of parseTemplate(text)) {
        if (typeof part === "string" || part.root !== "env") continue;
        const name = part.path.join(".");
        const pointers = found.get(name);
        if (!pointers) found.set(name, [pointer]);
        else if (pointers.at(-1) !== pointer) pointers.push(pointer);
      }
    }
  }
  return found;
}
