import { isAbsolute, join } from "node:path";
import { readFixture } from "../data/fixture.ts";
import type { Fixture } from "../data/table.ts";
import { parseTemplate, quote } from "../../language/expressions/template.ts";
import type { Flow } from "../../model/ir/flow.ts";
import { type Diagnostic, InputError } from "../../base/text/diagnostic.ts";
import type { Report } from "../../base/text/report.ts";
import { nearest } from "../../base/text/suggest.ts";
import { templatedStrings } from "../../language/validate/templated.ts";
import type { World } from "./world.ts";

/** Fixtures by pool name, and what is wrong with their files. */
export interface Fixtures {
  readonly byPool: ReadonlyMap<string, Fixture>;
  readonly mistakes: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Reads every fixture of the flow. A file that is missing is reported where the
 * flow names it; a mistake inside it, at its own line.
 *
 * @param directory paths are relative to it
 */
export function readFixtures(
  flow: Flow,
  directory: string,
  world: World,
  report: Report,
): Fixtures {
  const byPool = new Map<string, Fixture>();
  const mistakes: Diagnostic[] = [];
  const sources = new Map<string, string>();
  for (const [index, pool] of (flow.pools ?? []).entries()) {
    const path = isAbsolute(pool.path) ? pool.path : join(directory, pool.path);
    try {
      byPool.set(pool.name, readFixture(path, pool.format, world.readBytes));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const [file, text] of error.sources) sources.set(file, text);
      for (const mistake of error.diagnostics) {
        if (mistake.span) mistakes.push(mistake);
        else {
          const { code, message, hint } = mistake;
          report(`/pools/${index}/path`, code, message, hint);
        }
      }
    }
  }
  return { byPool, mistakes, sources };
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
  for (const [index, step] of flow.steps.entries()) {
    for (const { pointer, text } of templatedStrings(step, `/steps/${index}`)) {
      for (const part of parseTemplate(text)) {
        if (typeof part === "string") continue;
        const columns = fixtures.get(part.root)?.columns;
        const column = part.path.join(".");
        if (!columns || columns.includes(column)) continue;
        report(
          pointer,
          "unresolved-template",
          `${quote(part)} names a column the fixture does not have`,
          columnHint(part.root, column, columns),
          quote(part),
        );
      }
    }
  }
}
