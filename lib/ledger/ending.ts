import type { GeneratorTotals } from "../record/generator.ts";
import type { Secrets } from "../redact/secrets.ts";
import { generatorHealth } from "../report/generator.ts";
import type { RunEnding } from "../report/summary.ts";
import type { ThreadReport } from "../threads/crew.ts";
import type { OpenRun } from "./open_run.ts";

/** How the run ended, beside what it counted. */
export function endingOf(
  run: OpenRun,
  reports: readonly ThreadReport[],
  generators: GeneratorTotals,
  durationMs: number,
  cpuShare: number,
): RunEnding {
  const { options, plan, secrets } = run;
  const stopped = reports.find((each) => each.stopReason) ??
    { stopReason: options.stop.reason, stopDetail: options.stop.detail };
  const signal = options.signal();
  const unserved = reports.reduce((sum, each) => sum + each.unserved, 0);
  return {
    status: signal
      ? "interrupted"
      : stopped.stopReason === "store_error"
      ? "errored"
      : stopped.stopReason === "abort_run"
      ? "aborted"
      : "finished",
    endedAt: options.clock.wall(),
    durationMs,
    ...(signal && { signal }),
    ...(stopped.stopDetail && { abortReason: stopped.stopDetail }),
    ...(plan.executor !== "rows" && {
      generator: generatorHealth({ ...generators, cpuShare, unserved }),
    }),
    agentAttached: false,
    knee: null,
    notes: [...options.notes, ...secretNotes(secrets)],
  };
}

function secretNotes(secrets: Secrets): string[] {
  const count = secrets.short.length;
  return count === 0 ? [] : [
    `${count} secret ${
      count === 1 ? "value is" : "values are"
    } shorter than 4 characters: redacting ${
      count === 1 ? "it" : "them"
    } hides other text as well`,
  ];
}
