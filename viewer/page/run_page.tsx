import { besideReason } from "../../lib/results/report/reason.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import {
  countText,
  latencyText,
  runEnd,
  shardsSentence,
} from "../../lib/results/report/figures.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { runBefore } from "../model/run_list.ts";
import { failingThrottles, plannedLoad } from "../store/run_facts.ts";

import { waterfallOf } from "../model/waterfall.ts";
import { rangeLatency, type RunDirectory } from "../store/run_directory.ts";
import { causesView, rowsTable } from "./rows.tsx";
import { failureGroups } from "./failure_groups.tsx";
import {
  figureNotes,
  generatorBlock,
  keyFigures,
  rangeFigures,
} from "./figures.tsx";
import { contractView } from "./contract_view.tsx";
import { capacityView, kneeCard, trialsTable } from "./capacity_view.tsx";
import {
  Blocks,
  Contents,
  type PageBlock,
  Unreadable,
  withCode,
  withContent,
} from "./parts.tsx";
import { oncePassed, onceView } from "./once_view.tsx";
import { overTime } from "./over_time.tsx";
import { type BlockOptions, runClock, secondsOf } from "./run_clock.ts";
import {
  checksTable,
  flowsTable,
  phasesTable,
  stepsTable,
  thresholdTable,
} from "./run_tables.tsx";
import { heading } from "./run_heading.tsx";
import { slowestTraces } from "./traces_page.tsx";
import { stepCharts } from "./step_charts.tsx";
import {
  numberOf,
  type PageResponse,
  runPath,
  type RunRequest,
  tracePath,
} from "./page_request.ts";
import { waterfallView } from "./waterfall_view.tsx";

/** The run in ten seconds: verdict, why, figures, then everything over time. */
export async function runPage(
  { url, index, meta, run }: RunRequest,
): Promise<PageResponse> {
  const all = (await index.list()).flatMap(({ meta }) => meta ? [meta] : []);
  const stored = new Set(all.map(({ id }) => id));
  const options = {
    range: { from: numberOf(url, "t0"), to: numberOf(url, "t1") },
    link: true,
    address: url,
    log: url.searchParams.get("scale") === "log",
  };
  const blocks = await runBlocks(meta, run, options);
  return {
    title: `${meta.flow} ${runEnd(meta).word}`,
    run: { id: meta.id, tab: "overview", live: meta.status === "running" },
    body: (
      <>
        {heading(meta, {
          stored,
          before: runBefore(all, meta),
          planned: await plannedLoad(run),
          series: (await run.series()).value !== undefined,
        })}
        <Blocks of={blocks.filter(({ lead }) => lead)} />
        <Contents of={blocks.filter(({ lead }) => !lead)} />
        <Blocks of={blocks.filter(({ lead }) => !lead)} />
      </>
    ),
  };
}

/** Every block of the run page, in the order they matter: those that lead are the first screen. */
export async function runBlocks(
  meta: RunMeta,
  run: RunDirectory,
  options: BlockOptions,
): Promise<PageBlock[]> {
  const { link } = options;
  const functional = meta.rows !== undefined;
  const { value: every = [], error: unread } = await run.rows(meta);
  const rows = unread === undefined
    ? rowsTable(meta, every, options.address) ?? noRows(meta)
    : <Unreadable error={unread} />;
  const clock = await runClock(meta, run, options.range);
  const [figures, thresholds, ...judged] = await judgedBlocks(
    meta,
    run,
    options,
  );
  const only = link ? await onlyTrace(meta, run) : undefined;
  const middle = only
    ? [{ id: "waterfall", title: "The iteration", content: only }]
    : rows
    ? [{ id: "rows", title: "Rows", content: rows }]
    : undefined;
  const [time, ...others] = middle ?? await overTime(meta, run, options, clock);
  const once = [
    { id: "once", title: "Setup and teardown", content: onceView(meta, link) },
  ];
  const running = meta.status === "running";
  return withContent([
    ...running ? [thresholds!] : [],
    {
      id: "causes",
      title: "What failed",
      content: await causesView(meta, run, every, options),
    },
    ...failedBlocks(meta, await failuresOf(meta, run), link),
    ...oncePassed(meta) ? [] : once,
    { id: "contract", title: "Contract", content: contractView(meta, link) },
    figures!,
    {
      id: "capacity",
      title: "Capacity",
      lead: true,
      content: meta.capacity && capacityView(meta.capacity, meta.thresholds),
    },
    { id: "knee", title: "Knee point", lead: true, content: kneeCard(meta) },
    middle ? time! : { ...time!, lead: true },
    ...running ? [] : [thresholds!],
    {
      id: "trials",
      title: "Trials",
      content: meta.capacity && trialsTable(meta.capacity),
    },
    ...judged,
    {
      id: "flows",
      title: "Flows, by the time of an iteration",
      content: flowsTable(meta),
    },
    {
      id: "steps",
      title: "Steps",
      content: [
        stepsTable(meta, link),
        !functional && await stepCharts(meta, run, options, clock),
      ],
    },
    ...oncePassed(meta) ? once : [],
    { id: "checks", title: "Checks", content: checksTable(meta) },
    { id: "phases", title: "Where the time went", content: phasesTable(meta) },
    ...others,
    {
      id: "about",
      title: "About the figures",
      content: [
        figureNotes(meta),
        generatorBlock(meta),
        meta.shards && <p class="note">{shardsSentence(meta.shards)}</p>,
        besideReason(meta).map((note) => (
          <p class="note">note: {withCode(note)}</p>
        )),
      ],
    },
    {
      id: "slowest",
      title: "Slowest traces",
      content: link && !rows ? await slowestTraces(meta, run) : undefined,
    },
  ]);
}

/** A functional run that ended before its first row is not one under load. */
function noRows({ rows, status }: RunMeta): Markup | undefined {
  if (rows === undefined || status === "running") return;
  return <p class="empty">No iteration ended.</p>;
}

/** The causes that count as failures, a throttle where its step or the mode says so. */
async function failuresOf(
  meta: RunMeta,
  run: RunDirectory,
): Promise<FailureGroup[]> {
  const isError = await failingThrottles(meta, run);
  return meta.failures.filter(({ outcome, step }) =>
    outcome === "failed" || isError(step)
  );
}

/** The failures of a run under load that are seen first. */
function failedBlocks(
  meta: RunMeta,
  failures: readonly FailureGroup[],
  link: boolean,
): PageBlock[] {
  const functional = meta.rows !== undefined;
  const running = meta.status === "running";
  // A reason is in the banner already; of a run that goes on the last failures lead.
  const lead = !meta.reason && !running;
  return [
    {
      id: "failures",
      title: "Top failures",
      ...lead && { lead },
      content: functional
        ? undefined
        : topFailures(meta, failures.slice(0, lead ? 1 : 3), link),
    },
    {
      id: "last",
      title: "Last failures",
      lead: true,
      content: running ? lastFailures(meta, failures) : undefined,
    },
  ];
}

/** Key figures, thresholds and findings. */
async function judgedBlocks(
  meta: RunMeta,
  run: RunDirectory,
  { range }: BlockOptions,
): Promise<PageBlock[]> {
  const part = range.from !== undefined || range.to !== undefined;
  const figures = part && rangeFigures(
        meta,
        await secondsOf(run, range),
        rangeLatency((await run.histograms()).value, range.from, range.to),
      ) ||
    keyFigures(meta, (await plannedLoad(run)).rate, await secondsOf(run, {}));
  const functional = meta.rows !== undefined;
  const implied = meta.thresholds.every(({ implied }) => implied);
  return [
    {
      id: "figures",
      title: "Key figures",
      lead: true,
      content: figures,
    },
    {
      id: "thresholds",
      title: "Thresholds",
      ...meta.status === "running" && { lead: true },
      content: implied && functional ? undefined : thresholdTable(meta),
    },
    { id: "findings", title: "Findings", content: findingsView(meta) },
  ];
}

/** The findings: what was seen, why it matters, what to try. */
function findingsView({ findings = [] }: RunMeta): Markup | undefined {
  if (findings.length === 0) return;
  return (
    <ul class="findings">
      {findings.map(({ seen, why, hint }) => (
        <li>
          <strong>{withCode(seen)}</strong> {withCode(why)}{" "}
          <span class="hint">Try: {withCode(hint)}.</span>
        </li>
      ))}
    </ul>
  );
}

function topFailures(
  meta: RunMeta,
  top: readonly FailureGroup[],
  link: boolean,
): Markup | undefined {
  if (top.length === 0) return;
  return (
    <>
      {failureGroups(meta, top, link)}
      {link && (
        <p>
          <a href={runPath(meta.id, "/failures")}>All failures and throttles</a>
        </p>
      )}
    </>
  );
}

/** As many of the last failures as a glance takes in. */
const LAST = 3;

/** The causes that a run that goes on met last, whether or not a trace was kept. */
function lastFailures(
  meta: RunMeta,
  failures: readonly FailureGroup[],
): Markup | undefined {
  const last = failures.filter(({ last_ms }) => last_ms !== undefined)
    .toSorted((a, b) => b.last_ms! - a.last_ms!).slice(0, LAST);
  if (last.length === 0) return;
  return (
    <>
      <p class="note">The last failures</p>
      <ul class="last">
        {last.map(({ last_ms, step, message, count, trace_id }) => (
          <li>
            at {latencyText(last_ms!)} <strong>{step}</strong>:{" "}
            {withCode(message)}{" "}
            <span class="more">({countText(count)} so far)</span>
            {trace_id !== undefined && (
              <>
                {" "}
                <a href={tracePath(meta.id, trace_id)}>such as this trace</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A run of one iteration is that iteration: no list says more. */
async function onlyTrace(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const id = meta.rows?.length === 1 ? meta.rows[0]?.trace_id : undefined;
  const trace = id === undefined ? undefined : (await run.trace(id)).value;
  if (!trace) return;
  const ids = meta.steps.map((step) => step.id);
  return waterfallView(trace, waterfallOf(trace), {
    ids,
    address: (span) =>
      `${tracePath(meta.id, trace.trace_id)}?span=${span}#span-${span}`,
  });
}
