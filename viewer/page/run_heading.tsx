import type { RunMeta } from "../../lib/model/result/run.ts";
import type { LoadBounds } from "../../lib/model/course.ts";
import { timeText } from "../chart/frame.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { exchangeLines } from "../../lib/results/failures/exchange.ts";
import {
  beforeSentence,
  besideBreach,
  besideStop,
} from "../../lib/results/report/reason.ts";
import { judgementsOf, runEnd } from "../../lib/results/report/figures.ts";
import { verdictSentence } from "../model/verdict.ts";
import { judgedView } from "./judged_view.tsx";
import { Moment, withCode } from "./parts.tsx";
import {
  comparePath,
  flowPath,
  runPath,
  tracePath,
  withFilter,
} from "./page_request.ts";
import { type Format, NAMED_FORMATS, type ShownAt } from "../model/formats.ts";

/** Options of the heading. */
interface HeadingOptions {
  /** The runs that have a page; absent in a report file, which has no other pages. */
  readonly stored?: ReadonlySet<string>;
  /** The run of the same flow before this one. */
  readonly before?: RunMeta | undefined;
  /** The load that is asked for; of a run that goes on. */
  readonly planned?: LoadBounds;
  /** It has a time series: one that was killed at once has none, nor one that goes on at first. */
  readonly series?: boolean;
}

/** The verdict and why; all of a page that is seen in ten seconds. */
export function heading(
  meta: RunMeta,
  { stored, before, planned, series = false }: HeadingOptions,
): Markup {
  const link = stored !== undefined;
  const { kind, sign, word } = runEnd(meta);
  const sentence = verdictSentence(meta);
  const isWorse = judgementsOf(meta).some(({ bad }) => bad);
  const tone = kind === "pass" && isWorse ? "mixed" : kind;
  const flow = link ? <a href={flowPath(meta.flow)}>{meta.flow}</a> : meta.flow;
  return (
    <div class={`banner ${tone}`} id="verdict">
      <h1>
        <span class="word">
          <span aria-hidden="true">{sign}</span> {word}
        </span>{" "}
        <span class="flow" title={meta.flow}>{flow}</span>
      </h1>
      <p class="why">{withCode(sentence)}</p>
      {judgedView(meta, stored)}
      {meta.status === "running" && planned && progressOf(meta, planned)}
      {reasonView(meta, sentence, stored)}
      <p class="where">
        <span>
          {meta.mode} run against <strong>{meta.target}</strong>
        </span>{" "}
        <span>
          <Moment at={meta.started_at} />
        </span>{" "}
        <span>seed {meta.seed}</span>{" "}
        <span>
          bench {meta.bench_version}
        </span>
      </p>
      {link && actions(meta, before, series)}
    </div>
  );
}

/**
 * Why a run did not pass: the failure behind it with one exchange, and the run
 * before. `said` is the sentence of the verdict above it, which is not said twice;
 * `stored` are the runs that have a page.
 */
function reasonView(
  meta: RunMeta,
  said: string,
  stored?: ReadonlySet<string>,
): Markup | undefined {
  const { id, reason, failures } = meta;
  if (!reason) return;
  const group = failures.find(({ key }) => key === reason.key);
  const text = besideBreach(meta) ?? besideStop(meta) ?? reason.text;
  const before = beforeSentence(meta);
  return (
    <section class="reason" aria-label="Reason">
      {!said.includes(group?.message ?? text) && <p>{withCode(text)}</p>}
      {group?.exchange && <pre>{exchangeLines(group.exchange).join("\n")}</pre>}
      <p class="note">
        {stored && group?.trace_id !== undefined && (
          <>
            <a href={tracePath(id, group.trace_id)}>Trace</a>
            {before && "; "}
          </>
        )}
        {before}
        {reason.before && stored?.has(reason.before.id) && (
          <>
            {" "}
            <a href={comparePath(id, reason.before.id)}>Compare</a>
          </>
        )}
      </p>
    </section>
  );
}

/** How much of the plan is done, and how long the rest takes. */
function progressOf(
  { duration_ms, iterations, warm_up }: RunMeta,
  { endMs, iterations: most }: LoadBounds,
): Markup | undefined {
  const elapsed = duration_ms + (warm_up?.duration_ms ?? 0);
  const parts = [
    endMs === undefined ? 0 : elapsed / endMs,
    most === undefined ? 0 : iterations.completed / most,
  ];
  const done = Math.min(1, Math.max(...parts));
  if (endMs === undefined && most === undefined || done === 0) return;
  const left = Math.round(elapsed * (1 - done) / done / 1_000);
  return (
    <p class="where" id="progress">
      <progress value={done.toFixed(3)} aria-label="done of the plan" />
      <span>{Math.floor(done * 100)}% of the plan is done</span>
      <span>{left === 0 ? "it ends now" : `about ${timeText(left)} left`}</span>
    </p>
  );
}

/** The buttons of a run; one that is going on is not compared yet. */
function actions(
  meta: RunMeta,
  before: RunMeta | undefined,
  series: boolean,
): Markup {
  return (
    <div class="actions">
      {meta.status !== "running" && comparing(meta, before)}
      <a
        class="button"
        href={runPath(meta.id, "/report.html")}
        download
      >
        Download report
      </a>{" "}
      {exportMenu(meta.id, series)}
      <button type="button" class="copy" data-copy-address hidden>
        Copy link
      </button>
    </div>
  );
}

/** The baseline's buttons show once scripts run: it is kept in the browser. */
function comparing(meta: RunMeta, before: RunMeta | undefined): Markup {
  return (
    <>
      {before &&
        (
          <a class="button" href={comparePath(meta.id, before.id)}>
            Compare with the run before
          </a>
        )}
      <a class="button" id="to-baseline" hidden>Compare with the baseline</a>
      <a class="button" href={comparePath(meta.id)}>Compare with…</a>
      <button
        type="button"
        id="baseline"
        data-flow={meta.flow}
        data-run={meta.id}
        hidden
      >
        Make it the baseline
      </button>
    </>
  );
}

/** Every form that there is of a run behind one button. */
function exportMenu(id: string, series: boolean): Markup {
  const had = NAMED_FORMATS.filter(([format]) => format !== "csv" || series);
  return (
    <details class="menu">
      <summary class="button">Export</summary>
      <ul>
        {had.map(([format, { title, use }]) => (
          <li>
            <a href={exportPath(id, format)} download>{title}</a>{" "}
            <span class="note">{use}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * The forms of what a page shows, in a line.
 *
 * @param query which traces; all when it is empty
 * @param more what ends the line
 */
export function exportLinks(
  id: string,
  shown: ShownAt,
  query?: URLSearchParams,
  more?: Markup,
): Markup {
  const forms = NAMED_FORMATS.filter(([, { at }]) => at?.includes(shown));
  return (
    <p class="exports">
      Download as {forms.map(([format, { title }], i) => (
        <>
          {i > 0 && ", "}
          <a href={exportPath(id, format, query)} download>{title}</a>
        </>
      ))}
      {more}
    </p>
  );
}

function exportPath(
  id: string,
  format: Format,
  query?: URLSearchParams,
): string {
  return withFilter(runPath(id, `/export/${format}`), query);
}
