import { compileFlow } from "../../lib/compile.ts";
import type { Console } from "../terminal/console.ts";
import { type DiagnosticsForm, showWarnings } from "../terminal/diagnostics.ts";
import { failWith } from "../terminal/fail.ts";
import { readFlowFile } from "../inputs/input_files.ts";

/** Prints the canonical IR, without a newline. Returns the exit code. */
export async function compileCommand(
  file: string,
  options: { readonly diagnostics: DiagnosticsForm },
  console: Console,
): Promise<number> {
  try {
    const compiled = await compileFlow(await readFlowFile(file, console));
    showWarnings(compiled, console);
    console.out(compiled.canonical);
    return 0;
  } catch (error) {
    return failWith(error, console, options.diagnostics);
  }
}
