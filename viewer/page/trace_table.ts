import { countText, latencyText, rowText } from "../../lib/report/figures.ts";
import type { RunMeta } from "../../lib/result/run.ts";
import type { TraceEntry } from "../../lib/store/trace_index.ts";
import { coordinate } from "../chart/scale.ts";
import { html, type Markup } from "../markup.ts";
import type { TraceNote } from "../model/trace_digest.ts";
import { outcomeSign } from "./signs.ts";
import { runPath } from "./visit.ts";

/** Traces one a row; with `notes` also what went wrong in them. */
export function traceTable(
  meta: RunMeta,
  entries: readonly TraceEntry[],
  notes: ReadonlyMap<string, TraceNote> | undefined,
): Markup {
  const longest = entries.reduce((max, e) => Math.max(max, e.duration_us), 1);
  const rows = entries.some((entry) => entry.row !== null);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Traces">
      <table class="wide">
        <thead>
          <tr><th scope="col">outcome</th><th scope="col">iteration</th><th scope="col" class="n">at</th><th scope="col" class="n">duration</th><th scope="col"><span class="hidden">bar</span></th><th scope="col" class="n">VU</th>${rows &&
            html`<th scope="col">row</th>`}${notes &&
            html`
              <th scope="col" class="n">exchanges</th>
              <th scope="col">status</th>
              <th scope="col">did not pass</th>
            `}</tr>
        </thead>
        <tbody>${entries.map((entry) =>
          html`<tr><td>${
            outcomeSign(entry.outcome)
          }</td><th scope="row"><a class="row" href="${
            runPath(meta.id, `/traces/${encodeURIComponent(entry.trace_id)}`)
          }">iteration ${
            countText(entry.iteration + 1)
          }</a></th><td class="n">${
            latencyText(entry.start_us / 1_000)
          }</td><td class="n">${
            latencyText(entry.duration_us / 1_000)
          }</td><td><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><path class="${entry.outcome}" fill="#0072B2" d="M0 1H${
            coordinate(entry.duration_us / longest * 100)
          }V7H0z"/></svg></td><td class="n">${entry.vu}</td>${
            rows &&
            html`<td>${entry.row === null ? "–" : rowText(entry.row)}</td>`
          }${notes && noteCells(notes.get(entry.trace_id))}</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

function noteCells(note: TraceNote | undefined): Markup {
  if (!note) {
    return html`
      <td></td>
      <td></td>
      <td></td>
    `;
  }
  const steps = note.bad.map((each) => each.step).join(", ");
  return html`
    <td class="n">${note.attempts}</td>
    <td>${note.statuses.join(", ")}</td>
    <td class="message">${steps}${note.message !== undefined && html`
      <span class="more">${note.message}</span>
    `}</td>
  `;
}
