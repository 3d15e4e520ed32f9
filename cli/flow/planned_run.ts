import {
  type Environment,
  type InputFile,
  type PreparedRun,
  prepareRun,
} from "../../lib/compile.ts";
import type { Budget } from "../../lib/engine/plan/budget.ts";
import { type Course, highestOf, lengthOf } from "../../lib/model/course.ts";
import { rehearsalMs, type RunPlan } from "../../lib/engine/plan/plan.ts";
import { ONCE } from "../../lib/model/result/trace.ts";
import type { JsonObject } from "../../lib/base/values/json.ts";
import { tokenUrls } from "../../lib/language/validate/urls.ts";
import { isMix } from "../../lib/engine/preflight/prepared_run.ts";
import { budgetOf, planOf } from "../../lib/run.ts";
import { registry } from "../../lib/steps/registry.ts";

/** A run as it is planned. */
export interface PlannedRun {
  readonly prepared: PreparedRun;
  readonly plan: RunPlan;
  readonly budget: Budget;
  /** The URLs that OAuth2 tokens are fetched from, as the flow writes them. */
  readonly tokenUrls: readonly string[];
  /** Variables the flow names, with their values; undefined when not set. */
  readonly env: ReadonlyMap<string, string | undefined>;
}

/**
 * Works out what a run would do; sends nothing. A variable that is not set is
 * noted, not refused.
 *
 * @throws {InputError}
 */
export async function planRun(
  flow: InputFile,
  target: InputFile,
  environment: Environment,
): Promise<PlannedRun> {
  const env = new Map<string, string | undefined>();
  const prepared = await prepareRun(flow, target, tolerant(environment, env));
  const plan = planOf(prepared, { seed: 1 });
  const budget = budgetOf(prepared, plan);
  const urls = prepared.flows.flatMap(({ flow }) => [
    ...tokenUrls(flow, registry),
  ]);
  return { prepared, plan, budget, tokenUrls: [...new Set(urls)], env };
}

/** Notes which variables are set; the others refuse nothing. */
function tolerant(
  environment: Environment,
  seen: Map<string, string | undefined>,
): Environment {
  return {
    ...environment,
    lenient: true,
    env(name) {
      const value = environment.env(name);
      seen.set(name, value);
      return value;
    },
  };
}

/** The course of a run whose rate changes, or else its number of VUs. */
export function courseOf(plan: RunPlan):
  | { readonly course: Course; readonly lastsMs: number; readonly unit: string }
  | undefined {
  const { rate, vus, endMs } = plan;
  const isRate = rate !== undefined && rate.stages.length > 0;
  const course = isRate ? rate : vus;
  if (!course) return;
  const lastsMs = endMs ?? lengthOf(course);
  return { course, lastsMs, unit: isRate ? "/s" : " VUs" };
}

/** The plan as data. */
export function planJson(
  { prepared, plan, budget, tokenUrls, env }: PlannedRun,
): JsonObject {
  const { flow, flows, tags, target, targetFile, fixtures } = prepared;
  const finite = (value: number) => Number.isFinite(value) ? value : null;
  return {
    flow: flow.flow,
    ...(isMix(flows) && {
      flows: flows.map(({ flow: { flow: name }, weight }) => ({
        name,
        weight,
      })),
    }),
    tags: [...tags],
    target: target.name,
    target_file: targetFile,
    mode: plan.mode,
    executor: plan.executor,
    hosts: target.base_urls,
    agent_addr: target.agent_addr ?? null,
    peak_vus: plan.peakVus,
    rehearsal_ms: rehearsalMs(plan),
    duration_ms: finite(budget.durationMs),
    warm_up_ms: plan.warmUpMs ?? 0,
    iterations: finite(budget.iterations),
    wait_us_per_iteration: budget.waitsUs,
    requests_per_iteration: {
      least: budget.requestsPerIteration.least,
      most: budget.requestsPerIteration.most,
    },
    requests: finite(budget.requests),
    token_urls: [...tokenUrls],
    course: courseJson(plan),
    ...Object.fromEntries(
      ONCE.flatMap((list) =>
        flow[list] ? [[`${list}_steps`, flow[list].length]] : []
      ),
    ),
    offered_per_second: plan.rate ? highestOf(plan.rate) : null,
    rows: Object.fromEntries(
      [...fixtures].map(([pool, { size }]) => [pool, size]),
    ),
    env: Object.fromEntries(
      [...env].map(([name, value]) => [name, value !== undefined]),
    ),
    ceilings: {
      max_vus: target.max_vus ?? null,
      max_rps: target.max_rps ?? null,
      request_timeout_ms: target.request_timeout_us / 1_000,
    },
  };
}

/** The moments at which the level of a course bends. */
function courseJson(plan: RunPlan): JsonObject | null {
  const planned = courseOf(plan);
  if (!planned) return null;
  const { course: { from, stages }, unit } = planned;
  let at_ms = 0;
  return {
    unit: unit === "/s" ? "requests_per_second" : "vus",
    points: [
      { at_ms, level: from },
      ...stages.map(({ to, overMs }) => ({
        at_ms: at_ms += overMs,
        level: to,
      })),
    ],
  };
}
