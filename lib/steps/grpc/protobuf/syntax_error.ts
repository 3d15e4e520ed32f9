import type protobuf from "protobufjs";
import type { Diagnostic } from "../../../base/text/diagnostic.ts";
import {
  type NamedFileLocation,
  positionAt,
} from "../../../base/text/location.ts";
import { nearest } from "../../../base/text/suggest.ts";
import { declaredIn, type Library } from "./library.ts";

/** A `.proto` file and its text. */
export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** An error in a schema; without a location when its main file cannot be read. */
export type SchemaDiagnostic = Diagnostic<NamedFileLocation | undefined>;

/** The location of the `length` characters at `offset` of a file. */
export function locate(
  { name, text }: SchemaFile,
  offset: number,
  length: number = 1,
): NamedFileLocation {
  const { line, column } = positionAt(text, Math.max(0, offset));
  return { file: name, text, range: { line, column, length } };
}

/**
 * The parser's message about a file, on its line. It names the line itself, but
 * for a clash of names or numbers: that is on the last line of the shortest
 * beginning of the file with the same message.
 *
 * @param error of the whole text
 * @param parse throws the parser's message about a text
 */
export function syntaxError(
  { name, text }: SchemaFile,
  { message }: Error,
  parse: (text: string) => void,
): SchemaDiagnostic {
  const lines = text.split("\n");
  const [, said = message, known] =
    /^(.*) \((?:[^()]*, )?line (\d+)\)$/s.exec(message) ?? [];
  const line = known ? Number(known) : firstLine(lines, message, parse);
  const whole = lines[line - 1] ?? "";
  const column = Math.max(1, whole.search(/\S/) + 1);
  const length = Math.max(1, whole.trim().length);
  return {
    code: "proto-syntax",
    message: said.replaceAll("'", "`"),
    at: { file: name, text, range: { line, column, length } },
  };
}

function firstLine(
  lines: readonly string[],
  message: string,
  parse: (text: string) => void,
): number {
  let [low, high] = [1, lines.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    let said = "";
    try {
      parse(lines.slice(0, middle).join("\n"));
    } catch (error) {
      said = (error as Error).message;
    }
    if (said === message) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A `syntax` the parser would read as if it were a known one. */
export function unknownDialect(file: SchemaFile): SchemaDiagnostic | undefined {
  const match = /^\s*syntax\s*=\s*(["'])(.*?)\1/m.exec(file.text);
  const [whole = "", quote = "", dialect = ""] = match ?? [];
  if (!match || dialect === "proto2" || dialect === "proto3") return undefined;
  return {
    code: "proto-syntax",
    message: `\`${dialect}\` is not a syntax of .proto files`,
    hint: "there are `proto3` and `proto2`",
    at: locate(
      file,
      match.index + whole.lastIndexOf(quote + dialect),
      dialect.length + 2,
    ),
  };
}

/** One use of a type that does not exist. */
interface Use {
  /** As written. */
  readonly type: string;
  /** Finds the type in the text, as its first group; with indices. */
  readonly pattern: RegExp;
  readonly file: string | null;
}

/** The location of each is looked for in the whole text. */
const MOST_LISTED = 1_000;

/**
 * Types that are used and do not exist. The library stops at the first
 * and has no location.
 *
 * @param error what it said, when nothing better is found
 */
export function unresolvedTypes(
  root: protobuf.Root,
  files: readonly SchemaFile[],
  error: Error,
  library: Library,
): SchemaDiagnostic[] {
  const uses: Use[] = [];
  const names: string[] = [];
  const { Enum, Field, Method, Type } = library.protobuf;
  for (const each of declaredIn(root, library)) {
    if (each instanceof Type || each instanceof Enum) names.push(each.name);
    if (each instanceof Field) checkField(each, uses);
    else if (each instanceof Method) checkMethod(each, uses);
  }
  const errors = uses.slice(0, MOST_LISTED).map(
    ({ type, pattern, file }): SchemaDiagnostic => {
      const near = nearest(type, names) ??
        names.find((name) => name.endsWith(`.${type}`));
      return {
        code: "proto-type",
        message: `there is no message or enum \`${type}\``,
        hint: near === undefined ? near : `did you mean \`${near}\`?`,
        at: locationOf(pattern, files, file),
      };
    },
  );
  if (errors.length > 0) return errors;
  const [main] = files;
  return [{
    code: "proto-type",
    message: error.message,
    at: main && locate(main, 0),
  }];
}

function locationOf(
  pattern: RegExp,
  files: readonly SchemaFile[],
  name: string | null,
): NamedFileLocation | undefined {
  const ordered = [
    ...files.filter((file) => file.name === name),
    ...files.filter((file) => file.name !== name),
  ];
  for (const file of ordered) {
    const [start, end] = pattern.exec(file.text)?.indices?.[1] ?? [];
    if (start === undefined) continue;
    return locate(file, start, end! - start);
  }
  const [first] = ordered;
  return first && locate(first, 0);
}

function checkField(field: protobuf.Field, uses: Use[]): void {
  try {
    field.resolve();
  } catch {
    const { type, filename } = field;
    const name = RegExp.escape(field.protoName ?? field.name);
    const pattern = new RegExp(
      `(${RegExp.escape(type)})\\s*>?\\s+${name}\\s*=`,
      "d",
    );
    uses.push({ type, pattern, file: filename });
  }
}

function checkMethod(method: protobuf.Method, uses: Use[]): void {
  const { parent, requestType, responseType, filename } = method;
  for (const type of new Set([requestType, responseType])) {
    if (parent?.lookup(type)) continue;
    const pattern = new RegExp(
      `rpc\\s+${RegExp.escape(method.name)}\\b[^;{]*?[(\\s](${
        RegExp.escape(type)
      })\\s*\\)`,
      "d",
    );
    uses.push({ type, pattern, file: filename });
  }
}
