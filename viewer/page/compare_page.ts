import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/report/figures.ts";
import type { RunMeta } from "../../lib/result/run.ts";
import { distribution } from "../chart/distribution.ts";
import { html, type Markup } from "../markup.ts";
import {
  changeOf,
  compareRuns,
  type Comparison,
  type Difference,
  type StepDifference,
} from "../model/comparison.ts";
import type { Listed } from "../store/shelf.ts";
import { compareChoice } from "./compare_choice.ts";
import { failureGroups } from "./failure_groups.ts";
import { rateText } from "./figures.ts";
import { block } from "./layout.ts";
import { problemPage } from "./problem_page.ts";
import { moment, verdictSign } from "./signs.ts";
import { type PageAnswer, runPath, type Visit } from "./visit.ts";

/** Differences that few samples stand behind are only named, not judged. */
const FEW = 100;
/** Smaller changes than this, in percent, are called none. */
const SAME = 5;

/** Two runs side by side; with one or none given, the choice of them. */
export async function comparePage(visit: Visit): Promise<PageAnswer> {
  const { searchParams } = visit.url;
  const [first, second] = searchParams.getAll("run");
  const a = searchParams.get("a") || first;
  const b = searchParams.get("b") || second;
  if (!a || !b) return await compareChoice(visit, a ?? b);
  const runs: RunMeta[] = [];
  const listed: Listed[] = [];
  for (const id of [a, b]) {
    const found = await visit.shelf.find(id);
    if (!found?.meta) {
      return problemPage(
        404,
        "No such run",
        found?.problem ?? `The store has no run ${id}.`,
      );
    }
    runs.push(found.meta);
    listed.push(found);
  }
  const [x, y] = runs as [RunMeta, RunMeta];
  const compared = compareRuns(x, y);
  return {
    title: `${x.flow}: two runs`,
    body: html`<h1>Two runs</h1>${sides(x, y)}${
      compared.otherName
        ? html`
          <p
            class="warning"><strong><span aria-hidden="true">!</span> Different flows.</strong> Figures of <code>${x
              .flow}</code> and <code>${y
              .flow}</code> say nothing about each other.</p>
        `
        : compared.otherFlow &&
          html`
            <p
              class="warning"><strong><span aria-hidden="true">!</span> The flow was changed</strong> between these runs: a difference may be the flow's.</p>
          `
    }${blocks(compared)}${
      block(
        "distribution",
        "Latency distribution",
        distribution(
          (await Promise.all(
            listed.map((each) => visit.shelf.open(each).latencies()),
          )).flatMap(({ value }, i) =>
            value
              ? [{
                label: i === 0 ? "A" : "B",
                colour: i,
                latency: value.response,
              }]
              : []
          ),
        ),
      )
    }${groups("fresh", "New in B", y, compared.fresh)}${
      groups("gone", "No longer in B", x, compared.gone)
    }`,
  };
}

function blocks({ settings, figures, steps }: Comparison): Markup {
  return html`${
    settings.length > 0 && block(
      "settings",
      "What was asked for",
      table(
        ["", "run A", "run B"],
        settings.map(({ name, a, b }) =>
          html`
            <tr>
              <th scope="row">${name}</th>
              <td>${a}</td>
              <td>${b}</td>
            </tr>
          `
        ),
      ),
    )
  }${
    block(
      "figures",
      "Figures",
      table(["", "A", "B", "change", "rests on"], figures.map(figureRow)),
    )
  }${
    block(
      "steps",
      "Steps, by the change of p95",
      table(
        ["step", "p95 of A", "p95 of B", "change", "failed", "throttled"],
        steps.map(stepRow),
      ),
    )
  }`;
}

function sides(a: RunMeta, b: RunMeta): Markup {
  const side = (name: string, run: RunMeta) =>
    html`
      <div class="side">
        <h2>${name}: <a href="${runPath(run.id)}">${run.flow}</a> ${verdictSign(
          run,
        )}</h2>
        <p
          class="where"><span>${moment(run.started_at)}</span> <span>${run
            .mode} against ${run.target}</span> <span>${latencyText(
              run.duration_ms,
            )}</span></p>
      </div>
    `;
  return html`
    <div class="sides">${side("A", a)}${side("B", b)}</div>
    <p><a class="button" href="/compare?a=${encodeURIComponent(
      b.id,
    )}&amp;b=${encodeURIComponent(a.id)}">Swap</a></p>
  `;
}

function figureRow(figure: Difference): Markup {
  return html`
    <tr>
      <th scope="row">${figure.name}</th>
      <td class="n">${text(figure, figure.a)}</td>
      <td class="n">${text(figure, figure.b)}</td>
      <td>${change(figure)}</td>
      <td class="n">${plural(figure.samples, "sample")}</td>
    </tr>
  `;
}

function stepRow({ id, a, b }: StepDifference): Markup {
  const figure: Difference = {
    name: id,
    unit: "ms",
    a: a && a.latency.max > 0 ? a.latency.p95 : null,
    b: b && b.latency.max > 0 ? b.latency.p95 : null,
    worse: "more",
    samples: Math.min(a?.requests ?? 0, b?.requests ?? 0),
  };
  const counts = (pick: "failed" | "throttled") =>
    `${a ? countText(a[pick]) : "–"} → ${b ? countText(b[pick]) : "–"}`;
  return html`
    <tr>
      <th scope="row">${id}</th>
      <td class="n">${text(figure, figure.a)}</td>
      <td class="n">${text(figure, figure.b)}</td>
      <td>${change(figure)}</td>
      <td class="n">${counts("failed")}</td>
      <td class="n">${counts("throttled")}</td>
    </tr>
  `;
}

/** In words, because a colour alone says nothing: worse, better, or why neither. */
function change(figure: Difference): Markup {
  const percent = changeOf(figure);
  if (percent === undefined) {
    return figure.a === figure.b
      ? html`<span class="more">the same</span>`
      : html`<span class="more">not comparable in percent</span>`;
  }
  const sign = `${percent > 0 ? "+" : ""}${Number(percent.toFixed(1))}%`;
  if (figure.worse === "neither") return html`${sign}`;
  if (Math.abs(percent) < SAME) {
    return html`${sign} <span class="more">about the same</span>`;
  }
  if (figure.samples < FEW) {
    return html`${sign} <span class="more">few samples</span>`;
  }
  const worse = (percent > 0) === (figure.worse === "more");
  return worse
    ? html`<span class="bad">${sign} <span aria-hidden="true">▲</span> worse</span>`
    : html`<span class="good">${sign} <span aria-hidden="true">▼</span> better</span>`;
}

function text({ unit }: Difference, value: number | null): string {
  if (value === null) return "–";
  if (unit === "ms") return latencyText(value);
  if (unit === "share") return shareText(value);
  return unit === "rate" ? rateText(value) : countText(value);
}

function groups(
  id: string,
  title: string,
  meta: RunMeta,
  found: Comparison["gone"],
): Markup | undefined {
  if (found.length === 0) return;
  return block(
    id,
    `${title}: failures and throttles`,
    failureGroups(meta, found),
  );
}

/** Columns of figures. */
const NUMBERS = new Set(
  ["A", "B", "rests on", "p95 of A", "p95 of B", "failed", "throttled"],
);

function table(heads: readonly string[], rows: readonly Markup[]): Markup {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Comparison">
      <table class="wide">
        <thead>
          <tr>${heads.map((head) =>
            html`
              <th scope="col" ${NUMBERS.has(head) && html`
                class="n"
              `}>${head}</th>
            `
          )}</tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  `;
}
