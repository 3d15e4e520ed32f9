import type { Flow } from "../ir.ts";
import type { Registry } from "../flow/registry.ts";
import type { Report, Wording } from "../../base/text/diagnostic.ts";
import { stepParts } from "./parts.ts";

/**
 * Checks every URL of a valid flow whose host is known before the run: request
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
  for (const [index, step] of flow.steps.entries()) {
    const parts = stepParts(step, `/steps/${index}`, registry);
    for (const { value, pointer } of parts.of("url")) checkOne(value, pointer);
  }

  function checkOne(url: string, pointer: string): void {
    const known = knownPart(url);
    const refused = known === undefined ? undefined : refusal(known);
    if (!refused) return;
    report({
      ...refused,
      at: { pointer, inside: url },
      code: "forbidden-host",
    });
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
