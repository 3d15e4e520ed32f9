import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  doubtOf,
  judgementsOf,
  type ShownJudgement,
} from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { comparePath, runPath } from "./page_request.ts";

/** The doubt about a run's verdict, and the verdicts over it and other runs. */
export function judgedView(meta: RunMeta, link: boolean): Markup[] {
  const doubt = doubtOf(meta);
  return [
    ...doubt === undefined ? [] : [
      <p class="warning">
        <span aria-hidden="true">!</span> {doubt}
      </p>,
    ],
    ...judgementsOf(meta).map((each) => (
      <p class="judged">{sentence(each, link)}</p>
    )),
  ];
}

/** A verdict as an entry of the run list, above the run that was judged. */
export function judgedRow(judgement: ShownJudgement): Markup {
  const { kind, bad } = judgement;
  return (
    <tr class="judged">
      <td></td>
      <td>
        <span class={`verdict ${bad ? "fail" : "pass"}`}>
          <span aria-hidden="true">{bad ? "✗" : "✓"}</span> {kind.toUpperCase()}
        </span>
      </td>
      <td colspan="12">{sentence(judgement, true)}</td>
    </tr>
  );
}

function sentence({ kind, text, runs }: ShownJudgement, link: boolean): Markup {
  const [judged = "", base] = runs;
  const href = base === undefined ? runPath(judged) : comparePath(judged, base);
  const name = `${kind}: ${text}`;
  return link ? <a href={href}>{name}</a> : <>{name}</>;
}
