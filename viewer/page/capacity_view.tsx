import {
  type Capacity,
  type CapacityTrial,
  trialOutcome,
} from "../../lib/model/result/findings.ts";
import {
  countText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { isTooFew } from "../../lib/results/report/sample_sizes.ts";
import { type LineChart, lineChart } from "../chart/line_chart.tsx";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import { ofSamples, rateText } from "../model/words.ts";
import { withCode } from "./parts.tsx";
import { limitsOf } from "./run_charts.tsx";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { axisTo } from "../chart/frame.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";

/** The upper bound of the capacity of a target, and the curve over the levels. */
export function capacityView(
  capacity: Capacity,
  thresholds: RunMeta["thresholds"],
): Markup {
  const { upper, cause, trials } = capacity;
  return (
    <>
      <p>
        {withCode(`${upper === null ? "No upper bound" : "Above"}: ${cause}.`)}
      </p>
      {curve(capacity, lastOfLevels(byLevel(trials)), thresholds)}
    </>
  );
}

/** Every trial of a search, by its level. */
export function trialsTable({ trials }: Capacity): Markup {
  return <DataTable columns={COLUMNS} rows={byLevel(trials)} label="Trials" />;
}

function byLevel(trials: readonly CapacityTrial[]): CapacityTrial[] {
  return trials.toSorted((a, b) => a.level - b.level);
}

/** A level that was measured several times stands for its last, longest trial. */
function lastOfLevels(trials: readonly CapacityTrial[]): CapacityTrial[] {
  const known = new Map<number, CapacityTrial>();
  for (const each of trials) if (!each.limited) known.set(each.level, each);
  return [...known.values()];
}

function curve(
  { unit, lower, upper }: Capacity,
  trials: readonly CapacityTrial[],
  thresholds: RunMeta["thresholds"],
): Markup | undefined {
  if (trials.length < 2) return;
  const name = unit === "vus" ? "VUs" : "requests a second";
  const held = lower === null
    ? []
    : [{ label: `held: ${lower}`, at: lower, kind: "held" as const }];
  const broke = upper === null
    ? []
    : [{ label: `broke: ${upper}`, at: upper, kind: "broke" as const }];
  const most = Math.max(...trials.map(({ level }) => level));
  const end = axisTo(most * 1.1, "whole").ticks.at(-1)!;
  const between = lower === null && upper === null
    ? []
    : [{ label: "not known", from: lower ?? 0, to: upper ?? end }];
  const over = (
    what: string,
    id: string,
    unit: "rate" | "ms",
    of: (trial: CapacityTrial) => number | null,
    limits: LineChart<never>["limits"] = [],
  ) =>
    lineChart({
      id,
      title: `${what} over load`,
      summary: `Against the ${name} that were offered; a point a level.`,
      points: trials.map((each) => ({ t: each.level, ...each })),
      lines: [[what, 0, of]],
      unit,
      limits,
      timeText: countText,
      span: [0, end],
      marks: [...held, ...broke],
      shades: between,
    });
  return (
    <div class="charts">
      {over("throughput", "chart-capacity-rate", "rate", (each) =>
        each.requests_per_second)}
      {trials.some((each) =>
        knownP95(each) !== null
      ) && over(
        "p95",
        "chart-capacity-p95",
        "ms",
        knownP95,
        limitsOf(
          thresholds.filter(({ stat }) =>
            stat === "p95"
          ),
          ["latency"],
        ),
      )}
    </div>
  );
}

/** Null where there are too few samples for it. */
function knownP95(trial: CapacityTrial): number | null {
  return isTooFew("p95", trial) ? null : trial.p95;
}

const COLUMNS: readonly Column<CapacityTrial>[] = [
  naming("level", ({ level }) => countText(level)),
  figure("requests a second", (each) => rateText(each.requests_per_second)),
  figure("p50", (each) => ofSamples("p50", each.p50, each), {
    narrow: "never",
  }),
  figure("p95", (each) => ofSamples("p95", each.p95, each)),
  figure("errors", ({ error_rate }) => shareText(error_rate)),
  figure("throttled", ({ throttle_rate }) => shareText(throttle_rate)),
  {
    title: "outcome",
    narrow: "lead",
    cell: (trial) =>
      ({
        generator: <span class="warn">the generator was the limit</span>,
        max_rps: <span class="warn">max_rps held requests back</span>,
        held: <span class="good">held</span>,
        broke: <span class="bad">broke: {trial.broken.join("; ")}</span>,
      })[trialOutcome(trial)],
  },
];

function noKneeText(
  { status, ended_at, thresholds, offered_requests, vus }: RunMeta,
): string {
  if (status === "running") return "The knee is looked for when the run ends.";
  if (ended_at === null) {
    return "No knee was looked for: the run did not get that far.";
  }
  if (thresholds.length === 0) {
    return "No knee was looked for: the run has no thresholds.";
  }
  if (status !== "finished") {
    return "No knee: the run was ended before its plan was over, and every threshold held until then.";
  }
  // At rates users only carry the load.
  const reached = offered_requests === undefined
    ? ` up to ${plural(vus, "VU")}`
    : "";
  return `No knee${reached}: every threshold held.`;
}

/**
 * The Knee point card. Class and detail are here exactly as in `meta.json` and
 * in the line that `bench run` prints; nothing is computed again.
 */
export function kneeCard(meta: RunMeta): Markup | undefined {
  const { knee, mode, agent_attached } = meta;
  if (mode !== "stress") return;
  if (!knee) return <p class="empty">{noKneeText(meta)}</p>;
  return (
    <div class="knee">
      <p class="found">
        <code>
          knee_point_found: <strong>{knee.class}</strong>: {knee.detail}
        </code>
      </p>
      {knee.class === "inconclusive" &&
        !agent_attached &&
        (
          <p class="note">
            No agent was attached: the target has no{" "}
            <code>agent_addr</code>, or the agent did not respond.{" "}
            <code>degraded</code> and <code>throttled</code>{" "}
            cannot be distinguished without one.
          </p>
        )}
    </div>
  );
}
