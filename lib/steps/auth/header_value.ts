import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { badInValue } from "../../base/values/field_names.ts";
import { child } from "../../base/values/pointer.ts";
import type { JsonObject } from "../../base/values/json.ts";

/** What is wrong with the values under `keys` as parts of a header; a template is not known yet. */
export function valueErrors(
  block: JsonObject,
  ...keys: readonly string[]
): readonly Diagnostic<string>[] {
  return keys.flatMap((key) => {
    const value = block[key];
    if (typeof value !== "string" || value.includes("{{")) return [];
    const bad = badInValue(value);
    return bad === undefined ? [] : [{
      at: child("", key),
      code: "bad-credential",
      message: `\`${key}\` holds ${bad}, which a header cannot carry`,
      ...(/[\r\n]/.test(value) && {
        hint: "a value that was read from a file often ends in a line break",
      }),
    }];
  });
}
