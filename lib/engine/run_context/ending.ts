import {
  type GeneratorCost,
  type GeneratorData,
  generatorFigures,
} from "../../results/record/generator.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import {
  generatorHealth,
  heldBackHealth,
} from "../../results/report/generator.ts";
import { latencyText, plural } from "../../results/report/figures.ts";
import type { RunEnding } from "../../results/report/summary.ts";
import type { GeneratorHealth } from "../../model/result/run.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";
import { ignoredKeys } from "../../language/flow/ignored.ts";
import type { RunContext } from "./run_context.ts";
import { unmetIterations } from "./unmet.ts";

/** How the run ended, beside what it counted. */
export function endingOf(
  run: RunContext,
  reports: readonly WorkerReport[],
  generators: GeneratorData,
  cost: GeneratorCost,
): RunEnding {
  const { options, secrets } = run;
  const { durationMs } = cost;
  const stopped = reports.find((each) => each.stopReason) ??
    { stopReason: options.stop.reason, stopDetail: options.stop.detail };
  const signal = options.signal();
  const generator = healthOf(run, generators, cost);
  const status = signal
    ? "interrupted"
    : stopped.stopReason === "store_error"
    ? "errored"
    : stopped.stopReason === "abort_run" || stopped.stopReason === "breach"
    ? "aborted"
    : "finished";
  const unmet = status === "finished" &&
    unmetIterations(run.plan, reports, durationMs);
  const ignored = ignoredKeys(run.prepared.flow.profile);
  return {
    status,
    durationMs,
    ...(signal && { signal }),
    ...(stopped.stopDetail && stopped.stopReason !== "certain" &&
      { abortReason: stopped.stopDetail }),
    ...(generator && { generator }),
    agentAttached: false,
    knee: null,
    notes: [
      ...options.notes,
      ...ignored ? [ignored.message] : [],
      ...unmet && stopped.stopReason !== "certain" ? [unmet] : [],
      ...run.earlyEnd.notes(durationMs),
      ...secretNotes(secrets),
      ...pauseNotes(generators),
    ],
  };
}

/** Integration and system runs report it only when requests were held back. */
function healthOf(
  { plan }: RunContext,
  generators: GeneratorData,
  cost: GeneratorCost,
): GeneratorHealth | undefined {
  const figures = generatorFigures(generators, cost);
  if (plan.executor !== "rows") return generatorHealth(figures);
  return figures.held_requests > 0 ? heldBackHealth(figures) : undefined;
}

/** What a run did not offer, because nothing came back. */
function pauseNotes({ paused, pausedMs }: GeneratorData): string[] {
  return paused === 0 ? [] : [
    `${
      plural(paused, "iteration")
    } got no byte from the network: their VUs paused before the next one, ${
      latencyText(pausedMs)
    } in all`,
  ];
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
