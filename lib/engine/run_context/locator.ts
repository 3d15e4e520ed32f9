import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { Locate } from "../../results/report/summary.ts";
import { spanOf } from "../../base/text/span.ts";

/** Run-time failures point into the flow file. */
export function locator(prepared: Pick<PreparedRun, "file" | "spans">): Locate {
  return (pointer: string) => {
    const span = spanOf(prepared.spans, pointer);
    if (!span || span.line === 0) return;
    const { file = prepared.file, line, column } = span;
    return { file, line, column };
  };
}
