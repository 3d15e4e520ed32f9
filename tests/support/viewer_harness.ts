import { equal } from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { chartsReady } from "./page_reads.js";

/** What the steps of the viewer's test work on: runs of every mode, served, and a browser. */
export interface Harness {
  readonly url: string;
  readonly browser: Browser;
  /** Run ids by flow; the later one where there are two. */
  readonly runs: Readonly<Record<string, string>>;
  readonly first: string;
  readonly printed: readonly string[];
}

/** Every kind of page, over real runs. */
export async function paths({ url, runs, first }: Harness): Promise<string[]> {
  const traces = await json(
    `${url}api/v1/runs/${runs.rows}/traces?outcome=failed`,
  );
  const trace = traces.traces[0].trace_id;
  return [
    "",
    "help",
    "?q=verdict:fail",
    `flows/busy`,
    ...Object.values(runs).map((id) => `runs/${id}`),
    ...["/traces", "/flame", "/failures", "/config"].map((tab) =>
      `runs/${runs.busy}${tab}`
    ),
    `runs/${runs.busy}?t0=1&t1=3&scale=log`,
    `runs/${runs.climb}/flame?outcome=failed&find=ttfb`,
    `runs/${runs.rows}/traces/${trace}`,
    `runs/${runs.rows}/flame?at=flaky`,
    `runs/${runs.rows}/failures`,
    `compare?a=${first}&b=${runs.busy}`,
    "compare",
  ];
}

// deno-lint-ignore no-explicit-any -- as JSON.parse gives it
export async function json(address: string): Promise<any> {
  const response = await fetch(address);
  equal(response.status, 200, address);
  return await response.json();
}

/** Waits until every chart has its cursor; a page without charts is ready at once. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(chartsReady);
}
