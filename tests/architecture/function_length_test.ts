import { deepStrictEqual, ok } from "node:assert/strict";
import { sources, textOf } from "./program.ts";

const MOST_LINES = 60;
/** Markup of a page takes a line an element. */
const MOST_OF_MARKUP = 90;

/** Where each function of a source begins and ends. */
const functions: Deno.lint.Plugin = {
  name: "functions",
  rules: {
    all: {
      create(context) {
        const report = (node: Deno.lint.Node) =>
          context.report({ range: node.range, message: "function" });
        return {
          FunctionDeclaration: report,
          FunctionExpression: report,
          ArrowFunctionExpression: report,
        };
      },
    },
  },
};

function linesOfFunctions(path: string): { at: string; lines: number }[] {
  const text = textOf(path);
  return Deno.lint.runPlugin(functions, path, text).map(({ range }) => {
    const [start, end] = range;
    const line = text.slice(0, start).split("\n").length;
    return {
      at: `${path}:${line}`,
      lines: text.slice(start, end).split("\n").length,
    };
  });
}

Deno.test(`no function is longer than ${MOST_LINES} lines`, () => {
  const all = sources().flatMap(linesOfFunctions);
  ok(all.length > 5_000, `the scan found ${all.length} functions`);
  const most = (at: string) =>
    at.includes(".tsx:") ? MOST_OF_MARKUP : MOST_LINES;
  const long = all.filter(({ at, lines }) => lines > most(at))
    .map(({ at, lines }) => `${at}: ${lines} lines`);
  deepStrictEqual(long, []);
});
