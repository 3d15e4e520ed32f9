import { badInValue } from "../../base/values/field_names.ts";
import type { JsonObject } from "../../base/values/json.ts";
import type { BlockMistake } from "./scheme.ts";

/** What is wrong with the values under `keys` as parts of a header; a template is not known yet. */
export function valueMistakes(
  block: JsonObject,
  ...keys: readonly string[]
): readonly BlockMistake[] {
  return keys.flatMap((key) => {
    const value = block[key];
    if (typeof value !== "string" || value.includes("{{")) return [];
    const bad = badInValue(value);
    return bad === undefined ? [] : [{
      key,
      code: "bad-credential",
      message: `\`${key}\` holds ${bad}, which a header cannot carry`,
      ...(/[\r\n]/.test(value) && {
        hint: "a value that was read from a file often ends in a line break",
      }),
    }];
  });
}
