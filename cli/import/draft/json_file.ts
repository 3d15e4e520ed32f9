import { InputError } from "../../../lib/base/text/diagnostic.ts";
import { positionAt } from "../../../lib/base/text/location.ts";
import type { JsonValue } from "../../../lib/base/values/json.ts";
import { describeError, walkJson } from "../../../lib/base/values/json_walk.ts";

/**
 * The value of a file that is JSON.
 *
 * @throws {InputError} with the place where it is not; nothing of the text is in it
 */
export function jsonOfFile(text: string, file: string): JsonValue {
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    const found = walkJson(json, {});
    if (!found) throw error;
    const range = { ...positionAt(json, found.offset), length: 1 };
    const message = describeError(json, found);
    throw new InputError(
      [{ at: { file, range }, code: "bad-json", message }],
      new Map(),
    );
  }
}
