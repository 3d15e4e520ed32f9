import type { Report } from "../../base/text/diagnostic.ts";
import { sum } from "../../base/values/sum.ts";
import { parseTemplate, quote } from "../../language/expressions/template.ts";
import type { Flow, Pool } from "../../language/ir.ts";
import { flowStrings } from "../../language/validate/environment.ts";
import { isFunctional } from "../../model/mode.ts";
import { countText, plural } from "../../results/report/figures.ts";
import { registry, requestsOf, waitsUs } from "../../steps/registry.ts";
import type { RunPlan } from "./plan.ts";
import {
  boundsOf,
  hasFallen,
  type LoadBounds,
  unitsBy,
  vusAt,
} from "../../model/course.ts";
import { vusIn, WHOLE } from "./shard.ts";

/** The most VUs of this process at any moment. */
export function ownVus({ shard = WHOLE, peakVus }: RunPlan): number {
  return vusIn(shard, peakVus);
}

/** The parts of a plan that the share of `max_rps` depends on. */
export type SharedCeiling = Pick<
  RunPlan,
  "maxRps" | "executor" | "shard" | "vus" | "peakVus"
>;

/**
 * The shard's share of `max_rps` at `elapsedMs`: that of its VUs. In one process
 * every VU gets as much as any other, so that a shard whose VUs want less than
 * their share is one that has nothing to send. The shares of all shards make one
 * whole at any moment. In the open executor slots are divided equally while the
 * number of VUs does not change, and else go to those of the moment.
 */
export function ceilingShare(plan: SharedCeiling, elapsedMs: number): number {
  const { executor, vus, shard = WHOLE } = plan;
  const all = vusAt(plan, elapsedMs);
  if (executor === "open" && !vus || all === 0) return 1 / shard.count;
  // VUs that are no longer planned still end their iterations.
  if (all < shard.count && vus && hasFallen(vus, elapsedMs)) {
    return 1 / shard.count;
  }
  return vusIn(shard, all) / all;
}

/** How much a run may do. Infinity where nothing bounds it but the target. */
export interface Budget {
  readonly iterations: number;
  /** Requests of one iteration: without retries, and at the most. */
  readonly requestsPerIteration: {
    readonly least: number;
    readonly most: number;
  };
  /** Requests of an iteration in the mean of a mix, by the shares of its flows. */
  readonly meanRequests: { readonly least: number; readonly most: number };
  /** How long the steps of one iteration make it wait, in microseconds. */
  readonly waitsUs: { readonly least: number; readonly most: number };
  /** Requests that an arrival rate offers until the plan is over; Infinity without one. */
  readonly offered: number;
  /** The most requests, with what iterations under way at the end have left to send. */
  readonly requests: number;
  /** Milliseconds new work is begun; Infinity when only iterations bound it. */
  readonly durationMs: number;
}

function offeredRequests({ rate, endMs = Infinity }: LoadBounds): number {
  return rate ? Math.ceil(unitsBy(rate, endMs)) : Infinity;
}

/** Whether the pool hands out each row once, and then none. */
export function runsDry(
  { distribution, on_exhausted }: Pick<Pool, "distribution" | "on_exhausted">,
): boolean {
  return distribution === "unique-per-vu" && on_exhausted !== "cycle";
}

/**
 * Warns of a fixture that a load run may use up: iterations without a row fail
 * where they need one, which is otherwise found out in the middle of a run.
 *
 * @param fixtures by pool name
 * @param share of the iterations that are the flow's
 * @param requests of an iteration of the run, as `leastRequests` has them
 */
export function checkRows(
  flow: Flow,
  fixtures: ReadonlyMap<string, { readonly size: number }>,
  report: Report,
  share = 1,
  requests = leastRequests([{ flow, weight: 1 }]),
): void {
  if (isFunctional(flow.profile.mode)) return;
  const bounds = boundsOf(flow.profile);
  const { iterations: planned = Infinity } = bounds;
  const inRun = Math.min(planned, offeredRequests(bounds) / requests);
  const most = iterationsOf(share, inRun);
  for (const [index, pool] of (flow.pools ?? []).entries()) {
    const size = fixtures.get(pool.name)?.size ?? Infinity;
    const fails = runsDry(pool) && pool.on_exhausted === "fail";
    if (!fails || most <= size) continue;
    const template = rowTemplate(flow, pool.name);
    if (template === undefined) continue;
    const iterations = most < Infinity
      ? plural(most, "iteration")
      : "as many iterations as the target allows";
    report({
      at: `/pools/${index}/path`,
      code: "few-rows",
      message: `${
        plural(size, "row")
      } for ${iterations}: those after the first ${
        size === 1 ? "" : `${countText(size)} `
      }have no row`,
      hint:
        `a step with ${template} fails in them: add rows, set \`iterations: ${
          Math.floor(size / share)
        }\`, or say \`on_exhausted: cycle\` under \`pools\` (version 1)`,
      severity: "warning",
    });
  }
}

/** Requests of an iteration whose steps all pass at once, in the mean of a mix. */
export function leastRequests(
  flows: readonly { readonly flow: Flow; readonly weight: number }[],
): number {
  const all = sum(flows, ({ weight }) => weight);
  return sum(
    flows,
    ({ flow: { steps }, weight }) =>
      steps.filter((step) => requestsOf(step) > 0).length * weight / all,
  );
}

/** How many of a run's iterations are at the most those of a flow, by its share. */
export function iterationsOf(share: number, inRun: number): number {
  return Math.ceil(Number((share * inRun).toFixed(6)));
}

/** A template of the flow that needs a row of a pool. */
function rowTemplate(flow: Flow, pool: string): string | undefined {
  for (const { text } of flowStrings(flow, registry)) {
    for (const part of parseTemplate(text)) {
      if (typeof part !== "string" && part.root === pool) return quote(part);
    }
  }
}

/** The budget of a plan, before anything is sent. */
export function budgetOf(
  { flows }: { readonly flows: readonly { readonly flow: Flow }[] },
  plan: RunPlan,
): Budget {
  const { of: turns } = plan.turns ?? { of: [1] };
  const all = sum(turns, (each) => each);
  const perFlow = flows.map(({ flow: { steps } }, index) => {
    const requesting = steps.filter((step) => requestsOf(step) > 0);
    const attempts = (step: Flow["steps"][number]) =>
      step.retry?.max_attempts ?? requestsOf(step);
    return {
      share: turns[index]! / all,
      requests: [requesting.length, sum(requesting, attempts)] as const,
      waits: ([0, 1] as const)
        .map((bound) => sum(steps, (step) => waitsUs(step)[bound])),
    };
  });
  const least = Math.min(...perFlow.map(({ requests }) => requests[0]));
  const most = Math.max(...perFlow.map(({ requests }) => requests[1]));
  const mean = (bound: 0 | 1) =>
    sum(perFlow, ({ share, requests }) => share * requests[bound]);
  const { iterations = Infinity, endMs: durationMs = Infinity } = plan;
  const offered = offeredRequests(plan);
  const requests = sum(
    perFlow,
    ({ share, requests: [, most] }) =>
      most === 0 ? 0 : most * iterationsOf(share, iterations),
  );
  return {
    iterations,
    requestsPerIteration: { least, most },
    meanRequests: { least: mean(0), most: mean(1) },
    waitsUs: {
      least: Math.min(...perFlow.map(({ waits }) => waits[0]!)),
      most: Math.max(...perFlow.map(({ waits }) => waits[1]!)),
    },
    offered,
    requests: Math.min(
      requests,
      offered + plan.peakVus * (Math.max(most, 1) - 1),
    ),
    durationMs,
  };
}
