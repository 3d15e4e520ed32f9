import { elsewhere } from "../expressions/elsewhere.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import {
  parseReference,
  parseTemplate,
  quote,
} from "../expressions/template.ts";

/** Every malformed template of a text, in order; `at` is the template as it is written. */
export function templateErrors(text: string): Diagnostic<string>[] {
  const errors: Diagnostic<string>[] = [];
  for (let at = text.indexOf("{{"); at >= 0; at = text.indexOf("{{", at)) {
    const close = text.indexOf("}}", at);
    const written = close < 0 ? text.slice(at) : text.slice(at, close + 2);
    try {
      parseTemplate(written);
    } catch (error) {
      errors.push({
        at: written,
        code: "bad-template",
        message: (error as Error).message,
        hint: close < 0 ? "close it with }}" : hintFor(written),
      });
    }
    at += written.length;
  }
  return errors;
}

/** The way out for what people bring from other template languages. */
function hintFor(written: string): string | undefined {
  const inside = written.slice(2, -2).trim();
  if (inside === "") {
    return "name a variable, a fixture column or an env variable";
  }
  const foreign = elsewhere("template", inside);
  if (foreign) return foreign;
  const spaced = /^([A-Za-z_][\w-]*(?:\.[^\s.]+)*)\.([^.'"|()[\]]+)$/.exec(
    inside,
  );
  if (spaced && /\S\s+\S/.test(spaced[2]!)) {
    return `in quotes a name may have spaces: {{ ${spaced[1]}['${
      spaced[2]
    }'] }}`;
  }
  if (inside.includes("|")) return "templates have no filters: {{ name }}";
  if (/[()]/.test(inside)) return "templates name values and call nothing";
  const meant = parseReference(
    inside.replace(/^[$.]+/, "")
      .replaceAll(/\.?\[['"]?0*([\w-]+)['"]?\]/g, ".$1"),
  );
  if (meant) return `did you mean ${quote(meant)}?`;
  return /\[/.test(inside)
    ? "a template names one value: `extract` can take several with a JSON path"
    : undefined;
}
