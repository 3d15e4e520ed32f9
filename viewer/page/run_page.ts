import { latencyText } from "../../lib/report/figures.ts";
import type { RunMeta } from "../../lib/result/run.ts";
import { distribution } from "../chart/distribution.ts";
import { heatMap, heatMapOf } from "../chart/heat_map.ts";
import { html, type Markup } from "../markup.ts";
import { timelineOf } from "../model/timeline.ts";
import { verdictOf, verdictSentence } from "../model/verdict.ts";
import type { LatencySet, OpenRun, Part } from "../store/open_run.ts";
import { agentBlock } from "./agent_block.ts";
import { exportLinks, exportMenu } from "./export_links.ts";
import { failureGroups } from "./failure_groups.ts";
import { keyFigures } from "./figures.ts";
import { generatorBlock } from "./generator_block.ts";
import { kneeCard } from "./knee_card.ts";
import { block, trouble } from "./layout.ts";
import { rowsTable } from "./rows_table.ts";
import { runCharts } from "./run_charts.ts";
import { moment } from "./signs.ts";
import { slowestTraces } from "./slowest.ts";
import { stepsTable } from "./steps_table.ts";
import { thresholdTable } from "./thresholds.ts";
import { waterfallOf } from "../model/waterfall.ts";
import { waterfallView } from "./waterfall_view.ts";
import { numberOf, type PageAnswer, runPath, type Visit } from "./visit.ts";

/** The run in ten seconds: verdict, why, figures, then everything over time. */
export async function runPage(
  { url }: Visit,
  meta: RunMeta,
  run: OpenRun,
): Promise<PageAnswer> {
  const range = { from: numberOf(url, "t0"), to: numberOf(url, "t1") };
  return {
    title: `${meta.flow} ${verdictOf(meta).word}`,
    run: { id: meta.id, tab: "overview", live: meta.status === "running" },
    body: html`${heading(meta)}${await runBlocks(meta, run, {
      range,
      link: true,
    })}`,
  };
}

/** The verdict and why; all of a page that is seen in ten seconds. */
export function heading(meta: RunMeta, link = true): Markup {
  const { kind, sign, word } = verdictOf(meta);
  return html`
    <div class="banner ${kind}"
      id="verdict"><h1><span class="word"><span aria-hidden="true">${sign}</span> ${word}</span> <span class="flow">${meta
        .flow}</span></h1>
    <p class="why">${verdictSentence(meta)}</p>
    <p class="where"><span>${meta.mode} run against <strong>${meta
      .target}</strong></span> <span>${moment(
        meta.started_at,
      )}</span> <span>seed ${meta.seed}</span> <span>bench ${meta
      .bench_version}</span></p>${link &&
      html`
        <div
          class="actions"><a class="button" href="/compare?a=${encodeURIComponent(
            meta.id,
          )}">Compare</a> <a class="button" href="${runPath(
            meta.id,
            "/report.html",
          )}" download>Download report</a> ${exportMenu(
            meta,
          )} <button type="button" class="copy" data-copy-address hidden>Copy link</button></div>
      `}</div>
  `;
}

/** What a run's blocks are made for. */
export interface BlockOptions {
  /** Seconds; the whole run when neither is given. */
  readonly range: {
    readonly from?: number | undefined;
    readonly to?: number | undefined;
  };
  /** Off in a report file, which has no other pages. */
  readonly link: boolean;
}

/** Every block of the run page, in the order they matter. */
export async function runBlocks(
  meta: RunMeta,
  run: OpenRun,
  { range, link }: BlockOptions,
): Promise<Markup> {
  const rows = rowsTable(meta, link);
  const knee = kneeCard(meta);
  const top = meta.failures.filter((each) => each.outcome === "failed");
  return html`${block("thresholds", "Thresholds", thresholdTable(meta))}${
    block(
      "figures",
      "Key figures",
      html`${keyFigures(meta)}${generatorBlock(meta)}${
        meta.notes.map((note) => html`<p class="note">note: ${note}</p>`)
      }`,
    )
  }${knee && block("knee", "Knee point", knee)}${
    link && await onlyTrace(meta, run)
  }${
    rows ? block("rows", "Rows", rows) : await overTime(meta, run, range, link)
  }${block("steps", "Steps", stepsTable(meta, link))}${
    top.length > 0 &&
    block(
      "failures",
      "Top failures",
      html`${failureGroups(meta, top.slice(0, 3), link)}${
        link &&
        html`<p><a href="${
          runPath(meta.id, "/failures")
        }">All failures and throttles</a></p>`
      }`,
    )
  }${
    link && block("slowest", "Slowest traces", await slowestTraces(meta, run))
  }${
    rows && block(
      "distribution",
      "Latency distribution",
      distributionBlock(await run.latencies()),
    )
  }`;
}

async function overTime(
  meta: RunMeta,
  run: OpenRun,
  range: BlockOptions["range"],
  link: boolean,
): Promise<Markup> {
  const { value, problem } = await run.series();
  const seconds = (value?.points ?? []).filter(({ t }) =>
    t >= (range.from ?? 0) && t < (range.to ?? Infinity)
  );
  const timeline = timelineOf(seconds, { durationMs: meta.duration_ms });
  const missing = problem !== undefined
    ? trouble(problem)
    : value
    ? undefined
    : html`<p class="empty">${
      meta.status === "running"
        ? "The time series is written when the run ends."
        : "There is no series.json: the run did not get that far."
    }</p>`;
  return html`${
    block(
      "time",
      "Over time",
      missing ??
        html`${rangeNote(meta, range, link)}${runCharts(meta, timeline)}${
          link && exportLinks(meta.id, ["csv", "trace-events"])
        }`,
    )
  }${
    block("agent", "The target's machine", await agentBlock(meta, run, range))
  }${
    missing ? undefined : block(
      "heat",
      "Latency heat map",
      heatMap(
        heatMapOf(seconds),
        link ? runPath(meta.id, "/traces") : undefined,
      ),
    )
  }${
    block(
      "distribution",
      "Latency distribution",
      distributionBlock(await run.latencies()),
    )
  }`;
}

/** A run of one iteration is that iteration. */
async function onlyTrace(
  meta: RunMeta,
  run: OpenRun,
): Promise<Markup | undefined> {
  const id = meta.rows?.length === 1 ? meta.rows[0]?.trace_id : undefined;
  const trace = id === undefined ? undefined : (await run.trace(id)).value;
  if (!trace) return;
  const view = waterfallView(
    trace,
    waterfallOf(trace),
    meta.steps.map((step) => step.id),
    runPath(meta.id, `/traces/${trace.trace_id}`),
  );
  return block("waterfall", "Waterfall", view);
}

function rangeNote(
  meta: RunMeta,
  { from, to }: BlockOptions["range"],
  link: boolean,
): Markup | undefined {
  if (from === undefined && to === undefined || !link) return;
  return html`
    <p
      class="note">Shown from ${latencyText(
        (from ?? 0) * 1_000,
      )} to ${latencyText(
        to === undefined ? meta.duration_ms : to * 1_000,
      )}. <a href="${runPath(meta.id)}#time">Show the whole run</a></p>
  `;
}

function distributionBlock({ value, problem }: Part<LatencySet>): Markup {
  if (problem !== undefined) return trouble(problem);
  if (!value) {
    return html`<p class="empty">There is no histograms.json yet.</p>`;
  }
  const same = value.service.count === value.response.count &&
    value.service.avg === value.response.avg;
  return distribution([
    {
      label: same ? "latency" : "response time",
      colour: 0,
      latency: value.response,
    },
    ...(same
      ? []
      : [{ label: "service time", colour: 2, latency: value.service }]),
    { label: "throttled attempts", colour: 4, latency: value.throttled },
  ]);
}
