import { countText, latencyText, rowText } from "../../lib/report/figures.ts";
import type { RowSummary, RunMeta } from "../../lib/result/run.ts";
import { html, type Markup } from "../markup.ts";
import { outcomeSign } from "./signs.ts";
import { runPath } from "./visit.ts";

/** Iterations one by one, those that did not pass first. */
export function rowsTable(meta: RunMeta, link = true): Markup | undefined {
  const { rows } = meta;
  if (!rows || rows.length === 0) return;
  const bad = rows.filter((row) => row.outcome !== "passed");
  const good = rows.filter((row) => row.outcome === "passed");
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Rows">
      <table class="wide">
        <thead>
          <tr>
            <th scope="col">outcome</th>
            <th scope="col">row</th>
            <th scope="col" class="n">duration</th>
            <th scope="col">failed at</th>
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>${[...bad, ...good].map((row) => line(meta, row, link))}</tbody>
      </table>
    </div>${(meta.other_rows ?? 0) > 0 &&
      html`<p class="note">and ${countText(meta.other_rows!)} more rows</p>`}
  `;
}

function line(meta: RunMeta, row: RowSummary, link: boolean): Markup {
  const name = row.row === undefined
    ? `iteration ${countText(row.iteration + 1)}`
    : rowText(row.row);
  const { failure, trace_id } = row;
  return html`
    <tr>
      <td>${outcomeSign(row.outcome)}</td>
      <th scope="row">${link && trace_id !== undefined
        ? html`<a class="row" href="${
          runPath(meta.id, `/traces/${trace_id}`)
        }">${name}</a>`
        : name}</th>
      <td class="n">${latencyText(row.duration_ms)}</td>
      <td>${failure?.step}</td>
      <td class="message">${failure?.message}</td>
    </tr>
  `;
}
