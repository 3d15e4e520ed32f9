import { BAD_OUTCOMES } from "../../lib/model/outcome.ts";
import { sum } from "../../lib/base/values/sum.ts";
import {
  countText,
  latencyText,
  plural,
  rowText,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { lineChart, OUTCOME_COLOURS } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { chunks, lengthOf, stretches } from "../model/timeline.ts";
import { plannedLoad } from "../store/run_facts.ts";
import { whilePlanned } from "./run_charts.tsx";
import { type KeptFailure, keptFailuresIn } from "../model/failures.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import {
  Blocks,
  difference,
  Location,
  NotWritten,
  OutcomeSign,
  type PageBlock,
  withCode,
  withContent,
} from "./parts.tsx";
import {
  type PageResponse,
  type RunRequest,
  tracePath,
} from "./page_request.ts";
import { strip } from "../chart/frame.tsx";
import { vuNumber } from "../model/words.ts";

const MOST_POINTS = 600;

/** Failures by step and cause; throttles are separate. */
export async function failuresPage(
  { url, meta, run }: RunRequest,
): Promise<PageResponse> {
  const step = url.searchParams.get("step") ?? "";
  return {
    title: `Failures of ${meta.flow}`,
    run: { id: meta.id, tab: "failures", live: meta.status === "running" },
    body: (
      <>
        <h1>Failures</h1>
        {step !== "" &&
          (
            <p class="note">
              At step <strong>{step}</strong> only. <a href="?">All steps</a>
            </p>
          )}
        <Blocks of={await failureBlocks(meta, run, step)} />
      </>
    ),
  };
}

/** Of one step, or of all where it is empty; `link` is off in a report file. */
export async function failureBlocks(
  meta: RunMeta,
  run: RunDirectory,
  step: string,
  link = true,
): Promise<PageBlock[]> {
  const failures = (await run.digest()).value?.failures ?? [];
  const { value: seconds = [] } = await run.series();
  const of = (outcome: FailureGroup["outcome"]) =>
    byStep(
      meta,
      meta.failures.filter((each) =>
        each.outcome === outcome && (step === "" || each.step === step)
      ),
      { failures, seconds },
      link,
    );
  const title = (name: string, count: number) =>
    `${name} (${countText(count)} of ${
      plural(meta.iterations.completed, "iteration")
    })`;
  const { failed, throttled } = meta.iterations;
  return withContent([
    {
      id: "failures-time",
      title: "Over time",
      content: step === "" ? await failuresOverTime(meta, run) : undefined,
    },
    {
      id: "failed",
      title: title("Failed", failed),
      content: of("failed") ?? noCauses(
        meta,
        failed,
        `No failures in ${plural(meta.iterations.completed, "iteration")}.`,
      ),
    },
    {
      id: "throttled",
      title: title("Throttled", throttled),
      content: (
        <>
          <p class="note">
            Throttled is a class of its own. In load, stress and soak runs it is
            no failure; an iteration can be both and is then in both.
          </p>
          {of("throttled") ??
            noCauses(meta, throttled, "Nothing was throttled.")}
        </>
      ),
    },
  ]);
}

/** How many, second by second; only where there is something to see. */
async function failuresOverTime(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const { failed, throttled } = meta.iterations;
  const { value: seconds = [] } = await run.series();
  if (failed + throttled === 0 || seconds.length < 2) return;
  const width = Math.ceil(seconds.length / MOST_POINTS);
  const planned = await plannedLoad(run);
  const average = (
    group: readonly SecondPoint[],
    of: (point: SecondPoint) => number | undefined,
  ) => sum(group, (each) => of(each) ?? 0) / lengthOf(group, meta.duration_ms);
  const points = stretches(seconds, width, meta.duration_ms).map((group) => ({
    t: group[0]!.t,
    failed: average(group, (each) => each.iterations_failed),
    throttled: average(group, (each) => each.iterations_throttled),
  }));
  return (
    <div class="charts" data-sync="run">
      {lineChart({
        id: "chart-failures",
        title: "Iterations that did not pass, a second",
        summary: `${countText(failed)} failed and ${
          countText(throttled)
        } throttled over the whole run.`,
        points,
        lines: BAD_OUTCOMES.map((outcome) =>
          whilePlanned<typeof points[number]>(planned, points, [
            outcome,
            OUTCOME_COLOURS[outcome],
            (point) => point[outcome],
          ])
        ),
        unit: "number",
      })}
    </div>
  );
}

/** A run that goes on, or was killed, counts what it has not stored yet. */
function noCauses(meta: RunMeta, count: number, text: string): Markup {
  if (meta.ended_at === null && (meta.status === "running" || count > 0)) {
    return <NotWritten meta={meta} what="The causes are" />;
  }
  return <p class="empty">{text}</p>;
}

function byStep(
  meta: RunMeta,
  groups: readonly FailureGroup[],
  { failures, seconds }: {
    readonly failures: readonly KeptFailure[];
    readonly seconds: readonly SecondPoint[];
  },
  link: boolean,
): Markup | undefined {
  if (groups.length === 0) return;
  const steps = [...new Set(groups.map((group) => group.step))];
  return (
    <>
      {steps.map((step) => {
        const own = groups.filter((group) => group.step === step);
        const count = own.reduce((sum, group) => sum + group.count, 0);
        const of = meta.steps.find((each) => each.id === step)?.executions ?? 0;
        return (
          <>
            <h3 class="at">
              at <span class="step">{step}</span>{" "}
              <span class="more">
                {countText(count)}
                {of > 0 &&
                  ` of ${countText(of)} begun, ${
                    shareText(Math.min(1, count / of))
                  }`}
              </span>
            </h3>
            {outcomeStrip(
              seconds,
              meta.steps.findIndex(({ id }) => id === step),
              own[0]!.outcome,
            )}
            {failureGroups(meta, own, link, failures)}
          </>
        );
      })}
    </>
  );
}

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

/** Which count of a step's attempts an outcome is (`steps` of a second). */
const COUNTS = { throttled: 2, failed: 3 } as const;

/** How many attempts of a step came out so, along the run: a bar a second. */
function outcomeStrip(
  seconds: readonly SecondPoint[],
  step: number,
  outcome: FailureGroup["outcome"],
): Markup | undefined {
  const width = Math.ceil(seconds.length / MOST_POINTS);
  const bars = chunks(seconds, width).map((group) =>
    sum(
      group,
      ({ steps = [] }) =>
        steps.find(([index]) => index === step)?.[COUNTS[outcome]] ?? 0,
    )
  );
  const most = Math.max(...bars);
  if (bars.length < 2 || most === 0) return;
  return strip(
    bars,
    outcome,
    `${outcome} attempts over the run, at most ${countText(most)} in ${
      width === 1 ? "a second" : `${width} seconds`
    }`,
  );
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
