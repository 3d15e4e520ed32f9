import type { PreparedRun } from "../compile.ts";
import { renderSummary } from "../report/text.ts";
import type { RunOutcome } from "../run.ts";
import type { Console } from "./console.ts";

/** Prints what a run came to; failures show their line of the flow file. */
export function showSummary(
  { meta, directory }: RunOutcome,
  { file, sources }: PreparedRun,
  console: Console,
): void {
  const source = sources.get(file);
  console.out(renderSummary(meta, {
    color: console.outColor,
    width: console.width,
    runDir: directory,
    ...(source !== undefined && { source }),
  }));
}
