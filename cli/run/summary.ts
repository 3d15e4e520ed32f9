import type { PreparedRun } from "../../lib/compile.ts";
import { renderSummary } from "../../lib/results/formats/text.ts";
import type { RunOutcome } from "../../lib/run.ts";
import { metaText } from "../../lib/results/store/run_writer.ts";
import type { Console } from "../terminal/console.ts";
import { printError } from "../terminal/fail.ts";

/**
 * Prints what a run came to; failures show their line of the flow file. Where
 * the store could not take all of it, this is the only place that has it.
 */
export function showOutcome(
  { meta, directory, unsaved }: RunOutcome,
  { sources }: PreparedRun,
  console: Console,
  { json, verbose }: {
    readonly json?: boolean;
    readonly verbose?: boolean;
  } = {},
): void {
  if (json) console.out(metaText(meta));
  else {
    const { outColor: color, width } = console;
    console.print(
      renderSummary(meta, {
        color,
        width,
        sources,
        ...(directory !== undefined && { runDir: directory }),
        ...(verbose && { verbose }),
      }),
    );
  }
  if (unsaved) printError(console, unsaved.message, unsaved.hint);
}
