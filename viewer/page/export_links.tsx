import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { runPath } from "./page_request.ts";

/** Forms of a run with what they are for. */
const FORMS:
  readonly (readonly [format: string, title: string, use: string])[] = [
    ["html", "Report", "one HTML file, for people"],
    ["csv", "CSV", "the time series, a row a second"],
    ["har", "HAR", "every kept exchange, for browsers' network tools"],
    ["speedscope", "speedscope", "kept traces as profiles"],
    ["trace-events", "Trace events", "kept traces on a timeline, for Perfetto"],
    ["otlp", "OTLP", "kept traces, for tracing backends"],
    ["junit", "JUnit", "verdicts, for CI servers"],
    ["md", "Markdown", "the summary, for a pull request"],
    ["json", "JSON", "meta.json"],
  ];

/** Every form of a run behind one button. */
export function exportMenu({ id, ended_at, steps }: RunMeta): Markup {
  // One that goes on, or was killed, may not have a time series yet.
  const series = ended_at !== null || steps.length > 0;
  const had = FORMS.filter(([format]) => format !== "csv" || series);
  return (
    <details class="menu">
      <summary class="button">Export</summary>
      <ul>
        {had.map(([format, title, use]) => (
          <li>
            <a
              href={exportPath(id, format)}
              download
            >
              {title}
            </a>{" "}
            <span class="note">{use}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * Some forms in a line.
 *
 * @param query which traces; all when it is empty
 * @param more what ends the line
 */
export function exportLinks(
  id: string,
  formats: readonly string[],
  query: URLSearchParams = new URLSearchParams(),
  more?: Markup,
): Markup {
  const shown = FORMS.filter(([format]) => formats.includes(format));
  return (
    <p class="exports">
      Download as {shown.map(([format, title], i) => (
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
  format: string,
  query: URLSearchParams = new URLSearchParams(),
): string {
  const text = query.toString();
  return runPath(id, `/export/${format}${text === "" ? "" : `?${text}`}`);
}
