import { refusal } from "../lib/base/text/diagnostic.ts";
import { osReason } from "../lib/base/text/os_reason.ts";

/**
 * The text of a file that is to be imported.
 *
 * @throws {InputError} when it cannot be read
 */
export function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw refusal(path, "no-file", `cannot read ${path}: ${osReason(error)}`);
  }
}
