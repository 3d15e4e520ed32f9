import type { RunMeta } from "../../lib/model/result/run.ts";
import { html, type Markup } from "../markup.ts";
import { runBefore } from "../model/like_runs.ts";
import { offeredRate } from "../model/offered_rate.ts";
import { verdictOf } from "../model/verdict.ts";
import { waterfallOf } from "../model/waterfall.ts";
import type { OpenRun } from "../store/open_run.ts";
import { failureGroups } from "./failure_groups.ts";
import { keyFigures } from "./figures.ts";
import { generatorBlock } from "./generator_block.ts";
import { kneeCard } from "./knee_card.ts";
import { block } from "./layout.ts";
import { type BlockOptions, latencySpread, overTime } from "./over_time.ts";
import { phasesTable } from "./phases_table.ts";
import { rowsTable } from "./rows_table.ts";
import { heading } from "./run_heading.ts";
import { slowestTraces } from "./slowest.ts";
import { stepsTable } from "./steps_table.ts";
import { thresholdTable } from "./thresholds.ts";
import { numberOf, type PageAnswer, runPath, type Visit } from "./visit.ts";
import { waterfallView } from "./waterfall_view.ts";

/** The run in ten seconds: verdict, why, figures, then everything over time. */
export async function runPage(
  { url, shelf }: Visit,
  meta: RunMeta,
  run: OpenRun,
): Promise<PageAnswer> {
  const all = (await shelf.list()).flatMap(({ meta }) => meta ? [meta] : []);
  const options = {
    range: { from: numberOf(url, "t0"), to: numberOf(url, "t1") },
    link: true,
    log: url.searchParams.get("scale") === "log",
  };
  return {
    title: `${meta.flow} ${verdictOf(meta).word}`,
    run: { id: meta.id, tab: "overview", live: meta.status === "running" },
    body: html`${
      heading(meta, { link: true, before: runBefore(all, meta) })
    }${await runBlocks(meta, run, options)}`,
  };
}

/** Every block of the run page, in the order they matter. */
export async function runBlocks(
  meta: RunMeta,
  run: OpenRun,
  options: BlockOptions,
): Promise<Markup> {
  const { link } = options;
  const rows = rowsTable(meta, link);
  const only = link ? await onlyTrace(meta, run) : undefined;
  const phases = await phasesTable(meta, run);
  const knee = kneeCard(meta);
  const top = meta.failures.filter((each) => each.outcome === "failed");
  return html`${block("thresholds", "Thresholds", thresholdTable(meta))}${
    block(
      "figures",
      "Key figures",
      html`${keyFigures(meta, await offeredRate(run))}${generatorBlock(meta)}${
        meta.notes.map((note) => html`<p class="note">note: ${note}</p>`)
      }`,
    )
  }${knee && block("knee", "Knee point", knee)}${
    only ??
      (rows ? block("rows", "Rows", rows) : await overTime(meta, run, options))
  }${block("steps", "Steps", stepsTable(meta, link))}${
    phases && block("phases", "Where the time went", phases)
  }${
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
    link && !only &&
    block("slowest", "Slowest traces", await slowestTraces(meta, run))
  }${rows && await latencySpread(meta, run)}`;
}

/** A run of one iteration is that iteration: no list says more. */
async function onlyTrace(
  meta: RunMeta,
  run: OpenRun,
): Promise<Markup | undefined> {
  const id = meta.rows?.length === 1 ? meta.rows[0]?.trace_id : undefined;
  const trace = id === undefined ? undefined : (await run.trace(id)).value;
  if (!trace) return;
  const address = runPath(meta.id, `/traces/${trace.trace_id}`);
  const view = waterfallView(
    trace,
    waterfallOf(trace),
    meta.steps.map((step) => step.id),
    address,
  );
  return block(
    "waterfall",
    "The iteration",
    html`${view}<p><a class="row" href="${address}">Its requests and answers</a></p>`,
  );
}
