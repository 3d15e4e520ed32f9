import { checkInputs } from "../../lib/compile.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/diagnostics.ts";
import { failWith } from "../terminal/fail.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import type { ValidateFlags } from "./flow_options.ts";
import { systemWorld } from "../inputs/world.ts";

/** Every check there is before a run; sends nothing. Returns the exit code. */
export async function validateCommand(
  file: string,
  options: ValidateFlags,
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
