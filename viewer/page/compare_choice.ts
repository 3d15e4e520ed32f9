import { html } from "../markup.ts";
import type { PageAnswer, Visit } from "./visit.ts";

/** The choice of two runs, of the same flow as the one already chosen. */
export async function compareChoice(
  { shelf }: Visit,
  chosen: string | undefined,
): Promise<PageAnswer> {
  const runs = (await shelf.list()).flatMap(({ meta }) => meta ? [meta] : []);
  const flow = runs.find((run) => run.id === chosen)?.flow;
  const select = (name: string, now: string | undefined, only: boolean) =>
    html`
      <label>${name.toUpperCase()} <select name="${name}">${runs.filter((run) =>
        !only || flow === undefined || run.flow === flow
      )
        .slice(0, 500).map((run) =>
          html`
            <option value="${run.id}"
              ${run.id === now && html`
                selected
              `}>${run.flow} ${run.started_at.slice(0, 19)} ${run
                .status} ${run.verdict ?? ""}</option>
          `
        )}</select></label>
    `;
  return {
    title: "Compare",
    body: html`<h1>Compare two runs</h1>${
      runs.length < 2
        ? html`<p class="empty">There must be two runs to compare.</p>`
        : html`
          <form class="filter" action="/compare"
            method="get">${select(
              "a",
              runs.find((run) => run.flow === flow && run.id !== chosen)?.id,
              true,
            )}${select("b", chosen, true)}<button>Compare</button></form>
        `
    }`,
  };
}
