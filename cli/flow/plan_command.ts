import { isFunctional } from "../../lib/model/mode.ts";
import type { Budget } from "../../lib/engine/plan/budget.ts";
import { highestOf } from "../../lib/engine/plan/course.ts";
import { type RunPlan } from "../../lib/engine/plan/plan.ts";
import { formatDuration } from "../../lib/base/values/duration.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/errors.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { planJson, type PlannedRun, planRun } from "./planned_run.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { withLoad } from "../options/judged_flow.ts";
import type { FlagsOf } from "../options/option.ts";
import type { PLAN } from "./flow_options.ts";

/**
 * Shows what a run would do; sends nothing. A variable that is not set is
 * shown, not refused. Returns the exit code.
 */
export async function planCommand(
  file: string,
  flags: FlagsOf<typeof PLAN>,
  console: Console,
): Promise<number> {
  const read = await readFlowFile(file, console, flags.mode);
  const flow = withLoad(read, flags);
  const target = await readTargetFile(flags.target, flow);
  const planned = await planRun(flow, target, systemEnvironment);
  showWarnings(planned.prepared, console);
  if (!flags.json) console.print(planText(planned));
  else console.out(`${JSON.stringify(planJson(planned), null, 2)}\n`);
  return 0;
}

function planText({ prepared, plan, budget, env }: PlannedRun): string {
  const { flow, target, targetFile, fixtures } = prepared;
  const { least, most } = budget.requestsPerIteration;
  const rows: [name: string, text: string | undefined][] = [
    ["flow", `${flow.flow} (${prepared.file})`],
    ["target", `${target.name} (${targetFile})`],
    ["hosts", target.base_urls.join(", ")],
    ["agent", target.agent_addr && agent(target.agent_addr, plan)],
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
    ["waits", waits(budget)],
    [
      "offered",
      plan.rate && `${highestOf(plan.rate)}/s`,
    ],
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
  return rows.filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${name.padEnd(11)} ${text}\n`).join("");
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
    : "as fast as the target responds";
}

function lasts(plan: RunPlan, budget: Budget): string {
  if (plan.executor === "rows") return "until every row has run";
  return Number.isFinite(budget.durationMs)
    ? formatDuration(budget.durationMs * 1_000)
    : "until the iterations are done";
}

/** How long an iteration waits, of a flow that pauses. */
function waits({ waitsUs: { least, most } }: Budget): string | undefined {
  if (least === 0 && most === 0) return;
  const shortest = formatDuration(least);
  return `${
    least === most ? shortest : `${shortest} to ${formatDuration(most)}`
  } an iteration`;
}

/** Predicts a dry pool, which is otherwise found out in the middle of a run. */
function rowsNote(size: number, plan: RunPlan, budget: Budget): string {
  if (plan.executor === "rows") return ", each run once";
  if (budget.iterations <= size) return ", enough for every iteration";
  return ": iterations beyond that have none and fail where they need one";
}
