import { latencyText } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { type Comparison, differencesOf } from "../model/comparison.ts";
import { compareChoice } from "./compare_choice.tsx";
import { type ComparedRun, comparisonBlocks } from "./comparison_blocks.tsx";
import { errorPage } from "./error_page.tsx";
import { Moment, VerdictSign } from "./signs.tsx";
import {
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
  if (!a || !b) return await compareChoice(request, a ?? b);
  const both: ComparedRun[] = [];
  for (const id of [a, b]) {
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
  const [x, y] = both as [ComparedRun, ComparedRun];
  const compared = differencesOf(x.meta, y.meta);
  return {
    title: `${x.meta.flow}: two runs`,
    body: (
      <>
        <h1>Two runs</h1>
        {sides(x.meta, y.meta)}
        {flowWarning(compared, x.meta, y.meta)}
        {await comparisonBlocks(compared, x, y, true)}
      </>
    ),
  };
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
        <a
          class="button"
          href={`/compare?a=${encodeURIComponent(b.id)}&b=${
            encodeURIComponent(a.id)
          }`}
        >
          Swap
        </a>
      </p>
    </>
  );
}
