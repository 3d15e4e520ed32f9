import { flowCredentials } from "../../language/validate/credentials.ts";
import { registry } from "../../steps/registry.ts";
import type { Names } from "../../language/expressions/names.ts";
import {
  compileText,
  parseTemplate,
  quote,
} from "../../language/expressions/template.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import type { Flow } from "../../language/ir.ts";

/**
 * The extracted variables that a flow sends as credentials: by name, the
 * templates that stand for them. Their values are secrets from the extraction
 * on, wherever in the flow that is.
 */
export function secretVariables(
  flow: Flow,
  names: Names,
): ReadonlyMap<string, readonly TextTemplate[]> {
  const found = new Map<string, Map<string, TextTemplate>>();
  for (const { text } of flowCredentials(flow, registry)) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string" || !names.variables.has(part.root)) continue;
      const written = quote(part);
      const templates = found.get(part.root) ?? new Map();
      found.set(part.root, templates.set(written, compileText(written, names)));
    }
  }
  return new Map(
    [...found].map(([name, templates]) => [name, [...templates.values()]]),
  );
}
