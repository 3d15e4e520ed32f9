import { WORDS } from "../../language/source/form.ts";
import type { Fields } from "../../language/source/mapping.ts";
import { readTemplated } from "../../language/source/payload.ts";
import type { Reader } from "../../language/source/reader.ts";
import { child } from "../../base/values/pointer.ts";

/** Both spellings of a block's address. */
export const URL_KEYS = {
  url: {
    doc: "where to; a relative URL joins the target's base URL",
    form: WORDS,
  },
  endpoint: { doc: "another word for `url`", form: WORDS },
} as const;

/** The rule of a block that may have either, to an editor. */
export const ONE_URL_AT_MOST = { not: { required: ["url", "endpoint"] } };
export const ONE_URL = {
  oneOf: [{ required: ["url"] }, { required: ["endpoint"] }],
};

/**
 * Reads `url` or `endpoint`, one of the two; the IR has `url`.
 *
 * @param pointer JSON Pointer of the block
 * @returns undefined when neither is written, or after a report
 */
export function readBlockUrl(
  fields: Fields<"url" | "endpoint">,
  pointer: string,
  reader: Reader,
): string | undefined {
  const [url, endpoint] = [fields.get("url"), fields.get("endpoint")];
  if (url && endpoint) {
    reader.report({
      at: endpoint.keyAt,
      code: "url-and-endpoint",
      message:
        "`url` and `endpoint` mean the same, so only one of them can stand here",
      hint: "remove one of them",
    });
  }
  const entry = url ?? endpoint;
  if (!entry) return;
  const what = `\`${entry.key}\``;
  const text = readTemplated(entry.value, what, child(pointer, "url"), reader);
  if (text === undefined || text.trim() !== "") return text;
  reader.report({
    at: entry.value.at,
    code: "bad-url",
    message: `${what} cannot be empty`,
  });
}
