import type { Report } from "../../base/text/diagnostic.ts";
import { parseTemplate, quote } from "../../language/expressions/template.ts";
import { flowStrings } from "../../language/validate/environment.ts";
import { isFunctional } from "../../model/mode.ts";
import { countText, plural } from "../../results/report/figures.ts";
import { boundsOf, type LoadBounds } from "./plan.ts";
import { sum } from "../../base/values/sum.ts";
import type { Flow } from "../../language/ir.ts";
import { registry, requestsOf } from "../../steps/registry.ts";
import type { RunPlan } from "./plan.ts";
import { plannedMs } from "./ramp.ts";

/** How much a run may do. Infinity where nothing bounds it but the target. */
export interface Budget {
  readonly iterations: number;
  /** Requests of one iteration: without retries, and at the most. */
  readonly requestsPerIteration: {
    readonly least: number;
    readonly most: number;
  };
  readonly requests: number;
  /** Milliseconds new work is begun; Infinity when only iterations bound it. */
  readonly durationMs: number;
}

/** The requests that an arrival rate offers; Infinity without one. */
function offeredRequests(bounds: LoadBounds): number {
  const { arrivalPerSecond } = bounds;
  return arrivalPerSecond === undefined
    ? Infinity
    : Math.ceil(arrivalPerSecond * plannedMs(bounds) / 1_000);
}

/**
 * Warns of a fixture that a load run may use up: iterations without a row fail
 * where they need one, which is otherwise found out in the middle of a run.
 *
 * @param fixtures by pool name
 */
export function checkRows(
  flow: Flow,
  fixtures: ReadonlyMap<string, { readonly size: number }>,
  report: Report,
): void {
  if (isFunctional(flow.profile.mode)) return;
  const bounds = boundsOf(flow.profile);
  // A request is a part of one iteration.
  const most = Math.min(bounds.iterations ?? Infinity, offeredRequests(bounds));
  for (const [index, pool] of (flow.pools ?? []).entries()) {
    const size = fixtures.get(pool.name)?.size ?? Infinity;
    const runsDry = pool.distribution === "unique-per-vu" &&
      pool.on_exhausted === "fail";
    if (!runsDry || most <= size) continue;
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
        `a step with ${template} fails in them: add rows, set \`iterations: ${size}\`, or say \`on_exhausted: cycle\` under \`pools\` (version 1)`,
      severity: "warning",
    });
  }
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
  { flow }: { readonly flow: Flow },
  plan: RunPlan,
): Budget {
  const requesting = flow.steps.filter((step) => requestsOf(step) > 0);
  const least = requesting.length;
  const most = sum(
    requesting,
    (step) => step.retry?.max_attempts ?? requestsOf(step),
  );
  const iterations = plan.iterations ?? Infinity;
  const durationMs = plan.executor === "rows" ? Infinity : plannedMs(plan);
  const offered = offeredRequests(plan);
  return {
    iterations,
    requestsPerIteration: { least, most },
    requests: Math.min(most === 0 ? 0 : iterations * most, offered),
    durationMs,
  };
}
