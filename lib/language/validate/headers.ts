import type { Step } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import {
  badInValue,
  FRAMING_FIELDS,
  TOKEN,
} from "../../base/values/field_names.ts";
import { isObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";

/**
 * Checks the headers a step declares. Every protocol keeps them under
 * `headers` at the top of its block.
 */
export function checkHeaders(
  step: Step,
  pointer: string,
  report: Report,
): void {
  const { headers } = step.block;
  if (!isObject(headers)) return;
  const first = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const at = child(`${pointer}/block/headers`, name);
    const lower = name.toLowerCase();
    const twin = first.get(lower);
    if (twin === undefined) first.set(lower, name);
    else {
      report({
        at: { pointer: at, inside: name },
        code: "duplicate-header",
        message:
          `\`${twin}\` and \`${name}\` are the same header: letter case does not count`,
        hint: "keep one of them",
      });
    }
    if (!TOKEN.test(name)) reportName(name, at, report);
    else if (FRAMING_FIELDS.has(lower)) {
      report({
        at: { pointer: at, inside: name },
        code: "framing-header",
        message:
          `\`${name}\` cannot be declared: the engine writes what frames a request`,
        hint: "remove the header",
      });
    }
    const bad = typeof value === "string" ? badInValue(value) : undefined;
    if (bad !== undefined) {
      report({
        at,
        code: "bad-header",
        message: `the value of header \`${name}\` holds ${bad}`,
        hint: "a header is one line without control characters",
      });
    }
  }
}

function reportName(name: string, at: string, report: Report): void {
  report({
    at: { pointer: at, inside: name },
    code: "bad-header",
    message: name === ""
      ? "a header's name cannot be empty"
      : `"${name}" is not a header name`,
    hint: name.includes("{{")
      ? "keys are not templated: put the template into the value"
      : "a header's name has letters, digits and !#$%&'*+-.^_`|~ only",
  });
}
