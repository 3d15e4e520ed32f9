import { sum } from "../../lib/base/values/sum.ts";
import {
  countText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import { FAILED, lineChart, THROTTLED } from "../chart/line_chart.tsx";
import type { Markup } from "../markup/markup.ts";
import { chunks } from "../model/timeline.ts";
import type { KeptFailure } from "../model/kept_failures.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { failureGroups } from "./failure_groups.tsx";
import { Block, NotWritten } from "./parts.tsx";
import type { PageResponse, RunRequest } from "./page_request.ts";

const MOST_POINTS = 600;

/** What went wrong, by step and cause; throttles are separate. */
export async function failuresPage(
  { url, meta, run }: RunRequest,
): Promise<PageResponse> {
  const step = url.searchParams.get("step") ?? "";
  return {
    title: `Failures of ${meta.flow}`,
    run: { id: meta.id, tab: "failures", live: meta.status === "running" },
    body: await failureBlocks(meta, run, step),
  };
}

/** Both blocks; `link` is off in a report file. */
export async function failureBlocks(
  meta: RunMeta,
  run: RunDirectory,
  step: string,
  link = true,
): Promise<Markup> {
  const failures = (await run.digest()).value?.failures ?? [];
  const of = (outcome: FailureGroup["outcome"]) =>
    byStep(
      meta,
      meta.failures.filter((each) =>
        each.outcome === outcome && (step === "" || each.step === step)
      ),
      failures,
      link,
    );
  const title = (name: string, count: number) =>
    `${name} (${countText(count)} of ${
      plural(meta.iterations.completed, "iteration")
    })`;
  const { failed, throttled } = meta.iterations;
  return (
    <>
      <h1>Failures</h1>
      {step !== "" &&
        (
          <p class="note">
            At step <strong>{step}</strong> only. <a href="?">All steps</a>
          </p>
        )}
      {step === "" && await overTime(meta, run)}
      <Block id="failed" title={title("Failed", failed)}>
        {of("failed") ?? nothing(meta)}
      </Block>
      <Block id="throttled" title={title("Throttled", throttled)}>
        <p class="note">
          Throttled is a class of its own. In load, stress and soak runs it is
          no failure; an iteration can be both and is then in both.
        </p>
        {of("throttled") ?? none(meta, throttled, "Nothing was throttled.")}
      </Block>
    </>
  );
}

/** How many, second by second; only where there is something to see. */
async function overTime(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const { failed, throttled } = meta.iterations;
  const { value: seconds = [] } = await run.series();
  if (failed + throttled === 0 || seconds.length < 2) return;
  const width = Math.ceil(seconds.length / MOST_POINTS);
  const average = (
    group: readonly SecondPoint[],
    of: (point: SecondPoint) => number | undefined,
  ) => sum(group, (each) => of(each) ?? 0) / group.length;
  const points = chunks(seconds, width).map((group) => ({
    t: group[0]!.t,
    failed: average(group, (each) => each.iterations_failed),
    throttled: average(group, (each) => each.iterations_throttled),
  }));
  return (
    <Block id="failures-time" title="Over time">
      <div class="charts" data-sync="run">
        {lineChart({
          id: "chart-failures",
          title: "Iterations that did not pass, a second",
          summary: `${countText(failed)} failed and ${
            countText(throttled)
          } throttled over the whole run.`,
          points,
          lines: [
            ["failed", FAILED, (point) => point.failed],
            ["throttled", THROTTLED, (point) => point.throttled],
          ],
          unit: width === 1 ? "count" : "number",
        })}
      </div>
    </Block>
  );
}

function nothing(meta: RunMeta): Markup {
  return none(
    meta,
    meta.iterations.failed,
    `No failures in ${plural(meta.iterations.completed, "iteration")}.`,
  );
}

/** A run that goes on, or was killed, counts what it has not stored yet. */
function none(meta: RunMeta, count: number, text: string): Markup {
  if (meta.ended_at === null && (meta.status === "running" || count > 0)) {
    return <NotWritten meta={meta} what="The causes are" />;
  }
  return <p class="empty">{text}</p>;
}

function byStep(
  meta: RunMeta,
  groups: readonly FailureGroup[],
  failures: readonly KeptFailure[],
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
            {failureGroups(meta, own, link, failures)}
          </>
        );
      })}
    </>
  );
}
