import { checkInputs, compileFlow } from "../../lib/compile.ts";
import {
  flowFileSchema,
  targetSchema,
} from "../../lib/language/editor/file_language.ts";
import { registry } from "../../lib/steps/registry.ts";
import { InputError, isError } from "../../lib/base/text/diagnostic.ts";
import { plural } from "../../lib/results/report/figures.ts";
import { diagnosticsOf, flowFiles } from "../inputs/flow_files.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/errors.ts";
import { withLoad } from "../options/judged_flow.ts";
import type { FlagsOf } from "../options/option.ts";
import type { VALIDATE } from "./flow_options.ts";

/**
 * Every check there is before a run, of one flow or several; sends nothing.
 * Returns the exit code.
 *
 * @param names files, folders and patterns
 * @throws {InputError} with what is said of all of them, when one is wrong
 */
export async function validateCommand(
  names: readonly string[],
  flags: FlagsOf<typeof VALIDATE>,
  console: Console,
): Promise<number> {
  const { target: name, mode, diagnostics: form } = flags;
  const passed: string[] = [];
  const check = async (file: string) => {
    const flow = withLoad(await readFlowFile(file, console, mode), flags);
    const target = name === undefined
      ? undefined
      : await readTargetFile(name, flow);
    const checked = await checkInputs(flow, target, systemEnvironment);
    if (form === "text") {
      const { flow: { flow: title, steps: { length } } } = checked;
      passed.push(
        `${file}: ok: flow \`${title}\`, ${plural(length, "step")}${
          target ? `, target ${target.file}` : ""
        }\n`,
      );
    }
    return { diagnostics: checked.warnings, sources: checked.sources };
  };
  const { diagnostics, sources } = await diagnosticsOf(flowFiles(names), check);
  const isRefused = diagnostics.some(isError);
  if (!isRefused) {
    showWarnings({ warnings: diagnostics, sources }, console, form);
  }
  console.print(passed.join(""));
  if (isRefused) throw new InputError(diagnostics, sources);
  return 0;
}

/** Prints the canonical IR, without a newline. Returns the exit code. */
export async function compileCommand(
  file: string,
  _: unknown,
  console: Console,
): Promise<number> {
  const flow = await readFlowFile(file, console);
  const compiled = await compileFlow(flow, systemEnvironment);
  showWarnings(compiled, console);
  console.out(compiled.canonical);
  return 0;
}

/** Prints a JSON Schema for editors. Returns the exit code. */
export function schemaCommand(
  of: "flow" | "target",
  _: unknown,
  console: Console,
): number {
  const schema = of === "flow" ? flowFileSchema(registry) : targetSchema();
  console.out(`${JSON.stringify(schema, undefined, 2)}\n`);
  return 0;
}
