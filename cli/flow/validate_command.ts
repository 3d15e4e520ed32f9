import type { Mode } from "../../lib/model/mode.ts";
import { checkInputs } from "../../lib/compile.ts";
import type { Console } from "../terminal/console.ts";
import { type DiagnosticsForm, showWarnings } from "../terminal/diagnostics.ts";
import { failWith } from "../terminal/fail.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { systemWorld } from "../inputs/world.ts";

/** Options of `bench validate`. */
interface ValidateOptions {
  readonly target?: string;
  readonly mode?: Mode;
  readonly diagnostics: DiagnosticsForm;
}

/** Every check there is before a run; sends nothing. Returns the exit code. */
export async function validateCommand(
  file: string,
  options: ValidateOptions,
  console: Console,
): Promise<number> {
  try {
    const flow = await readFlowFile(file, console, options.mode);
    const target = options.target === undefined
      ? undefined
      : await readTargetFile(options.target, flow);
    const checked = await checkInputs(flow, target, systemWorld);
    showWarnings(checked, console, options.diagnostics);
    if (options.diagnostics === "text") {
      const steps = checked.flow.steps.length;
      console.print(
        `${file}: ok: flow \`${checked.flow.flow}\`, ${steps} ${
          steps === 1 ? "step" : "steps"
        }${target ? `, target ${target.file}` : ""}\n`,
      );
    }
    return 0;
  } catch (error) {
    return failWith(error, console, options.diagnostics);
  }
}
