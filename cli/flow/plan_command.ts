import { sum } from "../../lib/base/values/sum.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import { isFunctional } from "../../lib/model/mode.ts";
import {
  type Budget,
  iterationsOf,
  runsDry,
} from "../../lib/engine/plan/budget.ts";
import type { Pool } from "../../lib/language/ir.ts";
import { isMix } from "../../lib/engine/preflight/prepared_run.ts";
import { highestIn, highestOf } from "../../lib/model/course.ts";
import {
  countText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { rehearsalMs, type RunPlan } from "../../lib/engine/plan/plan.ts";
import { ONCE } from "../../lib/model/result/trace.ts";
import { formatDuration } from "../../lib/base/values/duration.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/errors.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { courseOf, planJson, type PlannedRun, planRun } from "./planned_run.ts";
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

function planText(
  { prepared, plan, budget, tokenUrls, env }: PlannedRun,
): string {
  const { flow, target, targetFile } = prepared;
  const rows: [name: string, text: string | undefined][] = [
    ["flow", `${flow.flow} (${prepared.file})`],
    ["flows", sharesText(prepared.flows, plan)],
    ["tags", prepared.tags.join(", ") || undefined],
    ["target", `${target.name} (${targetFile})`],
    ["hosts", target.base_urls.join(", ")],
    ["agent", target.agent_addr && agent(target.agent_addr, plan)],
    ["mode", `${plan.mode} (${plan.executor} executor)`],
    ["VUs", `${countText(plan.peakVus)} at the most${ceiling(target.max_vus)}`],
    ["rehearsal", rehearsal(plan)],
    ["lasts", lasts(plan, budget)],
    ["warm-up", warmUp(plan)],
    ["iterations", iterationsText(plan, budget)],
    ["requests", requestsText(plan, budget) + ceiling(target.max_rps, "/s")],
    [
      "tokens",
      tokenUrls.length === 0
        ? undefined
        : `of ${
          tokenUrls.join(", ")
        }: beside those, a request once a run and at each renewal`,
    ],
    ["waits", waits(budget)],
    ...ONCE.flatMap((list): [string, string][] => {
      const { length = 0 } = flow[list] ?? {};
      return length === 0
        ? []
        : [[list, `${plural(length, "step")}, carried out once`]];
    }),
    [
      "offered",
      plan.rate &&
      `${levelText(highestOf(plan.rate))}/s${
        plan.rate.stages.length > 0 ? " at the most" : ""
      }`,
    ],
    ["timeout", `${formatDuration(target.request_timeout_us)} a request`],
    ...rowsOfPools(prepared, plan, budget),
    ...[...env].map(([name, value]): [string, string] => [
      "env",
      `${name} ${
        value === undefined
          ? "IS NOT SET"
          : value === ""
          ? "is set, but empty"
          : "is set"
      }`,
    ]),
  ];
  return [
    ...rows.filter(([, text]) => text !== undefined),
    ...courseRows(plan),
  ].map(([name, text]) => `${name.padEnd(11)} ${text}\n`).join("");
}

/** The flows of a mix, under load with their shares; undefined without a mix. */
function sharesText(
  flows: PreparedRun["flows"],
  { mode }: RunPlan,
): string | undefined {
  if (!isMix(flows)) return;
  const all = sum(flows, ({ weight }) => weight);
  const share = (weight: number) =>
    isFunctional(mode) ? "" : ` ${shareText(weight / all)}`;
  const names = flows.map(({ flow, weight }) => flow.flow + share(weight));
  return `${names.join(", ")}${isFunctional(mode) ? "" : " of the iterations"}`;
}

function warmUp({ warmUpMs = 0 }: RunPlan): string | undefined {
  return warmUpMs === 0
    ? undefined
    : `${formatDuration(warmUpMs * 1_000)} of it, in no figure`;
}

function rehearsal(plan: RunPlan): string | undefined {
  const ms = rehearsalMs(plan);
  return ms === 0
    ? undefined
    : `up to ${formatDuration(ms * 1_000)}, in memory: nothing is sent`;
}

const CHART_ROWS = 6;
const CHART_COLUMNS = 50;

/** A load that changes, as a small chart. */
function courseRows(plan: RunPlan): [name: string, text: string][] {
  const planned = courseOf(plan);
  if (!planned) return [];
  const { course, lastsMs, unit } = planned;
  const peak = highestOf(course);
  const heights = Array.from({ length: CHART_COLUMNS }, (_, column) => {
    const at = (each: number) => each / CHART_COLUMNS * lastsMs;
    const level = highestIn(course, at(column), at(column + 1));
    // Half a row is the least that shows, and what is not 0 shows.
    return level === 0
      ? 0
      : Math.max(1, Math.round(level / peak * CHART_ROWS * 2));
  });
  const [top, foot] = [`${levelText(peak)}${unit}`, `0${unit}`];
  const rows = Array.from({ length: CHART_ROWS }, (_, row) => {
    const below = (CHART_ROWS - 1 - row) * 2;
    const line = heights.map((height) =>
      height > below + 1 ? ":" : height > below ? "." : " "
    ).join("").trimEnd();
    const side = row === 0 ? top : row === CHART_ROWS - 1 ? foot : "";
    return `${side.padStart(top.length)} |${line}`;
  });
  const end = formatDuration(lastsMs * 1_000);
  const axis = `0s${end.padStart(CHART_COLUMNS - 2)}`;
  return [...rows, `${" ".repeat(top.length)}  ${axis}`]
    .map((text, index) => [index === 0 ? "course" : "", text]);
}

/** `1,204` users or requests a second, `0.116667` of a rate such as `7/m`. */
function levelText(level: number): string {
  return Number.isInteger(level)
    ? countText(level)
    : String(Number(level.toPrecision(6)));
}

function agent(addr: string, { mode }: RunPlan): string {
  return isFunctional(mode)
    ? `${addr}, not asked in ${mode} mode`
    : `${addr}, asked once a second`;
}

function ceiling(limit: number | undefined, unit = ""): string {
  return limit === undefined
    ? ""
    : ` (the target allows ${countText(limit)}${unit})`;
}

/** Whether time may end a closed loop before its iterations are met. */
function mayEndEarly(
  { rate }: RunPlan,
  { iterations, durationMs }: Budget,
): boolean {
  return !rate && Number.isFinite(durationMs) && Number.isFinite(iterations);
}

function requestsText(plan: RunPlan, budget: Budget): string {
  const { requests, offered, requestsPerIteration, meanRequests } = budget;
  const { least, most } = requestsPerIteration;
  const fewest = least === most ? "" : `${countText(least)} to `;
  const each = `${fewest}${countText(most)} an iteration`;
  if (!Number.isFinite(requests)) return each;
  const isExact = meanRequests.least === meanRequests.most &&
    (requests <= offered || most === 1) && !mayEndEarly(plan, budget);
  const atMost = isExact ? "" : "at most ";
  return `${each}, ${atMost}${bounded(requests)} in all`;
}

/** In an open loop, as many as its requests make. */
function iterationsText(plan: RunPlan, budget: Budget): string {
  const { rate, turns } = plan;
  const { iterations, offered, meanRequests: { least, most } } = budget;
  if (mayEndEarly(plan, budget)) return `at most ${bounded(iterations)}`;
  if (!rate || least === 0 || iterations <= offered / most) {
    return bounded(iterations);
  }
  const [fewest, highest] = [most, least].map((each) =>
    bounded(iterationsOf(1 / each, Math.min(iterations * each, offered)))
  );
  const range = fewest === highest ? fewest : `${fewest} to ${highest}`;
  return `${turns ? "about " : ""}${range}, as their requests are due`;
}

function bounded(value: number): string {
  return Number.isFinite(value)
    ? countText(value)
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

/** The rows of each pool; of a mix, those of each of its flows. */
function rowsOfPools(
  { flows, fixtures }: PreparedRun,
  plan: RunPlan,
  { iterations: planned, offered, meanRequests: { least } }: Budget,
): [string, string][] {
  const all = sum(flows, ({ weight }) => weight);
  // Iterations under way at the end have begun, and have requests left.
  const begun = (offered + plan.peakVus * Math.max(least - 1, 0)) / least;
  return flows.flatMap(({ flow, prefix, weight }) =>
    (flow.pools ?? []).map((pool): [string, string] => {
      const name = prefix + pool.name;
      const { size } = fixtures.get(name)!;
      const own = (inRun: number) => iterationsOf(weight / all, inRun);
      const most = own(Math.min(planned, offered));
      const note = rowsNote(pool, size, plan, [
        own(Math.min(planned, begun)),
        most,
      ]);
      return ["rows", `${countText(size)} in pool \`${name}\`${note}`];
    })
  );
}

/**
 * Predicts an exhausted pool, which is otherwise found in the middle of a run.
 *
 * @param most iterations that send all their requests, and that fail with their first
 */
function rowsNote(
  pool: Pool,
  size: number,
  plan: RunPlan,
  [whole, most]: readonly [whole: number, most: number],
): string {
  if (plan.executor === "rows") return ", each run once";
  if (!runsDry(pool)) {
    return pool.distribution === "random"
      ? ", drawn at random"
      : ", used again and again";
  }
  if (most <= size) return ", enough for every iteration";
  if (whole <= size) return ", enough unless iterations fail early";
  if (pool.on_exhausted === "stop") {
    return ": the run ends when they are used up";
  }
  return ": iterations beyond that have none and fail where they need one";
}
