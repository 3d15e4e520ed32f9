import type { Diagnostic } from "../../../base/text/diagnostic.ts";
import { positionAt } from "../../../base/text/lines.ts";
import type { NamedFileLocation } from "../../../base/text/location.ts";

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
