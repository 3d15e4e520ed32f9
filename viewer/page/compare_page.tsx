import { latencyText, runEnd } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/jsx_runtime.ts";

import { type Comparison, differencesOf } from "../model/comparison.ts";
import { type ComparedRun, comparisonBlocks } from "./comparison_blocks.tsx";
import { errorPage } from "./layout.tsx";
import { Blocks, Moment, Select, VerdictSign } from "./parts.tsx";
import {
  comparePath,
  type PageRequest,
  type PageResponse,
  runPath,
} from "./page_request.ts";

/** Two runs side by side; with one or none given, the choice of them. */
export async function comparePage(request: PageRequest): Promise<PageResponse> {
  const { searchParams } = request.url;
  const [first, second] = searchParams.getAll("run");
  const a = searchParams.get("a") || first;
  const b = searchParams.get("b") || second;
  const both: ComparedRun[] = [];
  for (const id of [a, b]) {
    if (!id) continue;
    const found = await request.index.find(id);
    if (!found?.meta) {
      return errorPage(
        404,
        "No such run",
        found?.error ?? `The store has no run ${id}.`,
      );
    }
    both.push({ meta: found.meta, run: request.index.open(found) });
  }
  // Runs that were ticked have no order of their own: the later one is judged.
  if (a === first && b === second) both.sort(byStart);
  const [x, y] = both;
  if (!x || !y) return await compareChoice(request, x?.meta);
  const compared = await differencesOf(x, y);
  const { note, blocks } = await comparisonBlocks(compared, x, y, true);
  return {
    title: `${x.meta.flow}: two runs`,
    body: (
      <>
        <h1>Two runs</h1>
        {sides(x.meta, y.meta)}
        {flowWarning(compared, x.meta, y.meta)}
        {note}
        <Blocks of={blocks} />
      </>
    ),
  };
}

function byStart({ meta: a }: ComparedRun, { meta: b }: ComparedRun): number {
  return Date.parse(a.started_at) - Date.parse(b.started_at);
}

/** Runs of different flows, or of a flow that was changed, are no measure. */
export function flowWarning(
  { otherName, otherFlow }: Comparison,
  a: RunMeta,
  b: RunMeta,
): Markup | undefined {
  if (otherName) {
    return (
      <p class="warning">
        <strong>
          <span aria-hidden="true">!</span> Different flows.
        </strong>{" "}
        Figures of <code>{a.flow}</code> and <code>{b.flow}</code>{" "}
        say nothing about each other.
      </p>
    );
  }
  if (!otherFlow) return;
  return (
    <p class="warning">
      <strong>
        <span aria-hidden="true">!</span> The flow was changed
      </strong>{" "}
      between these runs: a difference may be the flow's.
    </p>
  );
}

function sides(a: RunMeta, b: RunMeta): Markup {
  const side = (name: string, run: RunMeta) => (
    <div class="side">
      <h2>
        {name}: <a href={runPath(run.id)}>{run.flow}</a>{" "}
        <VerdictSign meta={run} />
      </h2>
      <p class="where">
        <span>
          <Moment at={run.started_at} />
        </span>{" "}
        <span>{run.mode} against {run.target}</span>{" "}
        <span>{latencyText(run.duration_ms)}</span>
      </p>
    </div>
  );
  return (
    <>
      <div class="sides">{side("A", a)}{side("B", b)}</div>
      <p>
        <a class="button" href={comparePath(a.id, b.id)}>Swap</a>
      </p>
    </>
  );
}

/** The last runs, that a page does not become too long. */
const MOST_CHOICES = 500;

/** The choice of two runs, of the same flow as the one already chosen. */
async function compareChoice(
  { index }: PageRequest,
  chosen: RunMeta | undefined,
): Promise<PageResponse> {
  const all = (await index.list()).flatMap(({ meta }) => meta ? [meta] : []);
  const flow = chosen?.flow;
  const runs = all.filter((run) => flow === undefined || run.flow === flow);
  const b = (chosen ?? runs[0])?.id;
  const a = runs.find((run) => run.id !== b)?.id;
  // A chosen run is a choice though it is an old one.
  const options = runs.filter(({ id }, i) => i < MOST_CHOICES || id === b)
    .map((run) => [run.id, optionText(run, flow)] as const);
  return {
    title: "Compare",
    body: (
      <>
        <h1>Compare two runs{flow !== undefined && ` of ${flow}`}</h1>
        {runs.length < 2
          ? (
            <p class="empty">
              {flow === undefined
                ? "There must be two runs to compare."
                : `This is the only run of ${flow}; runs of different flows say nothing about each other.`}
            </p>
          )
          : (
            <form class="filter" action="/compare" method="get">
              <Select name="a" title="A" options={options} chosen={a} />
              <Select name="b" title="B" options={options} chosen={b} />
              <button type="submit">Compare</button>
            </form>
          )}
      </>
    ),
  };
}

/** Short enough for a phone; the flow is only named where there are several. */
function optionText(run: RunMeta, flow: string | undefined): string {
  const at = run.started_at.slice(0, 19).replace("T", " ");
  return `${flow === undefined ? `${run.flow}, ` : ""}${at} UTC, ${
    runEnd(run).word
  }`;
}
