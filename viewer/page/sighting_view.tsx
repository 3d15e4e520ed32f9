import {
  countText,
  latencyText,
  plural,
} from "../../lib/results/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import { coordinate } from "../chart/scale.ts";
import type { Markup } from "../markup.ts";
import type { Sighting } from "../model/sightings.ts";
import { runPath } from "./visit.ts";

const WIDTH = 600;
/** Rows, VUs and traces that are named. */
const NAMED = 8;
const TRACES = 5;

/** When a cause was seen and whom it hit, as far as kept traces tell. */
export function sightingView(
  meta: RunMeta,
  group: FailureGroup,
  sightings: readonly Sighting[],
  link: boolean,
): Markup | undefined {
  const [first] = sightings;
  const last = sightings.at(-1);
  if (!first || !last) return;
  const traces = plural(sightings.length, "kept trace");
  const when = sightings.length === 1
    ? `Seen at ${at(first)} in one kept trace.`
    : `Seen from ${at(first)} to ${at(last)} in ${traces}.`;
  const rows = [...new Set(sightings.map(({ row }) => row))]
    .filter((row) => row !== undefined).sort((a, b) => a - b);
  const vus = [...new Set(sightings.map(({ vu }) => vu))]
    .sort((a, b) => a - b);
  return (
    <div class="seen">
      {strip(meta, sightings)}
      <p class="where">
        <span>{when}</span>{" "}
        {rows.length > 0 && (
          <span>{named("row", rows.map((row) => row + 1))}</span>
        )}
        <span>{named("VU", vus)}</span>
      </p>
      {asked(sightings)}
      {link && examples(meta, group, sightings)}
    </div>
  );
}

function at({ at_us }: Sighting): string {
  return latencyText(at_us / 1_000);
}

/** `row 3`; `VUs 0, 1, 4 and 12 more`. */
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
  sightings: readonly Sighting[],
): Markup {
  const x = ({ at_us }: Sighting) =>
    coordinate(
      Math.min(1, at_us / 1_000 / Math.max(1, duration_ms)) * (WIDTH - 2) + 1,
    );
  const marks = [...new Set(sightings.map(x))]
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
        class={`seen-${sightings[0]!.outcome}`}
        fill="none"
        stroke="#555"
        d={marks}
      />
    </svg>
  );
}

/** What the answers asked to wait. */
function asked(sightings: readonly Sighting[]): Markup | undefined {
  const all = sightings.flatMap(({ retryAfterMs }) => retryAfterMs)
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
        {plural(all.length, "kept answer")}
      </span>
    </p>
  );
}

/** More than the one that stands with the cause, spread over the run. */
function examples(
  meta: RunMeta,
  group: FailureGroup,
  sightings: readonly Sighting[],
): Markup | undefined {
  const others = sightings.filter((each) => each.trace_id !== group.trace_id);
  if (others.length === 0) return;
  const step = Math.max(1, Math.floor(others.length / TRACES));
  const shown = others.filter((_, i) => i % step === 0).slice(0, TRACES);
  return (
    <p class="where">
      <span>
        More traces: {shown.map((each, i) => (
          <>
            {i > 0 && ", "}
            <a
              href={runPath(
                meta.id,
                `/traces/${encodeURIComponent(each.trace_id)}`,
              )}
            >
              iteration {countText(each.iteration + 1)}
            </a>
          </>
        ))}
      </span>
    </p>
  );
}
