import { repeatKey } from "../../lib/results/report/reason.ts";
import { Block, Moment, VerdictSign } from "./parts.tsx";
import {
  countText,
  latencyText,
  plural,
  rateOf,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { type Line, lineChart } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { type Column, DataTable, figure } from "../markup/data_table.tsx";
import {
  figureOrNone,
  knownP95,
  shareOrNone,
  STEP_COLOURS,
} from "../model/words.ts";
import { errorPage } from "./layout.tsx";
import {
  type PageRequest,
  type PageResponse,
  runPath,
} from "./page_request.ts";

const MOST = 200;

/** One flow over its runs, oldest on the left. */
export async function flowPage(
  { params, index }: PageRequest,
): Promise<PageResponse> {
  const flow = params.flow!;
  const all = (await index.list()).flatMap(({ meta }) =>
    meta?.flow === flow ? [meta] : []
  );
  if (all.length === 0) {
    return errorPage(404, "No such flow", `No run of ${flow} is stored.`);
  }
  const runs = all.slice(0, MOST).reverse();
  return {
    title: `Runs of ${flow}`,
    body: (
      <>
        <h1>{flow}</h1>
        <p class="note">
          {plural(all.length, "run")}
          {all.length > MOST && `; the last ${MOST} are shown`}
        </p>
        {trend(runs)}
        {runsTable(runs)}
      </>
    ),
  };
}

/**
 * The last runs of one version, profile and options, once a target has two of
 * them; runs that were cut short say nothing of it.
 */
function repeatedRuns(runs: readonly RunMeta[]): readonly RunMeta[] {
  const ended = runs.filter((run) =>
    run.latency.max !== null && run.verdict !== null &&
    run.iterations.completed > 0
  );
  const anywhere = (run: RunMeta) => repeatKey({ ...run, target: "" });
  const seen = new Set<string>();
  const last = ended.findLast((run) => {
    const { size } = seen;
    return seen.add(repeatKey(run)).size === size;
  });
  return last ? ended.filter((run) => anywhere(run) === anywhere(last)) : [];
}

/** The targets of runs, in this order: those that ran last, as many as there are colours. */
function shownTargets(runs: readonly RunMeta[]): ReadonlySet<string> {
  const last = new Set(runs.toReversed().map(({ target }) => target));
  const shown = [...last].slice(0, STEP_COLOURS);
  return new Set(
    runs.map(({ target }) => target).filter((each) => shown.includes(each)),
  );
}

/** A line for each target. */
function trend(runs: readonly RunMeta[]): Markup | undefined {
  const repeated = repeatedRuns(runs);
  if (repeated.length === 0) return;
  const shown = shownTargets(repeated);
  const targets = [...shown];
  const judged = repeated.filter(({ target }) => shown.has(target));
  const points = judged.map((run, t) => ({ t, run }));
  const chart = (
    title: string,
    unit: "ms" | "share",
    text: (value: number) => string,
    of: (run: RunMeta) => number | null,
  ) => {
    const ranges = targets.flatMap((target) => {
      const texts = judged.flatMap((run) => {
        const value = run.target === target ? of(run) : null;
        return value === null ? [] : [text(value)];
      });
      if (texts.length === 0) return [];
      const range = rangeText(texts);
      return [targets.length === 1 ? range : `${target}: ${range}`];
    });
    return ranges.length > 0 && lineChart({
      id: `trend-${title.replace("_rate", "")}`,
      title,
      summary: ranges.join(" "),
      points,
      lines: targets.map((target, i): Line<typeof points[number]> => [
        target,
        i,
        ({ run }) => run.target === target ? of(run) : null,
      ]),
      unit,
      joined: true,
      timeText: (i) => dayText(judged[Math.round(i)]!),
    });
  };
  return (
    <Block id="trend" title="Run by run">
      {repeated.length < runs.length && (
        <p class="note">
          The runs of one version of the flow, with one profile and the same
          options: {countText(repeated.length)} of {countText(runs.length)}
        </p>
      )}
      {judged.length < repeated.length && (
        <p class="note">
          The {STEP_COLOURS}{" "}
          targets that ran last; the runs of the others are in the table below
        </p>
      )}
      <div class="charts">
        {chart("p95", "ms", latencyText, knownP95)}
        {chart("error_rate", "share", shareText, (run) => run.error_rate)}
        {chart("throttle_rate", "share", shareText, (run) => run.throttle_rate)}
      </div>
    </Block>
  );
}

/** `11-20 18:02Z`: the axis of a chart stays in UTC where the table is in the reader's time. */
function dayText({ started_at }: RunMeta): string {
  return `${started_at.slice(5, 16).replace("T", " ")}Z`;
}

function rangeText(texts: readonly string[]): string {
  const [first] = texts;
  const last = texts.at(-1);
  if (texts.length === 1) return `${first} in one run.`;
  return texts.every((each) => each === first)
    ? `${first} in all ${texts.length} runs.`
    : `From ${first} to ${last} over ${texts.length} runs.`;
}

function runsTable(runs: readonly RunMeta[]): Markup {
  return (
    <Block id="runs" title="Runs">
      <DataTable columns={COLUMNS} rows={runs.toReversed()} label="Runs" />
    </Block>
  );
}

const COLUMNS: readonly Column<RunMeta>[] = [
  {
    title: "verdict",
    narrow: "lead",
    cell: (meta) => <VerdictSign meta={meta} />,
  },
  {
    title: "started",
    kind: "head",
    narrow: "lead",
    cell: ({ id, started_at }) => (
      <a class="row" href={runPath(id)}>
        <Moment at={started_at} />
      </a>
    ),
  },
  { title: "mode", cell: ({ mode }) => mode },
  { title: "target", cell: ({ target }) => target },
  figure("iterations", ({ iterations }) => countText(iterations.completed)),
  figure("error_rate", (run) => shareOrNone(rateOf(run, "error_rate")), {
    tone: ({ error_rate }) => error_rate > 0 ? "bad" : "",
  }),
  figure("throttle_rate", (run) => shareOrNone(rateOf(run, "throttle_rate")), {
    tone: ({ throttle_rate }) => throttle_rate > 0 ? "warn" : "",
  }),
  figure("p95", (run) => figureOrNone("p95", run)),
];
