import type { Flow } from "../ir/flow.ts";
import { protocols } from "../protocols/registry.ts";
import type { Report } from "./report.ts";
import { stringsOf } from "./strings.ts";

/** Says why a URL may not be contacted; undefined when it may. */
export type HostCheck = (url: string) => string | undefined;

/**
 * Checks every URL of a valid flow whose host is known before the run: request
 * URLs and OAuth2 token URLs. A URL whose host is a template is checked when
 * it is used. Relative URLs are handed to `check` as they are written.
 */
export function checkHosts(flow: Flow, check: HostCheck, report: Report): void {
  for (const [index, step] of flow.steps.entries()) {
    const pointer = `/steps/${index}`;
    for (const field of protocols.get(step.kind)?.urls(step.block) ?? []) {
      for (
        const { text, pointer: at } of stringsOf(field.value, field.pointer)
      ) {
        checkOne(text, `${pointer}/block${at}`);
      }
    }
    const tokenUrl = step.auth?.token_url;
    if (typeof tokenUrl === "string") {
      checkOne(tokenUrl, `${pointer}/auth/token_url`);
    }
  }

  function checkOne(url: string, pointer: string): void {
    const known = knownPart(url);
    const why = known === undefined ? undefined : check(known);
    if (why !== undefined) {
      report(
        pointer,
        "forbidden-host",
        why,
        why.includes("allow-list")
          ? "list the host under `base_urls` of the target, if it may be contacted"
          : undefined,
        url,
      );
    }
  }
}

/** The URL up to its first template, when the host stands before that. */
function knownPart(url: string): string | undefined {
  const template = url.indexOf("{{");
  if (template < 0) return url;
  const known = url.slice(0, template);
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+[/?#]/.test(known) ||
      /^\/[^/]/.test(known)
    ? known
    : undefined;
}
