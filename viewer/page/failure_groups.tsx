import {
  countText,
  latencyText,
  plural,
  rowText,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { type KeptFailure, keptFailuresIn } from "../model/failures.ts";
import { vuNumber } from "../model/words.ts";
import { tracePath } from "./page_request.ts";
import { difference, Location, OutcomeSign, withCode } from "./parts.tsx";

/**
 * Causes one under the other; `link` is off in a report file.
 *
 * @param failures what kept traces show of them; less is shown without
 */
export function failureGroups(
  meta: RunMeta,
  groups: readonly FailureGroup[],
  link: boolean,
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
      <p class="message">{withCode(group.message)}</p>
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

/** Rows, VUs and traces that are named. */
const NAMED = 8;
const TRACES = 5;

/** When a cause was seen and whom it hit, as far as kept traces show. */
function keptFailuresView(
  meta: RunMeta,
  group: FailureGroup,
  failures: readonly KeptFailure[],
  link: boolean,
): Markup | undefined {
  const [first] = failures;
  const last = failures.at(-1);
  if (!first || !last) return;
  const traces = plural(failures.length, "kept trace");
  const when = failures.length === 1
    ? `at ${momentText(first)} in one kept trace`
    : `from ${momentText(first)} to ${momentText(last)} in ${traces}`;
  const rows = [...new Set(failures.map(({ row }) => row))]
    .filter((row) => row !== undefined).sort((a, b) => a - b);
  const vus = [...new Set(failures.map(({ vu }) => vuNumber(vu)))]
    .sort((a, b) => a - b);
  return (
    <div class="seen">
      <p class="where">
        <span>Seen {when}.</span>{" "}
        {rows.length > 0 && (
          <span>{namesText("row", rows.map((row) => row + 1))}</span>
        )}
        <span>{namesText("VU", vus)}</span>
      </p>
      {retryAfterNote(failures)}
      {link && exampleLinks(meta, group, failures)}
    </div>
  );
}

function momentText({ at_us }: KeptFailure): string {
  return latencyText(at_us / 1_000);
}

/** `row 3`; `VUs 1, 2, 5 and 12 more`. */
function namesText(noun: string, values: readonly number[]): string {
  const more = values.length - NAMED;
  const shown = values.slice(0, NAMED).join(", ");
  return `${noun}${values.length === 1 ? "" : "s"} ${shown}${
    more > 0 ? ` and ${countText(more)} more` : ""
  }`;
}

/** The waits that responses asked for (`Retry-After`). */
function retryAfterNote(failures: readonly KeptFailure[]): Markup | undefined {
  const all = failures.flatMap(({ retryAfterMs }) => retryAfterMs)
    .sort((a, b) => a - b);
  if (all.length === 0) return;
  const [low, middle, high] = [
    all[0]!,
    all[Math.floor((all.length - 1) / 2)]!,
    all.at(-1)!,
  ].map(latencyText);
  return (
    <p class="where">
      <span>
        Retry-After:{" "}
        {low === high ? low : `${low} to ${high}, in the middle ${middle}`}, in
        {" "}
        {plural(all.length, "kept response")}
      </span>
    </p>
  );
}

/** More than the example of the group, spread over the run. */
function exampleLinks(
  meta: RunMeta,
  group: FailureGroup,
  failures: readonly KeptFailure[],
): Markup | undefined {
  const others = failures.filter((each) => each.trace_id !== group.trace_id);
  if (others.length === 0) return;
  const step = Math.max(1, Math.floor(others.length / TRACES));
  const shown = others.filter((_, i) => i % step === 0).slice(0, TRACES);
  return (
    <p class="where">
      <span>
        More traces: {shown.map((each, i) => (
          <>
            {i > 0 && ", "}
            <a href={tracePath(meta.id, each.trace_id)}>
              iteration {countText(each.iteration + 1)}
            </a>
          </>
        ))}
      </span>
    </p>
  );
}
