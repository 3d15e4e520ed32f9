import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  doubtOf,
  judgedMark,
  judgementsOf,
  type ShownJudgement,
} from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { withCode } from "./parts.tsx";
import { comparePath, runPath } from "./page_request.ts";

/**
 * The doubt about a run's verdict, and the verdicts over it and other runs; `stored`
 * are those that have a page.
 */
export function judgedView(
  meta: RunMeta,
  stored?: ReadonlySet<string>,
): Markup[] {
  const doubt = doubtOf(meta);
  return [
    ...doubt === undefined ? [] : [
      <p class="warning">
        <span aria-hidden="true">!</span> {withCode(doubt)}
      </p>,
    ],
    ...judgementsOf(meta).map((each) => (
      <p class="judged">{judgedSign(each)} {sentence(each, stored)}</p>
    )),
  ];
}

/** A verdict as an entry of the run list, above the run that was judged. */
export function judgedRow(
  judgement: ShownJudgement,
  stored: ReadonlySet<string>,
): Markup {
  return (
    <tr class="judged">
      <td></td>
      <td>{judgedSign(judgement)}</td>
      <td colspan="12">{sentence(judgement, stored)}</td>
    </tr>
  );
}

function judgedSign(judgement: ShownJudgement): Markup {
  const { sign, kind } = judgedMark(judgement);
  return (
    <span class={`verdict ${kind}`}>
      <span aria-hidden="true">{sign}</span> {judgement.kind.toUpperCase()}
    </span>
  );
}

function sentence(
  { text, runs }: ShownJudgement,
  stored?: ReadonlySet<string>,
): Markup {
  const [judged = "", base] = runs;
  const link = runs.every((id) => stored?.has(id));
  const href = base === undefined ? runPath(judged) : comparePath(judged, base);
  return link ? <a href={href}>{text}</a> : <>{text}</>;
}
