import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { verdictOf, verdictSentence } from "../model/verdict.ts";
import { exportMenu } from "./export_links.tsx";
import { Moment } from "./parts.tsx";
import { comparePath, flowPath, runPath } from "./page_request.ts";

/** What the heading leads to. */
interface HeadingOptions {
  /** Off in a report file, which has no other pages. */
  readonly link: boolean;
  /** The run of the same flow before this one. */
  readonly before?: RunMeta | undefined;
}

/** The verdict and why; all of a page that is seen in ten seconds. */
export function heading(
  meta: RunMeta,
  { link, before }: HeadingOptions,
): Markup {
  const { kind, sign, word } = verdictOf(meta);
  const flow = link ? <a href={flowPath(meta.flow)}>{meta.flow}</a> : meta.flow;
  return (
    <div class={`banner ${kind}`} id="verdict">
      <h1>
        <span class="word">
          <span aria-hidden="true">{sign}</span> {word}
        </span>{" "}
        <span class="flow">{flow}</span>
      </h1>
      <p class="why">{verdictSentence(meta)}</p>
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
      {link && actions(meta, before)}
    </div>
  );
}

/** What can be done with a run; one that is going on is not compared yet. */
function actions(meta: RunMeta, before: RunMeta | undefined): Markup {
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
      {exportMenu(meta)}
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
