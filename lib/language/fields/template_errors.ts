import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { parseTemplate } from "../expressions/template.ts";

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
  const spaced = /^([A-Za-z_][\w-]*(?:\.[^\s.]+)*)\.([^.'"|()[\]]+)$/.exec(
    inside,
  );
  if (spaced && /\S\s+\S/.test(spaced[2]!)) {
    return `in quotes a name may have spaces: {{ ${spaced[1]}['${
      spaced[2]
    }'] }}`;
  }
  if (inside.includes("|")) return "templates have no filters: {{ name }}";
  if (inside.startsWith("$") || inside.startsWith(".")) {
    const name = inside.replace(/^[$.]+/, "");
    return /^[A-Za-z_]/.test(name) ? `did you mean {{ ${name} }}?` : undefined;
  }
  if (/[[(]/.test(inside)) {
    const dotted = inside.replaceAll(/\[['"]?([^\]'"]*)['"]?\]/g, ".$1");
    return /[()[\]]/.test(dotted)
      ? "templates name values and call nothing"
      : `did you mean {{ ${dotted} }}?`;
  }
  return undefined;
}
