import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import { escapeControls } from "../../../lib/base/text/display.ts";
import { parseAssertion } from "../../../lib/language/expressions/assertion.ts";
import { versionOf } from "../../../lib/language/expressions/assertion_ir.ts";
import type { Draft, DraftStep } from "./draft.ts";

/** A comment of YAML or a shell: each text is one line of it. */
export function comments(texts: readonly string[]): string {
  return texts.map((each) => `${`# ${oneLine(each)}`.trimEnd()}\n`).join("");
}

/** A text that ends no line, however it was imported. */
export function oneLine(text: string): string {
  const line = escapeControls(text);
  return line.length > LONGEST_COMMENT
    ? `${line.slice(0, LONGEST_COMMENT).toWellFormed()}…`
    : line;
}

const LONGEST_COMMENT = 1_000;

/** Where a flow's rows are, beside it. */
const fixturePath = (name: string): string => `data/${name}.csv`;

/** A file beside the flow. */
export interface DraftFile {
  readonly path: string;
  readonly text: string;
}

/** The file of rows that the flow reads (RFC 4180), where it has any. */
export function dataFiles({ name, fixture }: Draft): DraftFile[] {
  if (!fixture) return [];
  const line = (cells: readonly string[]) => `${cells.map(cell).join(",")}\n`;
  const text = [fixture.columns, ...fixture.rows].map(line).join("");
  return [{ path: fixturePath(name), text }];
}

/** Paths of the files that steps send, each once. */
export function sentFiles({ steps }: Draft): string[] {
  return [
    ...new Set(steps.flatMap(({ file, multipart = {} }) => [
      ...file === undefined ? [] : [file],
      ...Object.values(multipart).flat().flatMap((part) =>
        isObject(part) && typeof part["file"] === "string" ? [part["file"]] : []
      ),
    ])),
  ];
}

/** Says which columns of the rows are credentials, for a person who fills them in. */
export function secretColumns({ name, fixture }: Draft): string[] {
  return (fixture?.secrets ?? []).map((column) =>
    `Column ${column} of ${
      fixturePath(name)
    } is a credential of each row: fill in its cells, and keep the file out of version control.`
  );
}

function cell(text: string): string {
  return /^[\w.@:/+-]+(?: [\w.@:/+-]+)*$/.test(text)
    ? text
    : `"${text.replaceAll('"', '""')}"`;
}

/** The keys of a flow file as plain data, in the order in which people write them. */
export function flowDocument(draft: Draft): JsonObject {
  const { name, load, auth, fixture, steps } = draft;
  return present({
    version: isOfVersion1(draft) ? 1 : undefined,
    flow: name,
    profile: load && {
      mode: "load",
      vus: load.vus,
      hold: load.hold,
      thresholds: ["error_rate < 1%"],
    },
    ...(fixture && rowsOf(fixturePath(name), load !== undefined)),
    auth,
    cookies: draft.keepsCookies ? "iteration" : undefined,
    values: draft.values,
    steps: steps.map(stepDocument),
  });
}

/** A load test has more iterations than there are recordings: its rows begin again. */
function rowsOf(path: string, isLoad: boolean): JsonObject {
  return isLoad
    ? { pools: { user: { path, on_exhausted: "cycle" } } }
    : { data: path };
}

function isOfVersion1(draft: Draft): boolean {
  const { auth, steps, values, fixture, load, keepsCookies = false } = draft;
  // As `writeTemplate` writes literal braces.
  return values !== undefined || keepsCookies || Boolean(fixture && load) ||
    JSON.stringify([auth, steps]).includes("{{ '{") ||
    steps.some(({ form, multipart, text, file, extract = {}, assert = [] }) =>
      (form ?? multipart ?? text ?? file) !== undefined ||
      assert.some((each) => versionOf(parseAssertion(each)) > 0) ||
      Object.values(extract).some((each) =>
        typeof each !== "string" || !each.startsWith("$")
      )
    );
}

/** The keys of one step, in the order in which people write them. */
function stepDocument(step: DraftStep): JsonObject {
  const { id, call, graphql, headers, query, extract, assert, auth } = step;
  const { wait, body, form, multipart, text, file } = step;
  return present({
    id,
    wait,
    call,
    graphql,
    auth,
    headers: filled(headers),
    query: filled(query),
    body,
    form,
    multipart: filled(multipart),
    text,
    file,
    extract: filled(extract),
    assert: assert?.length ? assert : undefined,
    on_failure: step.onFailure,
  });
}

function filled<T extends object>(map: T | undefined): T | undefined {
  return map && Object.keys(map).length > 0 ? map : undefined;
}

function present(
  fields: Readonly<Record<string, JsonValue | object | undefined>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}
