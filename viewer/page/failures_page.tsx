import { isFunctional, type Mode } from "../../lib/model/mode.ts";
import { BAD_OUTCOMES } from "../../lib/model/outcome.ts";
import { sum } from "../../lib/base/values/sum.ts";
import {
  countText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { lineChart, OUTCOME_COLOURS } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { lengthOf, stretches } from "../model/timeline.ts";
import { spanOf } from "../model/words.ts";
import { failingThrottles, plannedLoad } from "../store/run_facts.ts";
import { failureGroups } from "./failure_groups.tsx";
import { oncePassed, onceView } from "./once_view.tsx";
import { whilePlanned } from "./run_charts.tsx";
import type { KeptFailure } from "../model/failures.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { Blocks, NotWritten, type PageBlock, withContent } from "./parts.tsx";
import type { PageResponse, RunRequest } from "./page_request.ts";
import { strip } from "../chart/frame.tsx";

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
        <Blocks
          of={[
            ...step === "" ? onceBlocks(meta) : [],
            ...await failureBlocks(meta, run, step),
          ]}
        />
      </>
    ),
  };
}

/** Steps of `setup` and `teardown`, which are in no iteration, where one did not pass. */
function onceBlocks(meta: RunMeta): PageBlock[] {
  const title = "Setup and teardown";
  return oncePassed(meta)
    ? []
    : [{ id: "once", title, content: onceView(meta, true) }];
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
  const groups = meta.failures.filter((each) =>
    step === "" || each.step === step
  );
  const [bad, throttles] = BAD_OUTCOMES.map((outcome) =>
    groups.filter((each) => each.outcome === outcome)
  ) as [FailureGroup[], FailureGroup[]];
  const isError = await failingThrottles(meta, run);
  const failing = stepsOf(throttles).filter(isError);
  const listed = (of: readonly FailureGroup[]) =>
    byStep(meta, of, { failures, seconds }, link);
  const { failed, throttled, all } = countsOf(meta, step, isError);
  const title = (name: string, count: number) =>
    `${name} (${countText(count)} of ${all})`;
  return withContent([
    {
      id: "failures-time",
      title: "Failures over time",
      content: step === "" ? await failuresOverTime(meta, run) : undefined,
    },
    {
      id: "failed",
      title: title("Failed", failed),
      content: bad.length + failing.length === 0
        ? noCauses(meta, failed, `No failures in ${all}.`)
        : [failedByThrottles(failing), listed(bad)],
    },
    {
      id: "throttled",
      title: title("Throttled", throttled),
      content: [
        throttleNote(meta, stepsOf(throttles), isError),
        listed(throttles) ??
          noCauses(meta, throttled, "Nothing was throttled."),
      ],
    },
  ]);
}

/** How many did not pass: iterations, or executions of one step. */
function countsOf(
  { steps, iterations }: RunMeta,
  step: string,
  isError: (step: string) => boolean,
) {
  if (step === "") {
    const all = plural(iterations.completed, "iteration");
    return { ...iterations, all };
  }
  const own = steps.find(({ id }) => id === step);
  const { failed = 0, throttled = 0, executions = 0 } = own ?? {};
  return {
    failed: isError(step) ? failed + throttled : failed,
    throttled,
    all: plural(executions, "execution"),
  };
}

/** The steps of these causes. */
function stepsOf(groups: readonly FailureGroup[]): string[] {
  return [...new Set(groups.map(({ step }) => step))];
}

/** Says that failures are in the other list. */
function failedByThrottles(steps: readonly string[]): Markup | undefined {
  if (steps.length === 0) return;
  return (
    <p class="note">
      A throttle at {named(steps)} counts as a failure: its causes are under
      {" "}
      <a href="#throttled">Throttled</a>.
    </p>
  );
}

/** Whether a throttle is a failure, by the mode and where a step says otherwise. */
function throttleNote(
  meta: RunMeta,
  steps: readonly string[],
  isError: (step: string) => boolean,
): Markup {
  const functional = isFunctional(meta.mode as Mode);
  const others = steps.filter((step) => isError(step) !== functional);
  return (
    <p class="note">
      Throttled is a class of its own. {functional
        ? "In integration and system runs it counts as a failure"
        : "In load, stress and soak runs it is no failure"}
      {others.length > 0 && (
        <>
          , but at {named(others)} it {functional ? "is none" : "counts as one"}
          {" "}
          (<code>as_error</code>)
        </>
      )}
      ; an iteration can be both and is then in both.
    </p>
  );
}

/** Steps by name. */
function named(steps: readonly string[]): Markup[] {
  return steps.map((step, i) => (
    <>
      {i > 0 && ", "}
      <strong>{step}</strong>
    </>
  ));
}

/** How many, second by second; only where there is something to see. */
async function failuresOverTime(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const { failed, throttled } = meta.iterations;
  const { value: seconds = [] } = await run.series();
  if (failed + throttled === 0) return;
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
  if (points.length < 2) return;
  return (
    <div class="charts" data-sync="run">
      {lineChart({
        id: "chart-failures",
        title: "Iterations that did not pass, a second",
        summary: `${countText(failed)} failed and ${
          countText(throttled)
        } throttled ${spanOf(meta)}.`,
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
  return (
    <>
      {stepsOf(groups).map((step) => {
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
              { seconds, durationMs: meta.duration_ms },
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

/** Which count of a step's attempts an outcome is (`steps` of a second). */
const COUNTS = { throttled: 2, failed: 3 } as const;

/** How many attempts of a step came out so, along the run: a bar a second. */
function outcomeStrip(
  { seconds, durationMs }: {
    readonly seconds: readonly SecondPoint[];
    readonly durationMs: number;
  },
  step: number,
  outcome: FailureGroup["outcome"],
): Markup | undefined {
  const width = Math.ceil(seconds.length / MOST_POINTS);
  const bars = stretches(seconds, width, durationMs).map((group) => {
    const count = sum(
      group,
      ({ steps = [] }) =>
        steps.find(([index]) => index === step)?.[COUNTS[outcome]] ?? 0,
    );
    // The last one may be longer than the others.
    return Math.round(
      count / Math.max(1, lengthOf(group, durationMs) / width),
    );
  });
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
