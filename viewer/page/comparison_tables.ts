import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/report/figures.ts";
import { html, type Markup } from "../markup.ts";
import {
  changeOf,
  type Comparison,
  type Difference,
  type StepDifference,
} from "../model/comparison.ts";
import { rateText } from "./figures.ts";

/** Differences that few samples stand behind are only named, not judged. */
const FEW = 100;
/** Smaller changes than this, in percent, are called none. */
const SAME = 5;

/** Settings that are not the same. */
export function settingsTable(settings: Comparison["settings"]): Markup {
  return table(
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
  );
}

/** Every figure of both runs with its change. */
export function figuresTable(figures: readonly Difference[]): Markup {
  const runs = figures.find(({ usual }) => usual)?.usual?.runs;
  return html`${
    table(
      ["", "A", "B", "change", "rests on"],
      figures.map((figure) =>
        html`
          <tr>
            <th scope="row">${figure.name}</th>
            <td class="n">${text(figure, figure.a)}</td>
            <td class="n">${text(figure, figure.b)}</td>
            <td>${change(figure)}</td>
            <td class="n">${plural(figure.samples, figure.counted)}</td>
          </tr>
        `
      ),
    )
  }${
    runs !== undefined &&
    html`
      <p
        class="note">“as usual” is a change no larger than ${runs} other runs of the same flow, target and VUs differ among themselves.</p>
    `
  }`;
}

/** Every step of both runs. */
export function stepsComparison(steps: readonly StepDifference[]): Markup {
  return table(
    ["step", "p95 of A", "p95 of B", "change", "failed", "throttled"],
    steps.map(stepRow),
  );
}

function stepRow({ id, a, b }: StepDifference): Markup {
  const samples = (step: StepDifference["a"]) =>
    step ? step.attempts.passed + step.attempts.failed : 0;
  const figure: Difference = {
    name: id,
    unit: "ms",
    a: a && a.latency.max > 0 ? a.latency.p95 : null,
    b: b && b.latency.max > 0 ? b.latency.p95 : null,
    worse: "more",
    samples: Math.min(samples(a), samples(b)),
    counted: "sample",
  };
  const counts = (pick: "failed" | "throttled") =>
    `${a ? countText(a[pick]) : "–"} → ${b ? countText(b[pick]) : "–"}`;
  const missing = !a ? "only in B" : !b ? "only in A" : undefined;
  return html`
    <tr>
      <th scope="row">${id}</th>
      <td class="n">${text(figure, figure.a)}</td>
      <td class="n">${text(figure, figure.b)}</td>
      <td>${missing !== undefined
        ? html`<span class="more">${missing}</span>`
        : change(figure)}</td>
      <td class="n">${counts("failed")}</td>
      <td class="n">${counts("throttled")}</td>
    </tr>
  `;
}

/** In words, because a colour alone says nothing: worse, better, or why neither. */
function change(figure: Difference): Markup {
  const percent = changeOf(figure);
  if (percent === undefined) {
    const from = figure.a === 0 && (figure.b ?? 0) > 0;
    return figure.a === figure.b
      ? html`<span class="more">the same</span>`
      : from && figure.worse === "more" && figure.samples >= FEW
      ? html`<span class="bad">from none <span aria-hidden="true">▲</span> worse</span>`
      : html`<span class="more">not comparable in percent</span>`;
  }
  const sign = `${percent > 0 ? "+" : ""}${Number(percent.toFixed(1))}%`;
  const remark = (text: string) =>
    html`${sign} <span class="more">${text}</span>`;
  if (figure.worse === "neither") return html`${sign}`;
  if (Math.abs(percent) < SAME) return remark("about the same");
  if (figure.samples < FEW) return remark("few samples");
  if (usual(figure)) return remark("as usual");
  const worse = (percent > 0) === (figure.worse === "more");
  return worse
    ? html`<span class="bad">${sign} <span aria-hidden="true">▲</span> worse</span>`
    : html`<span class="good">${sign} <span aria-hidden="true">▼</span> better</span>`;
}

/** Whether other runs differ by as much, with nothing changed. */
function usual({ a, b, usual }: Difference): boolean {
  return usual !== undefined && a !== null && b !== null &&
    Math.abs(b - a) <= usual.high - usual.low;
}

function text({ unit }: Difference, value: number | null): string {
  if (value === null) return "–";
  if (unit === "ms") return latencyText(value);
  if (unit === "share") return shareText(value);
  return unit === "rate" ? rateText(value) : countText(value);
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
