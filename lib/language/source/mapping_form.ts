import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import type { Form } from "./form.ts";
import type { KeyTable } from "./mapping.ts";

/**
 * A mapping with the keys of `table` and no others.
 *
 * @param rule what must hold of the mapping as a whole
 */
export function mappingWith(table: KeyTable, rule: JsonObject = {}): Form {
  const required = Object.entries(table).filter(([, each]) => each.required)
    .map(([key]) => key);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(table).map(([key, each]): [string, JsonValue] => [
        key,
        { description: each.doc, ...each.form },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...rule,
  };
}
