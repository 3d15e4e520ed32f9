import type { Report } from "../../base/text/diagnostic.ts";
import { child } from "../../base/values/pointer.ts";
import type { KindStep } from "../../language/flow/kind.ts";
import type { HttpBlock } from "./block.ts";

/** JSON itself (RFC 8259), and every type whose content is JSON (RFC 6839). */
const JSON_TYPE = /^\s*(?:(?:application|text)\/json|[^;]*\+json)\s*(?:;|$)/i;

/** Warns where a body, which is always JSON, travels under another media type. */
export function checkMediaTypes(
  steps: readonly KindStep<Pick<HttpBlock, "headers" | "body">>[],
  report: Report,
): void {
  for (const { step, block: { headers, body }, pointer } of steps) {
    if (body === undefined) continue;
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (name.toLowerCase() !== "content-type") continue;
      // An empty one is not sent, and of a template only the run knows.
      if (value === "" || value.includes("{{") || JSON_TYPE.test(value)) {
        continue;
      }
      report({
        at: child(`${pointer}/block/headers`, name),
        code: "body-not-json",
        message:
          `step \`${step.id}\` sends its body as JSON, but calls it \`${value}\``,
        hint:
          "a body is always sent as JSON: remove the header, or name a JSON type",
        severity: "warning",
      });
    }
  }
}
