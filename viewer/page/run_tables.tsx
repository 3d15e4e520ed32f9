import {
  countAll,
  type Outcome,
  OUTCOME_NAMES,
  OUTCOMES,
} from "../../lib/model/outcome.ts";
import {
  actualText,
  countText,
  latencyText,
  plural,
  repeatedText,
  samplesText,
  shareText,
  transferText,
} from "../../lib/results/report/figures.ts";
import type {
  FlowSummary,
  RunMeta,
  StepSummary,
  ThresholdVerdict,
} from "../../lib/model/result/run.ts";
import { sum } from "../../lib/base/values/sum.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { NotWritten, OutcomeSign } from "./parts.tsx";
import { coordinate, PHASE_FILLS } from "../chart/frame.tsx";
import {
  type Column,
  DataTable,
  figure,
  FoldedTable,
  naming,
} from "../markup/data_table.tsx";
import { flowCells } from "../../lib/results/formats/step_tables.ts";
import {
  isTooFew,
  knownFigures,
} from "../../lib/results/report/sample_sizes.ts";
import { figureOrNone, ofSamples, stepClass } from "../model/words.ts";
import { UNSTORED } from "./figures.tsx";
import { runPath } from "./page_request.ts";
import {
  STEP_PHASES,
  type StepPhase,
  type StepPhases,
} from "../../lib/model/result/latency.ts";

/** Every threshold with what it came out at. */
export function thresholdTable(meta: RunMeta): Markup {
  if (meta.thresholds.length === 0) {
    return (
      <p class="empty">
        {meta.status === "running"
          ? "Thresholds are judged when the run ends."
          : meta.ended_at === null || meta.iterations.started === 0
          ? "No threshold was judged: the run did not get that far."
          : "No threshold was set."}
      </p>
    );
  }
  return (
    <>
      {meta.status === "running" && (
        <p class="note">
          As they stand now; they are judged when the run ends.
          {meta.thresholds.some(({ stat }) => stat !== undefined) &&
            ` ${UNSTORED}`}
        </p>
      )}
      <DataTable
        columns={THRESHOLDS}
        rows={meta.thresholds}
        label="Thresholds"
      />
    </>
  );
}

const THRESHOLDS: readonly Column<ThresholdVerdict>[] = [
  {
    title: "verdict",
    narrow: "lead",
    cell: ({ pass }) =>
      pass
        ? <OutcomeSign outcome="passed">held</OutcomeSign>
        : <OutcomeSign outcome="failed">breached</OutcomeSign>,
  },
  naming("threshold", ({ expression, implied }) => (
    <>
      <code class={expression.length > 60 ? "long" : undefined}>
        {expression}
      </code>{" "}
      {implied && <span class="more">implied by the mode</span>}
    </>
  )),
  figure("actual", actualText),
  {
    title: "actual against the limit",
    label: "",
    narrow: "line",
    cell: limitBar,
  },
  figure("rests on", samplesText),
];

/** A bar from 0 to the actual value, with the limit as a line. */
function limitBar(threshold: ThresholdVerdict): Markup | undefined {
  const { limit, actual } = threshold;
  if (actual === null) return;
  const top = Math.max(limit, actual) * 1.1 || 1;
  const x = (value: number) => coordinate(value / top * 200);
  const text = actualText({ ...threshold, actual: limit });
  return (
    <svg
      class="margin"
      viewBox="0 0 200 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={`limit ${text}`}
    >
      <path class="track" fill="#8883" d="M0 5H200V9H0z" />
      <path
        class={threshold.pass ? "good" : "bad"}
        fill="#555"
        d={`M0 3H${x(actual)}V11H0z`}
      />
      <path class="limit" stroke="#888" d={`M${x(limit)} 0V14`} />
    </svg>
  );
}

/** A row for each flow of a mix; undefined without one. */
export function flowsTable({ flows }: RunMeta): Markup | undefined {
  return flows && <DataTable columns={FLOWS} rows={flows} label="Flows" />;
}

const FLOWS: readonly Column<FlowSummary>[] = [
  naming("flow", ({ name }) => <strong>{name}</strong>),
  figure("weight", ({ weight }) => countText(weight)),
  ...["iterations", "error_rate", "throttle_rate", "p50", "p95", "max"].map((
    title,
    nth,
  ) => figure<FlowSummary>(title, (flow) => flowCells(flow)[nth])),
];

/** A row a step; `link` is off in a report file. */
export function stepsTable(meta: RunMeta, link: boolean): Markup {
  if (meta.steps.length === 0) {
    return <NotWritten meta={meta} what="The steps' figures are" />;
  }
  return (
    <DataTable
      columns={stepColumns(meta, link)}
      rows={meta.steps}
      label="Steps"
    />
  );
}

/** A table of more rows shows those that matter; the others are folded away. */
const MOST_ROWS = 12;

interface CheckRow {
  readonly step: string;
  readonly check: string;
  readonly passed: number;
  readonly failed: number;
}

const CHECKS: readonly Column<CheckRow>[] = [
  naming("step", ({ step }) => step),
  {
    title: "check",
    narrow: "line",
    cell: ({ check }) => <code>{check}</code>,
  },
  figure("held", ({ passed, failed }) => (
    <>
      {countText(passed)}{" "}
      <span class="more">
        {passed + failed === 0 ? "–" : shareText(passed / (passed + failed))}
      </span>
    </>
  )),
  figure("did not", ({ failed }) => countText(failed), {
    tone: ({ failed }) => failed > 0 ? "bad" : "",
  }),
];

/** How often each extraction and assertion held; undefined where none was counted. */
export function checksTable({ steps }: RunMeta): Markup | undefined {
  const rows = steps.flatMap(({ id, checks }) =>
    checks.map((each): CheckRow => ({ step: id, ...each }))
  );
  if (rows.length === 0) return;
  const held = rows.filter(({ failed }) => failed === 0);
  const fold = held.length > MOST_ROWS;
  return (
    <FoldedTable
      columns={CHECKS}
      rows={fold ? rows.filter(({ failed }) => failed > 0) : rows}
      others={fold ? held : []}
      summary={`${plural(held.length, "check")} that always held`}
      label="Checks"
    />
  );
}

function stepColumns(meta: RunMeta, link: boolean): Column<StepSummary>[] {
  const ids = meta.steps.map((step) => step.id);
  const name = ({ id }: StepSummary) => (
    <>
      <span class={`dot ${stepClass(ids, id)}`}></span>
      {id}
    </>
  );
  return [
    naming("step", (step) =>
      link
        ? (
          <a
            href={runPath(
              meta.id,
              `/traces?step=${encodeURIComponent(step.id)}`,
            )}
          >
            {name(step)}
          </a>
        )
        : name(step)),
    { title: "kind", narrow: "lead", cell: ({ kind }) => kind },
    {
      title: "HTTP",
      narrow: "never",
      cell: ({ http_versions }) => http_versions.join(", ") || "–",
    },
    figure("begun", ({ executions }) => countText(executions)),
    figure("requests", ({ requests }) => countText(requests)),
    ...OUTCOME_NAMES.map(outcomeColumn),
    ...(meta.steps.some((step) => repeatedText(step) !== "")
      ? [figure<StepSummary>("retried", (step) => repeatedText(step) || "0", {
        tone: (step) => repeatedText(step) === "" ? "" : "warn",
      })]
      : []),
    ...knownFigures(["p50", "p95", "p99", "max"], meta.steps)
      .map(latencyColumn),
    figure(
      "throttled p50",
      ({ attempts, throttled_latency }) =>
        ofSamples("p50", throttled_latency.p50, {
          samples: attempts.throttled,
        }),
      { sparse: true },
    ),
    figure("sent", ({ bytes_sent }) => transferText(bytes_sent), {
      narrow: "never",
    }),
    figure("received", ({ bytes_received }) => transferText(bytes_received), {
      narrow: "never",
    }),
  ];
}

/** A final class with its share of the steps that ended. */
function outcomeColumn(name: Outcome): Column<StepSummary> {
  const { tone } = OUTCOMES[name];
  return figure(name, (step) => (
    <>
      {countText(step[name])} {step[name] > 0 && tone !== "" &&
        <span class="more">{shareText(step[name] / countAll(step))}</span>}
    </>
  ), { tone: (step) => step[name] > 0 ? tone : "" });
}

function latencyColumn(
  name: "p50" | "p95" | "p99" | "max",
): Column<StepSummary> {
  return figure(name, (step) => figureOrNone(name, step));
}

interface Row {
  readonly step: string;
  readonly phases: StepPhases;
  /** The time of its exchanges, of that of all steps and of the one with the most. */
  readonly share: number;
  readonly length: number;
}

function timeOf(phases: StepPhases): number {
  return sum(STEP_PHASES, (phase) => {
    const { count = 0, avg = 0 } = phases[phase] ?? {};
    return count * avg;
  });
}

/**
 * The time of the exchanges of each step by phase; undefined where a run did not
 * measure it.
 */
export function phasesTable({ steps }: RunMeta): Markup | undefined {
  const known = steps.flatMap(({ id, phases }) =>
    phases && Object.keys(phases).length > 0
      ? [{ step: id, phases, time: timeOf(phases) }]
      : []
  );
  if (known.length === 0) return;
  const all = sum(known, ({ time }) => time) || 1;
  const most = Math.max(...known.map(({ time }) => time)) || 1;
  const rows = known.map(({ time, ...row }): Row => ({
    ...row,
    share: time / all,
    length: time / most,
  }));
  // In the flow's order, as long as one sees the longest at a glance.
  if (rows.length > MOST_ROWS) rows.sort((a, b) => b.share - a.share);
  return (
    <>
      <p class="note">
        A bar is as long as its step's share of the time of all exchanges,
        figures are p50 and p95 of each, or the average of too few samples. A
        connection that is used again has no connect and no tls.
      </p>
      <FoldedTable
        columns={PHASES}
        rows={rows.slice(0, MOST_ROWS)}
        others={rows.slice(MOST_ROWS)}
        summary={`${
          plural(rows.length - MOST_ROWS, "step")
        } with less of the time`}
        label="Where the time went"
      />
    </>
  );
}

const PHASES: readonly Column<Row>[] = [
  naming("step", ({ step }) => step),
  {
    title: <span class="hidden">bar</span>,
    narrow: "line",
    cell: phaseBar,
  },
  figure("share of the time", ({ share }) => shareText(share)),
  ...STEP_PHASES.map((phase) =>
    figure<Row>(phase, ({ phases }) => phaseCell(phases, phase))
  ),
];

function phaseCell(phases: StepPhases, phase: StepPhase): Markup | string {
  const figures = phases[phase];
  if (!figures || figures.count === 0) return "–";
  const { count, avg, p50, p95 } = figures;
  const samples = { samples: count };
  const isKnown = !isTooFew("p50", samples);
  return (
    <>
      <svg class="swatch small" viewBox="0 0 8 8" aria-hidden="true">
        <path class={`p-${phase}`} fill={PHASE_FILLS[phase]!} d="M0 0h8v8H0z" />
      </svg>
      {isKnown && `${latencyText(p50)} `}
      <span class="more">
        {isKnown
          ? `p95 ${ofSamples("p95", p95, samples)}`
          : `avg ${latencyText(avg)}`}
      </span>
    </>
  );
}

function phaseBar({ phases, length }: Row): Markup {
  const times = STEP_PHASES.map((phase) => {
    const { count = 0, avg = 0 } = phases[phase] ?? {};
    return { phase, time: count * avg };
  });
  const total = timeOf(phases) || 1;
  let from = 0;
  const parts = times.map(({ phase, time }) => {
    const start = from;
    from += time / total * length * 200;
    return (
      <path
        class={`p-${phase}`}
        fill={PHASE_FILLS[phase]!}
        d={`M${coordinate(start)} 0H${coordinate(from)}V10H${
          coordinate(start)
        }z`}
      />
    );
  });
  return (
    <svg
      class="phases"
      viewBox="0 0 200 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts}
    </svg>
  );
}
