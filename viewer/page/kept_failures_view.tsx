import {
  countText,
  latencyText,
  plural,
} from "../../lib/results/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import { coordinate } from "../chart/axis.ts";
import type { Markup } from "../markup/markup.ts";
import type { KeptFailure } from "../model/kept_failures.ts";
import { vuNumber } from "../model/words.ts";
import { tracePath } from "./page_request.ts";

const WIDTH = 600;
/** Rows, VUs and traces that are named. */
const NAMED = 8;
const TRACES = 5;

/** When a cause was seen and whom it hit, as far as kept traces show. */
export function keptFailuresView(
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
    ? `Seen at ${at(first)} in one kept trace.`
    : `Seen from ${at(first)} to ${at(last)} in ${traces}.`;
  const rows = [...new Set(failures.map(({ row }) => row))]
    .filter((row) => row !== undefined).sort((a, b) => a - b);
  const vus = [...new Set(failures.map(({ vu }) => vuNumber(vu)))]
    .sort((a, b) => a - b);
  return (
    <div class="seen">
      {strip(meta, failures)}
      <p class="where">
        <span>{when}</span>{" "}
        {rows.length > 0 && (
          <span>{named("row", rows.map((row) => row + 1))}</span>
        )}
        <span>{named("VU", vus)}</span>
      </p>
      {asked(failures)}
      {link && examples(meta, group, failures)}
    </div>
  );
}

function at({ at_us }: KeptFailure): string {
  return latencyText(at_us / 1_000);
}

/** `row 3`; `VUs 1, 2, 5 and 12 more`. */
function named(noun: string, values: readonly number[]): string {
  const more = values.length - NAMED;
  const shown = values.slice(0, NAMED).join(", ");
  return `${noun}${values.length === 1 ? "" : "s"} ${shown}${
    more > 0 ? ` and ${countText(more)} more` : ""
  }`;
}

/** A mark for each, along the run from its start to its end. */
function strip(
  { duration_ms }: RunMeta,
  failures: readonly KeptFailure[],
): Markup {
  const x = ({ at_us }: KeptFailure) =>
    coordinate(
      Math.min(1, at_us / 1_000 / Math.max(1, duration_ms)) * (WIDTH - 2) + 1,
    );
  const marks = [...new Set(failures.map(x))]
    .map((at) => `M${at} 0V10`).join("");
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="track" fill="#8883" d={`M0 0H${WIDTH}V10H0z`} />
      <path
        class={`seen-${failures[0]!.outcome}`}
        fill="none"
        stroke="#555"
        d={marks}
      />
    </svg>
  );
}

/** What the responses asked to wait. */
function asked(failures: readonly KeptFailure[]): Markup | undefined {
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
function examples(
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
