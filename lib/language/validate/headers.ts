import type { Step } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/report.ts";
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
      report(
        at,
        "duplicate-header",
        `\`${twin}\` and \`${name}\` are the same header: letter case does not count`,
        "keep one of them",
        name,
      );
    }
    if (!TOKEN.test(name)) reportName(name, at, report);
    else if (FRAMING_FIELDS.has(lower)) {
      report(
        at,
        "framing-header",
        `\`${name}\` cannot be declared: the engine writes what frames a request`,
        "remove the header",
        name,
      );
    }
    const bad = typeof value === "string" ? badInValue(value) : undefined;
    if (bad !== undefined) {
      report(
        at,
        "bad-header",
        `the value of header \`${name}\` holds ${bad}`,
        "a header is one line without control characters",
      );
    }
  }
}

function reportName(name: string, at: string, report: Report): void {
  report(
    at,
    "bad-header",
    name === ""
      ? "a header's name cannot be empty"
      : `"${name}" is not a header name`,
    name.includes("{{")
      ? "keys are not templated: put the template into the value"
      : "a header's name has letters, digits and !#$%&'*+-.^_`|~ only",
    name,
  );
}
