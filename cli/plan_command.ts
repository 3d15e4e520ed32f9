import { isFunctional, type Mode } from "../lib/model/ir/mode.ts";
import {
  type PreparedRun,
  prepareRun,
  sendsRequests,
  type World,
} from "../lib/compile.ts";
import { type Budget, budgetOf } from "../lib/engine/plan/budget.ts";
import { planOf } from "../lib/run.ts";
import { type RunPlan } from "../lib/engine/plan/plan.ts";
import { formatDuration } from "../lib/base/values/duration.ts";
import type { Console } from "./console.ts";
import { showWarnings } from "./diagnostics.ts";
import { failWith } from "./fail.ts";
import { readFlowFile, readTargetFile } from "./inputs.ts";
import { systemWorld } from "./world.ts";

/** Options of `bench plan`. */
export interface PlanFlags {
  readonly target: string;
  readonly mode?: Mode;
  readonly json?: true;
}

/**
 * Shows what a run would do; sends nothing. A variable that is not set is
 * shown, not refused. Returns the exit code.
 */
export async function planCommand(
  file: string,
  flags: PlanFlags,
  console: Console,
): Promise<number> {
  try {
    const env = new Map<string, boolean>();
    const flow = await readFlowFile(file, console, flags.mode);
    const target = await readTargetFile(flags.target, flow);
    const prepared = await prepareRun(flow, target, tolerant(env));
    showWarnings(prepared, console);
    const plan = planOf(prepared, 1);
    const budget = budgetOf(prepared.flow, plan, sendsRequests);
    console.out(
      flags.json
        ? `${JSON.stringify(planJson(prepared, plan, budget, env), null, 2)}\n`
        : planText(prepared, plan, budget, env),
    );
    return 0;
  } catch (error) {
    return failWith(error, console, "text");
  }
}

/** Notes which variables are set; the others refuse nothing. */
function tolerant(seen: Map<string, boolean>): World {
  return {
    ...systemWorld,
    lenient: true,
    env(name) {
      const value = systemWorld.env(name);
      seen.set(name, value !== undefined);
      return value;
    },
  };
}

function planJson(
  { flow, target, targetFile, fixtures }: PreparedRun,
  plan: RunPlan,
  budget: Budget,
  env: ReadonlyMap<string, boolean>,
) {
  const finite = (value: number) => Number.isFinite(value) ? value : null;
  return {
    flow: flow.flow,
    target: target.name,
    target_file: targetFile,
    mode: plan.mode,
    executor: plan.executor,
    hosts: target.base_urls,
    agent_addr: target.agent_addr ?? null,
    peak_vus: plan.peakVus,
    duration_ms: finite(budget.durationMs),
    iterations: finite(budget.iterations),
    requests_per_iteration: {
      least: budget.requestsPerIteration.least,
      most: budget.requestsPerIteration.most,
    },
    requests: finite(budget.requests),
    offered_per_second: plan.arrivalPerSecond ?? null,
    rows: Object.fromEntries(
      [...fixtures].map(([pool, { size }]) => [pool, size]),
    ),
    env: Object.fromEntries(env),
    ceilings: {
      max_vus: target.max_vus ?? null,
      max_rps: target.max_rps ?? null,
      request_timeout_ms: target.request_timeout_us / 1_000,
    },
  };
}

function planText(
  prepared: PreparedRun,
  plan: RunPlan,
  budget: Budget,
  env: ReadonlyMap<string, boolean>,
): string {
  const { flow, target, targetFile, fixtures } = prepared;
  const { least, most } = budget.requestsPerIteration;
  const rows: [string, string][] = [
    ["flow", `${flow.flow} (${prepared.file})`],
    ["target", `${target.name} (${targetFile})`],
    ["hosts", target.base_urls.join(", ")],
    ...target.agent_addr === undefined
      ? []
      : [["agent", agent(target.agent_addr, plan)] as [string, string]],
    ["mode", `${plan.mode} (${plan.executor} executor)`],
    ["VUs", `${plan.peakVus} at the most${ceiling(target.max_vus)}`],
    ["lasts", lasts(plan, budget)],
    ["iterations", bounded(budget.iterations)],
    [
      "requests",
      `${least === most ? least : `${least} to ${most}`} an iteration, ${
        bounded(budget.requests)
      } in all${ceiling(target.max_rps, "/s")}`,
    ],
    ...plan.arrivalPerSecond === undefined
      ? []
      : [["offered", `${plan.arrivalPerSecond}/s`] as [string, string]],
    ["timeout", `${formatDuration(target.request_timeout_us)} a request`],
    ...[...fixtures].map(([pool, { size }]): [string, string] => [
      `rows`,
      `${size} in pool \`${pool}\`${rowsNote(size, plan, budget)}`,
    ]),
    ...[...env].map(([name, set]): [string, string] => [
      "env",
      `${name} ${set ? "is set" : "IS NOT SET"}`,
    ]),
  ];
  return rows.map(([name, text]) => `${name.padEnd(11)} ${text}\n`).join("");
}

function agent(addr: string, { mode }: RunPlan): string {
  return isFunctional(mode)
    ? `${addr}, not asked in ${mode} mode`
    : `${addr}, asked once a second`;
}

function ceiling(limit: number | undefined, unit = ""): string {
  return limit === undefined ? "" : ` (the target allows ${limit}${unit})`;
}

function bounded(value: number): string {
  return Number.isFinite(value)
    ? value.toLocaleString("en-US")
    : "as many as the target answers";
}

function lasts(plan: RunPlan, budget: Budget): string {
  if (plan.executor === "rows") return "until every row has run";
  return Number.isFinite(budget.durationMs)
    ? formatDuration(budget.durationMs * 1_000)
    : "until the iterations are done";
}

/** Predicts a dry pool, which is otherwise found out in the middle of a run. */
function rowsNote(size: number, plan: RunPlan, budget: Budget): string {
  if (plan.executor === "rows") return ", each run once";
  if (budget.iterations <= size) return ", enough for every iteration";
  return ": iterations beyond that have none and fail where they need one";
}
