import {
  countText,
  rowText,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { TypedValue } from "../../lib/model/result/failure.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { type KeptFailure, keptFailuresIn } from "../model/kept_failures.ts";
import { keptFailuresView } from "./kept_failures_view.tsx";
import { Location, OutcomeSign } from "./parts.tsx";
import { tracePath } from "./page_request.ts";

/**
 * Causes one under the other; `link` is off in a report file.
 *
 * @param failures what kept traces show of them; less is shown without
 */
export function failureGroups(
  meta: RunMeta,
  groups: readonly FailureGroup[],
  link = true,
  failures: readonly KeptFailure[] = [],
): Markup {
  return (
    <ol class="groups">
      {groups.map((group) =>
        failureGroup(meta, group, link, keptFailuresIn(group, failures))
      )}
    </ol>
  );
}

function failureGroup(
  meta: RunMeta,
  group: FailureGroup,
  link: boolean,
  failures: readonly KeptFailure[],
): Markup {
  const kind = group.outcome;
  const { completed } = meta.iterations;
  return (
    <li class={`group ${kind}`}>
      <h3>
        <OutcomeSign outcome={kind}>{countText(group.count)} ×</OutcomeSign>
        {" "}
        <span class="step">{group.step}</span> <code>{group.code}</code>
      </h3>
      <p class="message">{group.message}</p>
      {difference(group)}
      <p class="where">
        <Location of={group} /> {group.count <= completed &&
          <span>{shareText(group.count / completed)} of iterations</span>}
        {group.row !== undefined && (
          <span>such as {rowText(group.row, group.row_name)}</span>
        )}
        {group.trace_id !== undefined &&
          (link
            ? (
              <a href={tracePath(meta.id, group.trace_id)}>
                a trace that shows it
              </a>
            )
            : <span>trace {group.trace_id}</span>)}
      </p>
      {keptFailuresView(meta, group, failures, link)}
    </li>
  );
}

/** What was expected beside the actual value. */
export function difference(
  { expected, actual }: {
    readonly expected?: TypedValue;
    readonly actual?: TypedValue;
  },
): Markup | undefined {
  if (!expected && !actual) return;
  return (
    <dl class="difference">
      {expected && (
        <div>
          <dt>expected</dt>
          <dd>{typed(expected)}</dd>
        </div>
      )}
      {actual && (
        <div>
          <dt>actual</dt>
          <dd>{typed(actual)}</dd>
        </div>
      )}
    </dl>
  );
}

function typed({ type, text, operator }: TypedValue): Markup {
  return (
    <>
      {operator !== undefined && <code>{operator}</code>}
      <span class="type">{type}</span>
      {text !== "" && <code>{text}</code>}
    </>
  );
}
