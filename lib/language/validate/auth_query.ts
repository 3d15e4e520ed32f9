import type { Report } from "../../base/text/diagnostic.ts";
import { child } from "../../base/values/pointer.ts";
import type { AuthScheme } from "../flow/scheme.ts";
import type { Step } from "../ir.ts";
import type { Parts } from "./parts.ts";

/**
 * Refuses a query parameter that is written in the request and by its auth too:
 * which of the two counts would be the server's choice.
 *
 * @param parts those of the block
 */
export function checkQueryClash(
  step: Step,
  scheme: AuthScheme,
  parts: Parts,
  report: Report,
): void {
  const written = new Set(scheme.queryNames?.(step.auth!));
  if (written.size === 0) return;
  const clash = (pointer: string, name: string, inside: string) =>
    report({
      at: { pointer, inside },
      code: "auth-query-clash",
      message:
        `step \`${step.id}\` declares the query parameter \`${name}\`, which its \`${scheme.name}\` auth writes too`,
      hint: "remove the parameter, or opt out with `auth: { scheme: none }`",
    });
  for (const { pointer, value } of parts.of("query")) {
    for (const name of Object.keys(value)) {
      if (written.has(name)) clash(child(pointer, name), name, name);
    }
  }
  for (const { pointer, value } of parts.of("url")) {
    for (const { name, text } of parametersOf(value)) {
      if (written.has(name)) clash(pointer, name, text);
    }
  }
}

/** The query parameters that are written out in a URL. */
function parametersOf(
  url: string,
): readonly { readonly name: string; readonly text: string }[] {
  const query = /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? "";
  return query.split("&").map((text) => ({
    name: decoded(text.replace(/=.*$/s, "")),
    text,
  }));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
