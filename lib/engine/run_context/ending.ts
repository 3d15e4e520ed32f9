import {
  type GeneratorCost,
  type GeneratorData,
  generatorFigures,
} from "../../results/record/generator.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import type { StopReason } from "../vu/stop.ts";
import {
  generatorHealth,
  heldBackHealth,
} from "../../results/report/generator.ts";
import {
  countText,
  endsInWarmUp,
  latencyText,
  onceFailure,
  plural,
} from "../../results/report/figures.ts";
import type { LatencyEvidence } from "../../results/statistics/percentile_bounds.ts";
import type { RunEnding } from "../../results/report/summary.ts";
import type { GeneratorHealth, OnceSummary } from "../../model/result/run.ts";
import { ignoredKeys } from "../../language/flow/profile.ts";
import type { EndedRun, RunContext } from "./run_context.ts";
import {
  exhaustedOf,
  healthOfAll,
  lossNotes,
  type Recorded,
  shardSummary,
} from "./shards.ts";
import { sum } from "../../base/values/sum.ts";
import {
  changingOf,
  isHighest,
  lastOf,
  levelAt,
  vusAt,
} from "../../model/course.ts";
import type { SecondData } from "../../results/record/series.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";
import { latencyOf } from "../../results/histograms/fine_buckets.ts";
import type { Recording } from "../../results/record/snapshot.ts";
import { findKnee } from "../../results/knee/knee.ts";
import { partFigures } from "../../results/record/part_figures.ts";
import { effectiveThresholds, judge } from "../../results/report/thresholds.ts";
import type { AgentSamples } from "./agent_samples.ts";

/** How the run ended, beside what it counted. */
export function endingOf(
  run: EndedRun,
  { workers: reports, cost, shards: shares }: Recorded,
  generators: GeneratorData,
  latencies: LatencyEvidence,
): RunEnding {
  const { options, secrets, workers, listeners } = run;
  const { durationMs } = cost;
  const { offered } = generators;
  // Why one shard left is reported for that shard.
  const whole = shares?.filter((each) => !each.lost)
    .flatMap((each) => each.workers) ?? reports;
  const stopped = whole.find((each) => each.stopReason) ??
    { stopReason: options.stop.reason, stopDetail: options.stop.detail };
  const signal = options.signal();
  const shards = shares?.map(shardSummary);
  const health = healthOf(run, generators, cost, reports);
  const generator = health && shards ? healthOfAll(health, shards) : health;
  const losses = signal || !shares ? [] : lossNotes(shares);
  const tooMany = losses.length > (options.part?.tolerateLost ?? 0);
  const status = signal
    ? "interrupted"
    : stopped.stopReason === "store_error" ||
        stopped.stopReason === "lead_lost"
    ? "errored"
    : ABORTS.has(stopped.stopReason)
    ? "aborted"
    : tooMany
    ? "errored"
    : "finished";
  const isCertain = stopped.stopReason === "certain";
  const stopDetail = isCertain ? undefined : stopped.stopDetail;
  const abortReason = stopDetail || (tooMany ? losses[0] : undefined);
  const unmet = losses.length === 0 &&
    unmetPlan(run, reports, durationMs, status === "finished");
  return {
    status,
    durationMs,
    ...(signal && { signal }),
    ...(abortReason && { abort_reason: abortReason }),
    ...(offered !== undefined && { offered_requests: offered }),
    ...(generator && { generator }),
    ...(shards && { shards }),
    ...run.setup && { setup: run.setup.summary },
    ...run.teardown && { teardown: run.teardown.summary },
    notes: [
      ...options.notes,
      ...onceNotes(run),
      ...losses,
      ...workers.notes?.() ?? [],
      ...ignoredNotes(run),
      ...unmet && !isCertain ? [unmet] : [],
      ...listeners.flatMap((each) => each.notes?.(latencies) ?? []),
      ...secretNotes(secrets),
      ...loadNotes(run, durationMs, generators),
    ],
  };
}

/** Keys of the profile that have no effect in its mode. */
function ignoredNotes({ prepared: { flow } }: EndedRun): string[] {
  const ignored = ignoredKeys(flow.profile);
  return ignored ? [ignored.message] : [];
}

/** Why a run ended early, where it fails for that. */
const ABORTS: ReadonlySet<unknown> = new Set<StopReason>([
  "abort_run",
  "setup",
  "breach",
]);

/** Notes that nothing was sent, or that `teardown` did not pass, was broken off or was left out. */
function onceNotes(
  { neverBegan, leftTeardownOut, teardown }: EndedRun,
): string[] {
  if (neverBegan) return ["stopped before it began: nothing was sent"];
  if (leftTeardownOut && !teardown) {
    return ["`teardown` was left out: a second signal came before it"];
  }
  if (teardown?.summary.outcome === "interrupted") {
    return [brokenOff(teardown.summary)];
  }
  const failed = teardown && onceFailure("teardown", teardown.summary);
  return failed === undefined ? [] : [failed];
}

function brokenOff({ steps, requests }: OnceSummary): string {
  const named = (some: typeof steps) =>
    some.map(({ id }) => `\`${id}\``).join(", ");
  const left = steps.filter(({ outcome }) => outcome === null);
  const begun = steps.filter(({ outcome }) => outcome !== null).slice(-1);
  return [
    `\`teardown\` was broken off by a second signal: ${
      plural(requests, "request")
    } sent`,
    ...begun.length > 0 ? [`the last of step ${named(begun)}`] : [],
    ...left.length > 0 ? [`left out: ${named(left)}`] : [],
  ].join(", ");
}

/** Integration and system runs report it only when requests were held back. */
function healthOf(
  { plan }: EndedRun,
  generators: GeneratorData,
  cost: GeneratorCost,
  reports: readonly WorkerReport[],
): GeneratorHealth | undefined {
  const figures = generatorFigures(generators, cost);
  if (plan.executor !== "rows") {
    return generatorHealth(figures, cost.durationMs, exhaustedOf(reports));
  }
  return figures.held_requests > 0 ? heldBackHealth(figures) : undefined;
}

/** The load that a run did not make, or did not measure. */
function loadNotes(
  { plan: { warmUpMs }, leftLoadOut }: EndedRun,
  durationMs: number,
  { paused, pausedMs }: GeneratorData,
): string[] {
  if (warmUpMs && !leftLoadOut && endsInWarmUp(durationMs)) {
    return ["the run ended in its warm-up: nothing was measured"];
  }
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
    } shorter than 4 characters: ${
      count === 1 ? "it is" : "they are"
    } redacted only where ${count === 1 ? "it is" : "they are"} a whole value`,
  ];
}

/** Why a run made less load than its plan asks for, if it began any. */
function unmetPlan(
  { plan, prepared: { flow: { profile } } }: EndedRun,
  reports: readonly WorkerReport[],
  durationMs: number,
  isFinished: boolean,
): string | undefined {
  const { iterations, vus, endMs = Infinity, warmUpMs = 0 } = plan;
  const begun = sum(
    reports,
    ({ snapshot: { iterations, warmUp } }) =>
      iterations.started + (warmUp?.iterations.started ?? 0),
  );
  if (begun >= (iterations ?? Infinity)) return undefined;
  if (!isFinished && begun === 0) return undefined;
  const lastedMs = durationMs + warmUpMs;
  const ranDry = isFinished && lastedMs < endMs && "a pool has no rows left";
  if (iterations === undefined) {
    return ranDry
      ? `the run ended after ${latencyText(lastedMs)} of ${
        latencyText(endMs)
      }: ${ranDry}`
      : undefined;
  }
  const cause = !isFinished
    ? "the run was stopped"
    : ranDry
    ? ranDry
    : profile.stages
    ? "the stages ended first"
    : vus && lastOf(vus) === 0
    ? "the ramp ended at 0 VUs"
    : "`hold` ended first";
  return `${countText(begun)} of ${
    countText(iterations)
  } iterations began: ${cause}`;
}

/**
 * Adds what the target's agent reported, and the knee of a stress run that
 * breached its thresholds.
 */
export function withFindings(
  ending: RunEnding,
  { facts, plan }: Pick<RunContext, "facts" | "plan">,
  recording: Pick<Recording, "totals" | "seconds" | "stretches">,
  { series, notes }: AgentSamples,
): RunEnding {
  const explained = {
    ...ending,
    agent_attached: series !== undefined,
    notes: [...ending.notes ?? [], ...notes],
  };
  if (facts.mode !== "stress") return explained;
  const thresholds = effectiveThresholds(facts.mode, facts.thresholds);
  const verdicts = judge(
    thresholds,
    recording.totals,
    facts,
    ending.durationMs,
  );
  const breached = thresholds.filter((_, index) => !verdicts[index]!.pass);
  if (breached.length === 0) return explained;
  const knee = findKnee({
    breached,
    seconds: climbing(plan, recording.seconds),
    latencyOf,
    partOf: partFigures(recording, facts),
    samples: series?.samples ?? [],
  });
  return { ...explained, knee };
}

/**
 * The seconds that a break is looked for in, each with the level at its start. Of a load
 * that rises and falls those at its highest level so far: on the way down a target may
 * still suffer from before.
 */
function climbing(
  plan: RunPlan,
  seconds: readonly SecondData[],
): readonly (SecondData & { readonly offered?: number })[] {
  const course = changingOf(plan);
  if (!course) return seconds;
  const { warmUpMs = 0 } = plan;
  return seconds.flatMap((second) => {
    const from = second.t * 1_000 + warmUpMs;
    const isCourse = course.stages.length > 1;
    if (isCourse && !isHighest(course, from, from + 1_000)) return [];
    if (course === plan.rate) {
      return [{ ...second, offered: Math.round(levelAt(course, from)) }];
    }
    // Its `vus` are those that began later in the second too.
    const vus = Math.min(second.vus, Math.max(1, vusAt(plan, from)));
    return [{ ...second, vus }];
  });
}
