import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  doubtOf,
  judgementsOf,
  type ShownJudgement,
} from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { withCode } from "./parts.tsx";
import { comparePath, runPath } from "./page_request.ts";

/** The doubt about a run's verdict, and the verdicts over it and other runs. */
export function judgedView(meta: RunMeta, link: boolean): Markup[] {
  const doubt = doubtOf(meta);
  return [
    ...doubt === undefined ? [] : [
      <p class="warning">
        <span aria-hidden="true">!</span> {withCode(doubt)}
      </p>,
    ],
    ...judgementsOf(meta).map((each) => (
      <p class="judged">{judgedSign(each)} {sentence(each, link)}</p>
    )),
  ];
}

/** A verdict as an entry of the run list, above the run that was judged. */
export function judgedRow(judgement: ShownJudgement): Markup {
  return (
    <tr class="judged">
      <td></td>
      <td>{judgedSign(judgement)}</td>
      <td colspan="12">{sentence(judgement, true)}</td>
    </tr>
  );
}

function judgedSign({ kind, bad, unclear }: ShownJudgement): Markup {
  const [sign, tone] = bad
    ? ["✗", "fail"]
    : unclear
    ? ["?", "stopped"]
    : ["✓", "pass"];
  return (
    <span class={`verdict ${tone}`}>
      <span aria-hidden="true">{sign}</span> {kind.toUpperCase()}
    </span>
  );
}

function sentence({ text, runs }: ShownJudgement, link: boolean): Markup {
  const [judged = "", base] = runs;
  const href = base === undefined ? runPath(judged) : comparePath(judged, base);
  return link ? <a href={href}>{text}</a> : <>{text}</>;
}
