import type { Assets } from "../client/assets.ts";
import type { Markup } from "../markup/markup.ts";
import { type PageResponse, runPath, TABS } from "./page_request.ts";

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
