import { Refused } from "../../../lib/base/errors/bench_error.ts";
import {
  changeLiterals,
  hasTemplate,
  shownText,
} from "../draft/template_text.ts";
import type { ShellInput } from "./command_output.ts";
import type { GivenOption } from "./curl_arguments.ts";

/** Where a command's files and its standard input come from. */
export interface CurlFiles {
  readText(path: string): string;
  /** Whether the variable that a template names may be a number. */
  mayBeNumber(reference: string): boolean;
  /** Of the command, where a file is called `-`. */
  readonly input: ShellInput;
}

/** The data that the options of a transfer make together; undefined without any. */
export function curlData(
  options: readonly GivenOption[],
  files: CurlFiles,
): string | undefined {
  let text: string | undefined;
  for (const { option: { long }, value } of options) {
    const part = partOf(long, value, files);
    if (part === undefined) continue;
    // Parts of `--json` follow each other without anything between.
    const between = text === undefined || long === "json" ? "" : "&";
    text = (text ?? "") + between + part;
  }
  return text;
}

function partOf(
  long: string,
  value: string,
  files: CurlFiles,
): string | undefined {
  switch (long) {
    case "data-raw":
      return value;
    case "data-urlencode":
      return urlEncoded(value, files);
    case "data":
    case "data-ascii":
      return value.startsWith("@")
        ? read(value.slice(1), files).replaceAll(/[\r\n]/g, "")
        : value;
    case "data-binary":
    case "json":
      return value.startsWith("@") ? read(value.slice(1), files) : value;
    default:
      return undefined;
  }
}

/** `text`, `=text`, `name=text`, `@file`, `name@file`. */
export function urlEncoded(value: string, files: CurlFiles): string {
  const at = value.search(/[=@]/);
  if (at < 0) return encode(value);
  const name = value.slice(0, at);
  const rest = value.slice(at + 1);
  const text = value[at] === "@" ? read(rest, files) : rest;
  return name === "" ? encode(text) : `${name}=${encode(text)}`;
}

/** Templates stay what they are. */
export function encode(text: string): string {
  return changeLiterals(
    text,
    (each) => encodeURIComponent(each.toWellFormed()),
  );
}

/** The path of a file: of `-`, that of the input, where it is one. */
export function namedFile(path: string, { input }: CurlFiles): string {
  return path === "-" ? input.file ?? path : path;
}

export function read(path: string, files: CurlFiles): string {
  const named = namedFile(path, files);
  if (hasTemplate(named)) {
    throw new Refused(
      `the name of the file \`${shownText(named)}\` comes from a variable`,
      "write the name into the command",
    );
  }
  if (named !== "-") return files.readText(named);
  if (files.input.text !== undefined) return files.input.text;
  throw new Refused(
    "a command reads its data from standard input, which is not in the command",
    "write the data into the command, or into a file: -d @file",
  );
}
