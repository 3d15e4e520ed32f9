import type { RunMeta } from "../../lib/model/result/run.ts";
import { verdictOf } from "../model/verdict.ts";
import type { PageRequest, PageResponse } from "./page_request.ts";

/** The choice of two runs, of the same flow as the one already chosen. */
export async function compareChoice(
  { index }: PageRequest,
  chosen: string | undefined,
): Promise<PageResponse> {
  const all = (await index.list()).flatMap(({ meta }) => meta ? [meta] : []);
  const flow = all.find((run) => run.id === chosen)?.flow;
  const runs = all.filter((run) => flow === undefined || run.flow === flow);
  const b = chosen ?? runs[0]?.id;
  const a = runs.find((run) => run.id !== b)?.id;
  const select = (name: string, now: string | undefined) => (
    <label>
      {name.toUpperCase()}{" "}
      <select name={name}>
        {runs.slice(0, 500).map((run) => (
          <option value={run.id} selected={run.id === now}>
            {optionText(run, flow)}
          </option>
        ))}
      </select>
    </label>
  );
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
              {select("a", a)}
              {select("b", b)}
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
    verdictOf(run).word
  }`;
}
