import type { Report, Wording } from "../../base/text/diagnostic.ts";
import { parseTemplate } from "../expressions/template.ts";
import { templateErrors } from "../fields/template_errors.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import { flowParts, type PlacedString, templatedStrings } from "./parts.ts";

/** Every string of a flow whose templates are well formed. */
export function flowStrings(flow: Flow, registry: Registry): PlacedString[] {
  return flowParts(flow, registry).flatMap((parts, index) => [
    ...templatedStrings(flow.steps[index]!, `/steps/${index}`, parts),
  ]).filter(({ text }) => templateErrors(text).length === 0);
}

/**
 * The environment variables a flow names, in flow order, each with the
 * JSON Pointers of the strings that use it.
 */
export function referencedEnv(
  flow: Flow,
  registry: Registry,
): ReadonlyMap<string, readonly string[]> {
  const uses = flowStrings(flow, registry).flatMap(({ pointer, text }) => {
    const names = parseTemplate(text).flatMap((part) =>
      typeof part === "object" && part.root === "env" ? part.path.join(".") : []
    ).filter((name) => ENV_NAME.test(name));
    return [...new Set(names)].map((name) => ({ name, pointer }));
  });
  return new Map(
    Map.groupBy(uses, ({ name }) => name).entries()
      .map(([name, all]) => [name, all.map(({ pointer }) => pointer)]),
  );
}

/** What an environment variable can be called. */
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Checks every URL of a flow whose host is known before the run: request
 * URLs and OAuth2 token URLs. A URL whose host is a template is checked when
 * it is used. Relative URLs are handed over as they are written.
 *
 * @param refusal what is wrong with a URL; undefined when it may be contacted
 */
export function checkHosts(
  flow: Flow,
  registry: Registry,
  refusal: (url: string) => Wording | undefined,
  report: Report,
): void {
  const urls = flowParts(flow, registry).flatMap((parts) => parts.of("url"));
  for (const { value: url, pointer } of urls) {
    const known = knownPart(url);
    const refused = known === undefined ? undefined : refusal(known);
    if (!refused) continue;
    const at = { pointer, inside: url };
    report({ ...refused, at, code: "forbidden-host" });
  }
}

/** The URL up to its first template, when the host is before that. */
function knownPart(url: string): string | undefined {
  const template = url.indexOf("{{");
  if (template < 0) return url;
  const known = url.slice(0, template);
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+[/?#]/.test(known) ||
      /^\/[^/]/.test(known)
    ? known
    : undefined;
}
