import type { Assets } from "../client/assets.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { type PageResponse, runPath, TABS } from "./page_request.ts";
import type { Listed } from "../model/run_list.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { bytesText } from "../model/words.ts";
import { Unreadable, withCode } from "./parts.tsx";

/** A whole page around what it shows. */
export function layout(page: PageResponse, assets: Assets): string {
  const { run } = page;
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{page.title} - bench</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assets.style} />
        <script type="module" src={assets.script}></script>
      </head>
      <body
        data-live={run?.live
          ? `/api/v1${runPath(run.id, "/events")}`
          : undefined}
      >
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/">bench</a>
          <nav aria-label="Site">
            <a href="/" data-key="1">Runs</a>{" "}
            <a href="/help" data-key="?">Help</a>
          </nav>
          <button type="button" class="theme" id="theme" hidden>Theme</button>
        </header>
        {run && tabs(run)}
        <main id="main" tabindex="-1">{page.body}</main>
        <p class="live" role="status" aria-live="polite" id="say"></p>
      </body>
    </html>
  );
  return `<!doctype html>\n${document.text}\n`;
}

function tabs({ id, tab }: NonNullable<PageResponse["run"]>): Markup {
  return (
    <nav class="tabs" aria-label={`Run ${id}`}>
      <span class="id">{id}</span> {TABS.map((each, index) => (
        <a
          href={runPath(id, each.path)}
          data-key={index + 1}
          aria-current={each.tab === tab ? "page" : undefined}
        >
          {each.title}
        </a>
      ))}
    </nav>
  );
}

/** Nothing is there, or it must not be read. */
export function errorPage(
  status: number,
  title: string,
  message: string,
): PageResponse {
  return {
    status,
    title,
    body: (
      <>
        <h1>{title}</h1>
        <p>{withCode(message)}</p>
        <p>
          <a href="/">All runs</a>
        </p>
      </>
    ),
  };
}

/** A run whose `meta.json` cannot be read, with what is there. */
export function brokenRunPage(
  { id, error = "", incomplete }: Listed,
  run: RunDirectory,
): PageResponse {
  const files = run.files();
  return {
    title: `${incomplete ? "Incomplete" : "Unreadable"} run ${id}`,
    body: (
      <>
        <h1>{id}</h1>
        {incomplete
          ? (
            <p class="warning">
              <strong>Incomplete.</strong> The run has no{" "}
              <code>meta.json</code>: it ended before its first request, or not
              all of its directory was copied.
            </p>
          )
          : <Unreadable error={error} />}
        {files.length === 0
          ? <p class="empty">The directory has no file of a run.</p>
          : (
            <>
              <p>What is there:</p>
              <ul>
                {files.map(({ name, size }) => (
                  <li>
                    <code>{name}</code> {bytesText(size)}
                  </li>
                ))}
              </ul>
            </>
          )}
        <p>
          <a href="/">All runs</a>
        </p>
      </>
    ),
  };
}
