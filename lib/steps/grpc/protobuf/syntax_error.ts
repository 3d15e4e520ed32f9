import protobuf from "protobufjs";
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

/** What is wrong with a schema; without a location when its main file cannot be read. */
export type SchemaDiagnostic = Diagnostic<NamedFileLocation | undefined>;

/** The location of the character at `offset` of a file. */
export function locate(
  { name, text }: SchemaFile,
  offset: number,
): NamedFileLocation {
  const { line, column } = positionAt(text, Math.max(0, offset));
  return { file: name, text, range: { line, column, length: 1 } };
}

/**
 * What the parser said about a file, with its location. The parser gives a line
 * for wrong syntax and none for a clash of names or numbers; a column never.
 */
export function syntaxError(file: SchemaFile, error: Error): SchemaDiagnostic {
  const { message } = error;
  const known = /^illegal (.*?) \((?:.*, )?line (\d+)\)$/s.exec(message);
  if (known) return illegal(file, known[1]!, Number(known[2]));
  if (message === "field must be a Field") {
    const group = /\boneof\s+\w+\s*\{[^}]*?\b(?=group\b)/.exec(file.text);
    return {
      code: "proto-syntax",
      message: "a group inside a `oneof` cannot be read",
      hint: "declare it as a message, and a field of that type",
      at: locate(file, group ? group.index + group[0].length : 0),
    };
  }
  const clash = clashOffset(file.text, message);
  return {
    code: "proto-syntax",
    message: plain(message),
    at: locate(file, clash ?? 0),
  };
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
    at: locate(file, match.index + whole.lastIndexOf(quote + dialect)),
  };
}

/** @param said such as `token 'x'`, `token 'x', ';' expected` or `comment` */
function illegal(
  file: SchemaFile,
  said: string,
  line: number,
): SchemaDiagnostic {
  const [, noun = said, found, expected] =
    /^([\w ]*?)(?: '(.*?)')?(?:, '(.*)' expected)?$/s.exec(said) ?? [];
  const what = found === undefined || found === "null" ? END : `\`${found}\``;
  return {
    code: "proto-syntax",
    message: messageFor(noun, what, expected, found),
    at: locate(file, offsetOf(file.text, line, found)),
  };
}

const END = "the end of the file";

const EXPECTED: Readonly<Record<string, string>> = {
  id: "a number",
  name: "a name",
  "type name": "the name of a type",
  type: "a type",
  value: "a value",
  number: "a number",
  integer: "a whole number",
  "service name": "the name of a service",
  reference: "the name of a type",
};

function messageFor(
  noun: string,
  what: string,
  expected: string | undefined,
  found: string | undefined,
): string {
  if (noun === "string" && found === undefined) return "this string has no end";
  if (noun === "comment") return "this comment has no end";
  if (what === END && expected === undefined && EXPECTED[noun] === undefined) {
    return "the file ends before its last block does";
  }
  if (noun === "syntax" || noun === "edition") {
    return `${what} is not a ${noun} this bench reads`;
  }
  const needed = expected === undefined ? EXPECTED[noun] : `\`${expected}\``;
  return needed === undefined
    ? `${what} does not belong here`
    : `expected ${needed}, but found ${what}`;
}

function offsetOf(
  text: string,
  line: number,
  found: string | undefined,
): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).join("\n").length +
    (line > 1 ? 1 : 0);
  const here = lines[line - 1] ?? "";
  if (found === undefined || found === "null" || found === "") {
    return before + (here.length - here.trimStart().length);
  }
  const at = wordAt(here, found);
  // The parser looks one token ahead, which may be on an earlier line.
  return at < 0 ? before : before + at;
}

function wordAt(line: string, word: string): number {
  const escaped = RegExp.escape(word);
  const edged = /^\w/.test(word) ? `(?<!\\w)${escaped}(?!\\w)` : escaped;
  return line.search(new RegExp(edged));
}

/** Where a duplicate or reserved name or number stands. */
function clashOffset(text: string, message: string): number | undefined {
  const match =
    /^(duplicate )?(id|name) '?([^' ]+?)'?(?: is reserved)? in \w+ \.?(.*)$/
      .exec(message);
  if (!match) return undefined;
  const [, duplicate, kind, what = "", owner = ""] = match;
  const short = owner.slice(owner.lastIndexOf(".") + 1);
  const start = text.search(
    new RegExp(
      `\\b(?:message|enum|service|oneof)\\s+${RegExp.escape(short)}\\s*\\{`,
    ),
  );
  const body = text.slice(Math.max(0, start));
  const pattern = kind === "id"
    ? new RegExp(`(?<==\\s*)${RegExp.escape(what)}(?!\\w)`, "g")
    : new RegExp(`(?<!\\w)${RegExp.escape(what)}(?=\\s*[={(])`, "g");
  const found = [...body.matchAll(pattern)];
  const hit = found[duplicate ? 1 : 0] ?? found[0];
  return hit && hit.index + Math.max(0, start);
}

/** The parser's other words, with its quotes and dots made ours. */
function plain(message: string): string {
  return message
    .replace(
      /\b(Type|Enum|Service|Root|Namespace) \.?/g,
      (_, kind) => `${KINDS[kind as keyof typeof KINDS]} `,
    )
    .replace(/ in (message|enum|service|package) (\S+)/, " in $1 `$2`")
    .replace(/'([^']*)'/g, "`$1`")
    .trim();
}

const KINDS = {
  Type: "message",
  Enum: "enum",
  Service: "service",
  Root: "package",
  Namespace: "package",
} as const;

/** One use of a type that does not exist. */
interface Use {
  /** As written. */
  readonly type: string;
  /** Finds the type in the text, as its first group's start. */
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
    const match = pattern.exec(file.text);
    if (!match) continue;
    const offset = match.index + match[0].indexOf(match[1]!);
    return locate(file, offset);
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
    );
    uses.push({ type, pattern, file: filename });
  }
}
