import { isAbsolute, join } from "node:path";
import { readFixture } from "../data/fixture.ts";
import type { Fixture } from "../data/table.ts";
import { parseTemplate, quote } from "../../language/expressions/template.ts";
import type { Flow } from "../../language/ir.ts";
import { InputError, type Report } from "../../base/text/diagnostic.ts";
import { nearest } from "../../base/text/suggest.ts";
import { flowStrings } from "../../language/validate/environment.ts";
import { registry } from "../../steps/registry.ts";
import type { FlowFiles } from "./prepared_run.ts";

/**
 * Reads every fixture of the flow, by pool name. A file that is missing is
 * reported where the flow names it; an error inside it, at its own line.
 */
export function readFixtures(
  { read, directory, world, report, diagnostics }: FlowFiles,
): ReadonlyMap<string, Fixture> {
  const byPool = new Map<string, Fixture>();
  for (const [index, pool] of (read.flow.pools ?? []).entries()) {
    const isKnown = ["path", "format"]
      .every((key) => read.isSound(`/pools/${index}/${key}`));
    if (!isKnown) continue;
    const path = isAbsolute(pool.path) ? pool.path : join(directory, pool.path);
    try {
      const fixture = world.readFixture
        ? world.readFixture(path, pool.format)
        : readFixture(path, pool.format, world.readBytes);
      if (fixture) byPool.set(pool.name, fixture);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const [file, text] of error.sources) diagnostics.addText(file, text);
      for (const each of error.diagnostics) {
        if (each.at.range) diagnostics.report(each);
        else report({ ...each, at: `/pools/${index}/path` });
      }
    }
  }
  return byPool;
}

function columnHint(
  root: string,
  column: string,
  columns: readonly string[],
): string {
  const spaced = columns.find((each) => each.trim() === column);
  const near = spaced ?? nearest(column, columns);
  if (near === undefined) {
    return `its columns: ${columns.map((each) => shown(each)).join(", ")}`;
  }
  const meant = `did you mean ${columnTemplate(root, near)}?`;
  return spaced === undefined
    ? meant
    : `${meant} The space belongs to the column's name in the file`;
}

/** The template of a column, whose name may have dots and spaces in it. */
function columnTemplate(root: string, column: string): string {
  return quote({
    root,
    path: /\s/.test(column) ? [column] : column.split("."),
  });
}

function shown(column: string): string {
  return /^\S+$/.test(column) ? column : JSON.stringify(column);
}

/** Reports templates that name a column their fixture does not have. */
export function checkColumns(
  flow: Flow,
  fixtures: ReadonlyMap<string, Fixture>,
  report: Report,
): void {
  for (const { pointer, text } of flowStrings(flow, registry)) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string") continue;
      const columns = fixtures.get(part.root)?.columns;
      const column = part.path.join(".");
      // A template without a column was reported as one.
      if (!columns || column === "" || columns.includes(column)) continue;
      report({
        at: { pointer, inside: quote(part) },
        code: "unresolved-template",
        message: `${quote(part)} names a column the fixture does not have`,
        hint: columnHint(part.root, column, columns),
      });
    }
  }
}
