import type { RunMeta } from "../../lib/model/result/run.ts";
import { type Format, NAMED_FORMATS, type ShownAt } from "../model/formats.ts";
import type { Markup } from "../markup/markup.ts";
import { runPath, withFilter } from "./page_request.ts";

/** Every form of a run behind one button. */
export function exportMenu({ id, ended_at, steps }: RunMeta): Markup {
  // One that goes on, or was killed, may not have a time series yet.
  const series = ended_at !== null || steps.length > 0;
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
