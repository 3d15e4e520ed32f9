import type { Scheme } from "../../steps/auth/scheme.ts";
import type { Step } from "../../model/ir/flow.ts";
import { protocols } from "../../steps/registry.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { isObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";

/**
 * Refuses a query parameter that stands in the request and that its auth writes
 * too: which of the two counts would be the server's choice.
 */
export function checkQueryClash(
  step: Step,
  scheme: Scheme,
  pointer: string,
  report: Report,
): void {
  const written = new Set(scheme.queryNames?.(step.auth!));
  if (written.size === 0) return;
  const clash = (at: string, name: string, inside: string) =>
    report({
      at: { pointer: `${pointer}/block${at}`, inside },
      code: "auth-query-clash",
      message:
        `step \`${step.id}\` declares the query parameter \`${name}\`, which its \`${scheme.name}\` auth writes too`,
      hint: "remove the parameter, or opt out with `auth: { scheme: none }`",
    });
  const { query } = step.block;
  if (isObject(query)) {
    for (const name of Object.keys(query)) {
      if (written.has(name)) clash(child("/query", name), name, name);
    }
  }
  for (const url of protocols.get(step.kind)?.urls(step.block) ?? []) {
    for (const { name, text } of parametersOf(String(url.value))) {
      if (written.has(name)) clash(url.pointer, name, text);
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
