import { parseEnv } from "node:util";
import { InputError, refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { readInput } from "../../lib/base/text/read_input.ts";
import { MAX_FILE_BYTES } from "../../lib/language/source/source_text.ts";

/** A name, perhaps after `export`, then `=`. */
const LINE = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/;

/**
 * Sets the variables of `--env-file` that the environment does not have yet, and
 * returns all of them.
 *
 * @throws {InputError} when the file cannot be read, or a line is no `NAME=value`
 */
export function readEnvFile(path: string): Record<string, string> {
  let text: string;
  try {
    text = new TextDecoder().decode(readInput(path, MAX_FILE_BYTES, true));
  } catch (error) {
    throw refusal(
      path,
      "no-file",
      `cannot read the file of variables ${path}: ${osReason(error)}`,
    );
  }
  const values = parseEnv(text) as Record<string, string>;
  refuseOtherLines(path, text);
  for (const [name, value] of Object.entries(values)) {
    if (Deno.env.get(name) === undefined) Deno.env.set(name, value);
  }
  return values;
}

/** A line that `parseEnv` skips silently. Its values may have several lines, in quotes. */
function refuseOtherLines(path: string, text: string): void {
  const plain = text.replace(
    /=\s*(["'`])(?:(?!\1)[^])*\1/g,
    (value) => "=" + "\n".repeat(value.split("\n").length - 1),
  );
  for (const [index, line] of plain.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line) || LINE.test(line)) continue;
    // The line itself is not shown: it may be a secret.
    throw new InputError([{
      code: "bad-env-file",
      at: { file: path, range: { line: index + 1, column: 1, length: 1 } },
      message: "expected `NAME=value`",
      hint: "a line that begins with `#` is a comment",
    }], new Map());
  }
}
