import { countText, latencyText, shareText } from "../../lib/report/figures.ts";
import type { RunMeta, StepSummary } from "../../lib/result/run.ts";
import { html, type Markup } from "../markup.ts";
import { stepClass } from "../model/steps.ts";
import { bytesText } from "./figures.ts";
import { runPath } from "./visit.ts";

/** A row a step; `link` is off in a report file. */
export function stepsTable(meta: RunMeta, link = true): Markup {
  if (meta.steps.length === 0) {
    return html`<p class="empty">The steps' figures are written when the run ends.</p>`;
  }
  const ids = meta.steps.map((step) => step.id);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Steps">
      <table class="wide">
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col">kind</th>
            <th scope="col" class="n">begun</th>
            <th scope="col" class="n">requests</th>
            <th scope="col" class="n">passed</th>
            <th scope="col" class="n">throttled</th>
            <th scope="col" class="n">failed</th>
            <th scope="col" class="n">p50</th>
            <th scope="col" class="n">p95</th>
            <th scope="col" class="n">p99</th>
            <th scope="col" class="n">max</th>
            <th scope="col" class="n">throttled p50</th>
            <th scope="col" class="n">sent</th>
            <th scope="col" class="n">received</th>
          </tr>
        </thead>
        <tbody>${meta.steps.map((step) => row(meta, step, ids, link))}</tbody>
      </table>
    </div>
  `;
}

function row(
  meta: RunMeta,
  step: StepSummary,
  ids: readonly string[],
  link: boolean,
): Markup {
  const { latency, throttled_latency } = step;
  const ms = (value: number, max: number) =>
    html`<td class="n">${max === 0 ? "–" : latencyText(value)}</td>`;
  const ended = step.passed + step.throttled + step.failed;
  const part = (count: number, kind: string) =>
    html`<td class="n ${count > 0 ? kind : ""}">${countText(count)}${
      count > 0 && kind !== "" &&
      html`
        <span class="more">${shareText(count / ended)}</span>
      `
    }</td>`;
  const name = html`<span class="dot ${
    stepClass(ids, step.id)
  }"></span>${step.id}`;
  return html`<tr><th scope="row">${
    link
      ? html`<a href="${
        runPath(meta.id, `/traces?step=${encodeURIComponent(step.id)}`)
      }">${name}</a>`
      : name
  }</th><td>${step.kind}</td><td class="n">${
    countText(step.executions)
  }</td><td class="n">${countText(step.requests)}</td>${part(step.passed, "")}${
    part(step.throttled, "warn")
  }${part(step.failed, "bad")}${ms(latency.p50, latency.max)}${
    ms(latency.p95, latency.max)
  }${ms(latency.p99, latency.max)}${ms(latency.max, latency.max)}${
    ms(throttled_latency.p50, throttled_latency.max)
  }<td class="n">${bytesText(step.bytes_sent)}</td><td class="n">${
    bytesText(step.bytes_received)
  }</td></tr>`;
}
