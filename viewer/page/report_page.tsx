import { createHash } from "node:crypto";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { flameGraph, flameTable, sampleText } from "./flame_page.tsx";
import { Markup } from "../markup/jsx_runtime.ts";
import { Scroll } from "../markup/data_table.tsx";
import { withoutBodies, withoutExcerpts } from "../model/exchange.ts";
import { differencesOf } from "../model/comparison.ts";
import { flameBoxes } from "../model/flame.ts";
import { stepIds } from "../store/run_facts.ts";
import { runEnd } from "../../lib/results/report/figures.ts";
import { waterfallOf } from "../model/waterfall.ts";
import { provenance } from "./config_page.tsx";
import { flowWarning } from "./compare_page.tsx";
import { type ComparedRun, comparisonBlocks } from "./comparison_blocks.tsx";
import { failureBlocks } from "./failures_page.tsx";
import { Block, Blocks, Moment, Unreadable, withContent } from "./parts.tsx";
import { heading } from "./run_heading.tsx";
import { runBlocks } from "./run_page.tsx";
import { traceHeading } from "./trace_page.tsx";
import { waterfallView } from "./waterfall_view.tsx";
import { STYLE_TEXT } from "../client/assets.ts";
import type { RunDirectory } from "../store/run_directory.ts";

/** Traces shown in full. */
const TRACES = 20;
/** Of the whole file; traces are left out beyond it. */
const MOST_BYTES = 20 * 1024 * 1024;

/** Options of a report. */
interface ReportOptions {
  /** Off to leave out what was sent and received in bodies and frames. */
  readonly payloads?: boolean;
  /** A run to compare with. */
  readonly baseline?: ComparedRun;
}

/**
 * A run as one HTML file: no script, nothing loaded from anywhere, the same
 * bytes for the same run. Every chart is SVG that keeps its colours where style
 * sheets are refused.
 */
export async function reportHtml(
  stored: RunMeta,
  run: RunDirectory,
  { payloads = true, baseline }: ReportOptions = {},
): Promise<string> {
  const meta = payloads ? stored : withoutExcerpts(stored);
  const parts = (
    <>
      {heading(meta, {})}
      <Blocks
        of={await runBlocks(meta, run, { range: {}, link: false, payloads })}
      />
      {baseline && await against(baseline, { meta, run })}
      <h1>Failures</h1>
      <Blocks of={await failureBlocks(meta, run, "", false)} />
      <Blocks
        of={withContent([
          {
            id: "flame",
            title: "Flame graph",
            content: await flame(meta, run),
          },
          {
            id: "provenance",
            title: "Provenance",
            content: provenance(meta),
          },
        ])}
      />
    </>
  );
  const room = MOST_BYTES - parts.text.length;
  const traces = await tracesOf(meta, run, room, payloads);
  const hash = createHash("sha256").update(STYLE_TEXT).digest("base64");
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content={`default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`}
        />
        <title>{meta.flow} {runEnd(meta).word} - bench report</title>
        <style>{new Markup(STYLE_TEXT)}</style>
      </head>
      <body class="report">
        <main id="main">
          {parts}
          {traces}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${document.text}\n`;
}

/** The baseline is A, this run B. */
async function against(
  baseline: ComparedRun,
  own: ComparedRun,
): Promise<Markup> {
  const compared = await differencesOf(baseline, own);
  const { id, started_at } = baseline.meta;
  const { note, blocks } = await comparisonBlocks(
    compared,
    baseline,
    own,
    false,
  );
  return (
    <>
      <h1>Compared with a baseline</h1>
      <p class="note">
        A is {id}, begun <Moment at={started_at} />; B is this run.
      </p>
      {flowWarning(compared, baseline.meta, own.meta)}
      {note}
      <Blocks of={blocks} />
    </>
  );
}

async function flame(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const { value } = await run.digest();
  if (!value || value.flame.traces === 0) return;
  const boxes = flameBoxes(value.flame.root, []);
  return (
    <>
      <p class="note">{sampleText(meta, value.flame.traces)}</p>
      <Scroll className="flame-box" label="Flame graph">
        {flameGraph(boxes, await stepIds(meta, run))}
      </Scroll>
      {flameTable(boxes)}
    </>
  );
}

/** Examples of failures first, then the slowest. */
async function tracesOf(
  meta: RunMeta,
  run: RunDirectory,
  room: number,
  payloads: boolean,
): Promise<Markup> {
  const { value: entries = [], error } = await run.entries();
  if (error !== undefined) {
    return (
      <Block id="traces" title="Traces">
        <Unreadable error={error} />
      </Block>
    );
  }
  const examples = new Set(meta.failures.map((each) => each.trace_id));
  const chosen = entries.toSorted((a, b) =>
    Number(examples.has(b.trace_id)) - Number(examples.has(a.trace_id)) ||
    b.duration_us - a.duration_us
  ).slice(0, TRACES);
  const ids = await stepIds(meta, run);
  const shown: Markup[] = [];
  let left = room;
  for (const entry of chosen) {
    const { value } = await run.trace(entry.trace_id);
    if (!value) continue;
    const trace = payloads ? value : withoutBodies(value);
    const rows = waterfallOf(trace);
    const part = (
      <details class="trace">
        <summary>{traceHeading(trace)}</summary>
        {waterfallView(trace, rows, { ids, named: false })}
      </details>
    );
    left -= part.text.length;
    if (left < 0) break;
    shown.push(part);
  }
  return (
    <Block id="traces" title="Traces">
      <p class="note">
        {shown.length} of {entries.length}{" "}
        kept traces: examples of failures, then the
        slowest.{shown.length < chosen.length && " More would not fit."}
      </p>
      {shown}
    </Block>
  );
}
