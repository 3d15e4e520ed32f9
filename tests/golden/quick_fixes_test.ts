import { ok } from "node:assert/strict";
import { checkInputs, checkTarget, type Environment } from "../../lib/compile.ts";
import { type Diagnostic, InputError } from "../../lib/base/text/diagnostic.ts";
import { lineOf } from "../../lib/base/text/location.ts";
import { quickFixes } from "../../lib/language/editor/quick_fix.ts";
import { casesIn } from "./read_case.ts";
import { yamlInput } from "../support/run_in_process.ts";

const CASES = new URL("./diagnostics/", import.meta.url);

async function check(
  file: string,
  text: string,
  environment: Environment,
): Promise<readonly Diagnostic[]> {
  const input = yamlInput(file, text);
  try {
    if (file !== "target.yaml") {
      return (await checkInputs(input, undefined, environment)).warnings;
    }
    checkTarget(input);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics;
  }
}

/** The input files of the golden cases that are UTF-8. */
function* inputs() {
  for (const { name, folder } of casesIn(CASES)) {
    const environment: Environment = {
      lenient: true,
      env: () => "a value",
      readBytes: (path) => Deno.readFileSync(new URL(path, folder)),
    };
    for (const { name: file } of Deno.readDirSync(folder)) {
      if (file !== "flow.yaml" && file !== "target.yaml") continue;
      const bytes = Deno.readFileSync(new URL(file, folder));
      try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        yield { name, file, text, environment };
      } catch {
        continue;
      }
    }
  }
}

Deno.test("quickFixes: each one ends the diagnostic it belongs to, in every golden case", async () => {
  let count = 0;
  for (const { name, file, text, environment } of inputs()) {
    for (const { message, hint = "", at } of await check(file, text, environment)) {
      const { range } = at;
      if (!range || at.file !== file) continue;
      const line = lineOf(text, range.line)!;
      const start = range.column - 1;
      const flaw = { message, hint, line, start, end: start + range.length };
      for (const fix of quickFixes(flaw)) {
        count++;
        const lines = text.split("\n");
        lines[range.line - 1] = line.slice(0, fix.start) + fix.text +
          line.slice(fix.end);
        const left = await check(file, lines.join("\n"), environment);
        const still = left.some((each) =>
          each.message === message && each.at.range?.line === range.line
        );
        ok(!still, `${name}: ${message}: ${JSON.stringify(fix)}`);
      }
    }
  }
  ok(count > 100, `${count} fixes`);
});
