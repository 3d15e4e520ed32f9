import {
  type Location,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { LSPErrorCodes } from "vscode-languageserver";
import {
  definitionOfUse,
  nameAt,
  rename,
  usesOf,
  whyFixed,
} from "../../lib/language/editor/find_name.ts";
import { columnIn } from "../../lib/language/editor/fixture_column.ts";
import type { NameUse } from "../../lib/language/editor/names.ts";
import { editIn, rangeIn } from "./ranges.ts";
import type { OpenFile, Workspace } from "./workspace.ts";

/** A name, and every name of its file. */
interface Found {
  readonly use: NameUse;
  readonly names: readonly NameUse[];
}

function find(
  { document, language }: OpenFile,
  offset: number,
): Found | undefined {
  const names = language.names.of(document);
  const use = nameAt(names, offset);
  return use && { use, names };
}

/** Where the name at `offset` gets its value. */
export function definition(
  open: OpenFile,
  offset: number,
  workspace: Workspace,
): Location[] {
  const found = find(open, offset);
  if (!found) return [];
  if (found.use.kind === "column") {
    return columnLocation(open, found.use.name, workspace);
  }
  return definitionOfUse(found.names, found.use)
    .map((each) => locationOf(open, each));
}

/** A column is defined in the header of its fixture. */
function columnLocation(
  { document, uri }: OpenFile,
  name: string,
  workspace: Workspace,
): Location[] {
  const data = document.textAt(["data"]);
  if (data === undefined) return [];
  const fixture = workspace.uriOf(workspace.pathBeside(uri, data));
  const text = workspace.textAt(fixture);
  const range = text === undefined ? undefined : columnIn(text, data, name);
  return range ? [{ uri: fixture, range }] : [];
}

/** Every location that has the name at `offset`. */
export function references(
  open: OpenFile,
  offset: number,
  withDefinition: boolean,
): Location[] {
  const found = find(open, offset);
  return !found ? [] : usesOf(found.names, found.use)
    .filter(({ defines }) => withDefinition || !defines)
    .map((each) => locationOf(open, each));
}

/** The range of the variable that would be renamed. @throws {ResponseError} */
export function renameRange(
  open: OpenFile,
  offset: number,
): Range | undefined {
  const found = find(open, offset);
  if (!found) return;
  const why = whyFixed(found.use);
  if (why !== undefined) throw refused(why);
  return rangeIn(open.source, found.use);
}

/** The edits that rename a variable. @throws {ResponseError} that says why not */
export function renameEdits(
  open: OpenFile,
  offset: number,
  to: string,
): WorkspaceEdit {
  const found = find(open, offset);
  if (!found) throw refused("there is no variable here");
  const result = rename(found.names, found.use, to);
  if ("refused" in result) throw refused(result.refused);
  const edits = result.changes.map((each) => editIn(open.source, each));
  return { changes: { [open.uri]: edits } };
}

function refused(why: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, why);
}

function locationOf({ uri, source }: OpenFile, use: NameUse): Location {
  return { uri, range: rangeIn(source, use) };
}
