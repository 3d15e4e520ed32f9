import {
  type Capacity,
  type CapacityTrial,
  trialOutcome,
} from "../../model/result/findings.ts";
import type { RunMeta } from "../../model/result/run.ts";
import {
  capacitySentence,
  countText,
  isShort,
  latencyText,
  perSecondText,
  shareText,
} from "../report/figures.ts";
import { isTooFew } from "../report/sample_sizes.ts";
import { sum } from "../../base/values/sum.ts";
import { renderSuites } from "./junit.ts";
import { code, table, words } from "./markdown.ts";
import { escapeControls } from "../../base/text/display.ts";
import { Page } from "./page.ts";

/** The run that shows a capacity. */
type Shown = Pick<RunMeta, "id" | "flow" | "target" | "started_at">;

/**
 * A capacity as JUnit XML: one test case, which fails when no level held, or none as
 * high as expected. What broke above the bound was looked for, and is no failure.
 */
export function capacityJunit(
  { id, flow, started_at }: Shown,
  capacity: Capacity,
): string {
  const { unit, lower, upper, least, cause, trials } = capacity;
  const durationMs = sum(trials, ({ duration_ms }) => duration_ms);
  const message = capacitySentence(capacity);
  return renderSuites([{
    name: flow,
    timestamp: started_at,
    durationMs,
    properties: [
      ["run", id],
      ["unit", unit],
      ["lower", lower === null ? "" : String(lower)],
      ["upper", upper === null ? "" : String(upper)],
      ...least === undefined ? [] : [["least", String(least)] as const],
      ["cause", cause],
    ],
    cases: [{
      name: "capacity",
      seconds: durationMs / 1_000,
      ...(isShort(capacity) && {
        verdict: {
          element: "failure",
          type: lower === null ? "no-level-held" : "below-least",
          message,
          text: cause,
        },
      }),
    }],
  }]);
}

/** A capacity as Markdown, for a pull request or a job's summary page. */
export function capacityMarkdown(
  { id, flow, target }: Shown,
  capacity: Capacity,
): string {
  const { upper, cause, trials } = capacity;
  const parts = [
    `## ${isShort(capacity) ? "❌" : "✅"} ${words(flow)}: ${
      capacitySentence(capacity)
    }`,
    `${upper === null ? "No upper bound" : "Above"}: ${words(cause)}.`,
    table([...HEADS, "outcome"], rowsOf(trials, OUTCOMES)),
    `Against ${code(target)}; run ${code(id)}.`,
  ];
  return `${parts.join("\n\n")}\n`;
}

const HEADS = ["level", "requests/s", "p50", "p95", "errors", "throttled"];

/** The result of a trial, in Markdown and on a terminal. */
const OUTCOMES = {
  generator: "⚠️ generator",
  max_rps: "⚠️ `max_rps`",
  held: "✅ held",
  broke: "❌ broke",
};
const WORDS = {
  generator: "! generator",
  max_rps: "! max_rps",
  held: "held",
  broke: "broke",
};

/** A row a trial, in the order of their levels. */
function rowsOf(
  trials: readonly CapacityTrial[],
  outcomes: typeof OUTCOMES,
): string[][] {
  const text = (name: "p50" | "p95", trial: CapacityTrial) => {
    const ms = trial[name];
    if (ms === null) return "-";
    return isTooFew(name, trial) ? "too few" : latencyText(ms);
  };
  return trials.toSorted((a, b) => a.level - b.level).map((trial) => [
    countText(trial.level),
    perSecondText(trial.requests_per_second),
    text("p50", trial),
    text("p95", trial),
    shareText(trial.error_rate),
    shareText(trial.throttle_rate),
    outcomes[trialOutcome(trial)],
  ]);
}

/** The capacity of a target, and a line a trial in the order of their levels. */
export function renderCapacity(
  flow: string,
  capacity: Capacity,
  { color, width, directory }: {
    readonly color: boolean;
    readonly width: number;
    readonly directory: string;
  },
): string {
  const page = new Page(width, color);
  page.line(
    `${page.paint("bold", escapeControls(flow))}  ${
      capacitySentence(capacity)
    }`,
  );
  const { upper, cause, trials } = capacity;
  page.prose(`${upper === null ? "no upper bound" : "above"}: ${cause}`, "  ");
  page.line();
  page.table(HEADS, rowsOf(trials, WORDS));
  page.line();
  page.line(`  run  ${directory}`);
  return page.text();
}
