import type { Report } from "../../base/text/diagnostic.ts";
import {
  badInValue,
  FRAMING_FIELDS,
  TOKEN,
} from "../../base/values/field_names.ts";
import { declaredHeaders, type Parts } from "./parts.ts";

/** Checks the header fields a step declares. */
export function checkHeaders(parts: Parts, report: Report): void {
  const first = new Map<string, string>();
  for (const { name, text: value, pointer: at } of declaredHeaders(parts)) {
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
    const bad = badInValue(value);
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
