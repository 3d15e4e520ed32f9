import { parseEnv } from "node:util";
import {
  type Diagnostic,
  InputError,
  refusal,
} from "../../lib/base/text/diagnostic.ts";
import { positionAt } from "../../lib/base/text/location.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { readInput } from "../../lib/base/text/read_input.ts";
import { Reader } from "../../lib/language/source/reader.ts";
import {
  decodeSource,
  MAX_FILE_BYTES,
} from "../../lib/language/source/source_text.ts";

/** A name, perhaps after `export`, then `=`. */
const NAME = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/;

/**
 * Sets the variables of `--env-file` that the environment does not have yet, and
 * returns all of them.
 *
 * @throws {InputError} when the file cannot be read, with each line that is no
 *   `NAME=value` or of which a part would be left out
 */
export function readEnvFile(path: string): Record<string, string> {
  const text = readText(path);
  refuseOtherLines(path, text);
  const values = parseEnv(text) as Record<string, string>;
  for (const [name, value] of Object.entries(values)) {
    if (Deno.env.get(name) === undefined) Deno.env.set(name, value);
  }
  return values;
}

function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readInput(path, MAX_FILE_BYTES, true);
  } catch (error) {
    throw refusal(
      path,
      "no-file",
      `cannot read the file of variables ${path}: ${osReason(error)}`,
    );
  }
  const reader = new Reader(path);
  const text = decodeSource(bytes, reader);
  // Without its text: it is full of secrets.
  if (text === undefined) {
    throw new InputError(reader.diagnostics.found, new Map());
  }
  return text;
}

/**
 * Lines that `parseEnv` skips silently, or of which it takes a part. Values may have
 * several lines, in quotes.
 */
function refuseOtherLines(path: string, text: string): void {
  // Each character keeps its place.
  const plain = text.replace(
    /(=[^\S\n]*)(["'`])(?:(?!\2)[^])*\2/g,
    (value, before) =>
      before + value.slice(before.length).replace(/./g, QUOTED),
  );
  const found: Diagnostic[] = [];
  let start = 0;
  for (const line of plain.split("\n")) {
    const wrong = wrongWith(line.replace(/\r$/, ""));
    if (wrong) {
      const { at, message, hint } = wrong;
      const range = { ...positionAt(text, start + at), length: 1 };
      const place = { file: path, range };
      found.push({ code: "bad-env-file", at: place, message, hint });
      // The lines behind it may be of its value.
      if (wrong.isOpen) break;
    }
    start += line.length + 1;
  }
  // The lines themselves are not shown: they may be secrets.
  if (found.length > 0) throw new InputError(found, new Map());
}

/** Stands for each character of a value in quotes, and for the quotes. */
const QUOTED = "\0";

interface Wrong {
  /** From 0. */
  readonly at: number;
  readonly message: string;
  readonly hint: string;
  /** A quote that is not closed. */
  readonly isOpen?: true;
}

function wrongWith(line: string): Wrong | undefined {
  if (/^\s*(?:#|$)/.test(line)) return undefined;
  const closed = line.lastIndexOf(QUOTED) + 1;
  if (closed > 0) return afterQuotes(line, closed);
  const [name] = NAME.exec(line) ?? [];
  if (name === undefined) {
    return {
      at: 0,
      message: "expected `NAME=value`",
      hint: /^\s*[A-Za-z_]\w*\s*:/.test(line)
        ? "a name is followed by `=`, not by `:`"
        : "a line that begins with `#` is a comment",
    };
  }
  const hint = "put the value in quotes";
  const [open] = /^\s*["'`]/.exec(line.slice(name.length)) ?? [];
  if (open !== undefined) {
    const at = name.length + open.length - 1;
    return {
      at,
      message: "this quote is not closed",
      hint: "close it, or put the value in quotes that it does not have inside",
      isOpen: true,
    };
  }
  const hash = line.indexOf("#");
  if (hash < 0 || /\s/.test(line[hash - 1]!)) return undefined;
  return { at: hash, message: "the value would end before this `#`", hint };
}

function afterQuotes(line: string, closed: number): Wrong | undefined {
  const [before] = /^\s*(?!#|\s|$)/.exec(line.slice(closed)) ?? [];
  if (before === undefined) return undefined;
  return {
    at: closed + before.length,
    message: "there is more behind the closing quote",
    hint: "put the whole value in quotes of another kind",
  };
}
