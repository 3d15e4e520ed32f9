import {
  countText,
  latencyText,
  plural,
  shareText,
} from "../../lib/report/figures.ts";
import type { RunMeta } from "../../lib/result/run.ts";
import { flameGraph } from "../chart/flame_graph.ts";
import { html, type Markup } from "../markup.ts";
import { type FlameBox, flameBoxes, nodeAt } from "../model/flame_layout.ts";
import { stepIds } from "../model/steps.ts";
import type { OpenRun } from "../store/open_run.ts";
import { exportLinks } from "./export_links.ts";
import { block, trouble } from "./layout.ts";
import { type PageAnswer, runPath, type Visit } from "./visit.ts";

const ROWS = 200;

/** Where the time of all kept traces went. */
export async function flamePage(
  { url }: Visit,
  meta: RunMeta,
  run: OpenRun,
): Promise<PageAnswer> {
  const answer = (body: Markup): PageAnswer => ({
    title: `Flame graph of ${meta.flow}`,
    run: { id: meta.id, tab: "flame", live: false },
    body: html`<h1>Flame graph</h1>${body}`,
  });
  const { value, problem } = await run.digest();
  if (problem !== undefined) return answer(trouble(problem));
  if (!value || value.flame.traces === 0) {
    return answer(
      html`
        <p
          class="empty">No trace was kept: nothing ran, or the run has not written any yet.</p>
      `,
    );
  }
  const path = url.searchParams.getAll("at");
  const top = nodeAt(value.flame.root, path);
  const ids = await stepIds(meta, run);
  const address = (at: readonly string[]) => {
    const query = new URLSearchParams(at.map((name) => ["at", name]));
    const text = query.toString();
    return runPath(meta.id, text === "" ? "/flame" : `/flame?${text}`);
  };
  const intro = html`
    <p
      class="note">Made of the ${plural(
        value.flame.traces,
        "kept trace",
      )} of ${plural(meta.iterations.started, "iteration")}, ${plural(
        value.spans,
        "span",
      )}. The width of a box is the time spent in it and below; a strip at its foot is the part of it in traces that did not pass. A box opens on a click.</p>
  `;
  if (!top) {
    return answer(
      html`
        ${intro}<p
          class="empty">There is no such place in the graph. <a href="${address(
            [],
          )}">Show all of it</a></p>
      `,
    );
  }
  const boxes = flameBoxes(top, path);
  return answer(
    html`
      ${intro}${trail(path, address)}<div
        class="flame-box">${flameGraph(boxes, ids, address)}</div>${exportLinks(
          meta.id,
          ["speedscope", "trace-events"],
        )}${block("table", "The same as a table", table(boxes))}
    `,
  );
}

function trail(
  path: readonly string[],
  address: (path: readonly string[]) => string,
): Markup {
  return html`
    <nav class="trail"
      aria-label="Place in the graph"><a href="${address([])}">all</a>${path
        .map((name, i) =>
          html`
            <span aria-hidden="true">›</span> <a href="${address(
              path.slice(0, i + 1),
            )}"
              ${i === path.length - 1 && html`
                aria-current="true"
              `}>${name}</a>
          `
        )}</nav>
  `;
}

/** Every box in words, the most time of its own first. */
export function table(boxes: readonly FlameBox[]): Markup {
  const whole = boxes[0]?.total || 1;
  const shown = boxes.toSorted((a, b) => b.self - a.self).slice(0, ROWS);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Time by place">
      <table class="wide">
        <thead>
          <tr>
            <th scope="col">place</th>
            <th scope="col" class="n">own time</th>
            <th scope="col" class="n">share</th>
            <th scope="col" class="n">with all below</th>
            <th scope="col" class="n">spans</th>
            <th scope="col" class="n">average</th>
          </tr>
        </thead>
        <tbody>${shown.map((box) =>
          html`
            <tr>
              <th scope="row">${box.path.length === 0
                ? "all"
                : [...box.path].join(" › ")}${box.name.startsWith("other (") &&
                ` › ${box.name}`}</th>
              <td class="n">${latencyText(box.self / 1_000)}</td>
              <td class="n">${shareText(box.self / whole)}</td>
              <td class="n">${latencyText(box.total / 1_000)}</td>
              <td class="n">${countText(box.count)}</td>
              <td class="n">${latencyText(
                box.total / Math.max(1, box.count) / 1_000,
              )}</td>
            </tr>
          `
        )}</tbody>
      </table>
    </div>
  `;
}
