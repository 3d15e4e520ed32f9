import * as v from "valibot";
import { templatedUrl } from "../../language/fields/templates.ts";
import type { Value } from "../../language/fields/value.ts";

/** Where a request goes; it may hold templates, and is not empty. */
export const url: Value<string> = {
  ...templatedUrl,
  schema: v.pipe(v.string(), v.minLength(1)),
  form: { type: "string", pattern: "\\S" },
  read(node, slot, reader) {
    const text = templatedUrl.read(node, slot, reader);
    if (text === undefined || text.trim() !== "") return text;
    const message = `${slot.what} cannot be empty`;
    reader.report({ at: node.at, code: "bad-url", message });
  },
};
