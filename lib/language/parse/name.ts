import type { Reader } from "../source/reader.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import { NAME } from "../../base/values/name.ts";

/**
 * Whether `text` is a name; reports one that is not.
 *
 * @param whose the name, with its article, such as `a flow's name`
 */
export function checkName(
  text: string,
  whose: string,
  at: SourceLocation,
  reader: Reader,
  hint?: string,
): boolean {
  if (NAME.test(text)) return true;
  reader.report({
    at,
    code: "bad-name",
    message:
      `${whose} starts with a letter or _ and goes on with letters, digits, _ and -, but this is "${text}"`,
    hint,
  });
  return false;
}
