import type { RunMeta } from "../../lib/model/result/run.ts";
import { shardsSentence } from "../../lib/results/report/sentences.ts";
import { Markup } from "../markup/jsx_runtime.ts";
import { runBefore } from "../model/run_list.ts";
import { loadProfile } from "../store/run_facts.ts";
import { verdictOf } from "../model/verdict.ts";
import { waterfallOf } from "../model/waterfall.ts";
import { rangeLatency, type RunDirectory } from "../store/run_directory.ts";
import { causesView, rowsTable } from "./rows.tsx";
import { failureGroups } from "./failures_page.tsx";
import { generatorBlock, keyFigures, rangeFigures } from "./figures.tsx";
import { capacityView, kneeCard } from "./capacity_view.tsx";
import { Block, Unreadable } from "./parts.tsx";
import { overTime } from "./over_time.tsx";
import { type BlockOptions, runClock, secondsOf } from "./run_clock.ts";
import {
  checksTable,
  phasesTable,
  stepsTable,
  thresholdTable,
} from "./run_tables.tsx";
import { heading } from "./run_heading.tsx";
import { slowestTraces } from "./traces_page.tsx";
import { stepCharts } from "./run_charts.tsx";
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
  const options = {
    range: { from: numberOf(url, "t0"), to: numberOf(url, "t1") },
    link: true,
    address: url,
    log: url.searchParams.get("scale") === "log",
  };
  const blocks = await runBlocks(meta, run, options);
  return {
    title: `${meta.flow} ${verdictOf(meta).word}`,
    run: { id: meta.id, tab: "overview", live: meta.status === "running" },
    body: (
      <>
        {heading(meta, { link: true, before: runBefore(all, meta) })}
        {contents(blocks)}
        {blocks}
      </>
    ),
  };
}

/** What is on the page, made of its headings. */
function contents(blocks: Markup): Markup {
  const headings = [...blocks.text.matchAll(/<h2 id="([\w-]+)-h">([^<]*)</g)];
  return (
    <nav id="contents" class="contents" aria-label="On this page">
      {headings.map(([, id, title]) => (
        <>
          <a href={`#${id}`}>{new Markup(title!)}</a>
          {" "}
        </>
      ))}
    </nav>
  );
}

/** Every block of the run page, in the order they matter. */
export async function runBlocks(
  meta: RunMeta,
  run: RunDirectory,
  options: BlockOptions,
): Promise<Markup> {
  const { link } = options;
  const functional = meta.rows !== undefined;
  const { value: every = [], error: unread } = await run.rows(meta);
  const causes = await causesView(meta, run, every, link);
  const rows = unread === undefined
    ? rowsTable(meta, every, options.address)
    : <Unreadable error={unread} />;
  const only = link ? await onlyTrace(meta, run) : undefined;
  const phases = phasesTable(meta);
  const knee = kneeCard(meta);
  const checks = checksTable(meta);
  const findings = findingsView(meta);
  const { range } = options;
  const clock = await runClock(meta, run, range);
  const part = range.from !== undefined || range.to !== undefined;
  const figures = part && rangeFigures(
        meta,
        await secondsOf(run, range),
        rangeLatency((await run.histograms()).value, range.from, range.to),
      ) ||
    keyFigures(meta, (await loadProfile(run)).offered);
  const judged = (
    <>
      {meta.thresholds.every(({ implied }) => implied) && functional
        ? undefined
        : (
          <Block id="thresholds" title="Thresholds">
            {thresholdTable(meta)}
          </Block>
        )}
      {findings && <Block id="findings" title="Findings">{findings}</Block>}
      <Block id="figures" title="Key figures">
        {figures}
        {generatorBlock(meta)}
        {meta.shards && <p class="note">{shardsSentence(meta.shards)}</p>}
        {meta.notes.map((note) => <p class="note">note: {note}</p>)}
      </Block>
    </>
  );
  return (
    <>
      {causes && <Block id="causes" title="What failed">{causes}</Block>}
      {meta.capacity && (
        <Block id="capacity" title="Capacity">
          {capacityView(meta.capacity)}
        </Block>
      )}
      {!functional && judged}
      {knee && <Block id="knee" title="Knee point">{knee}</Block>}
      {only ??
        (rows
          ? <Block id="rows" title="Rows">{rows}</Block>
          : await overTime(meta, run, options, clock))}
      {functional && judged}
      <Block id="steps" title="Steps">
        {stepsTable(meta, link)}
        {!functional && await stepCharts(meta, run, options, clock)}
      </Block>
      {checks && <Block id="checks" title="Checks">{checks}</Block>}
      {phases && <Block id="phases" title="Where the time went">{phases}
      </Block>}
      {!functional && topFailures(meta, link)}
      {link && !rows &&
        (
          <Block id="slowest" title="Slowest traces">
            {await slowestTraces(meta, run)}
          </Block>
        )}
    </>
  );
}

/** What stands out: what was seen, why it matters, what to try. */
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

/** What is in backticks is code. */
function withCode(text: string): (string | Markup)[] {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? <code>{part}</code> : part
  );
}

function topFailures(meta: RunMeta, link: boolean): Markup | undefined {
  const top = meta.failures.filter((each) => each.outcome === "failed");
  if (top.length === 0) return;
  return (
    <Block id="failures" title="Top failures">
      {failureGroups(meta, top.slice(0, 3), link)}
      {link && (
        <p>
          <a href={runPath(meta.id, "/failures")}>All failures and throttles</a>
        </p>
      )}
    </Block>
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
  return (
    <Block id="waterfall" title="The iteration">
      {waterfallView(trace, waterfallOf(trace), {
        ids,
        address: (span) =>
          `${tracePath(meta.id, trace.trace_id)}?span=${span}#span-${span}`,
      })}
    </Block>
  );
}
