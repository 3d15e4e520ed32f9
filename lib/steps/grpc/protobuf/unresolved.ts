import type protobuf from "protobufjs";
import { nearest } from "../../../base/text/suggest.ts";
import { declaredIn, type Library } from "./library.ts";
import type { NamedFileLocation } from "../../../base/text/location.ts";
import {
  locate,
  type SchemaDiagnostic,
  type SchemaFile,
} from "./syntax_error.ts";

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
