import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import axe from "axe-core/axe.min.js" with { type: "text" };
import type { Browser, Page } from "playwright-core";
import { REPORT_FORMATS } from "../../lib/cli/viewer.ts";
import { startViewer } from "../../viewer/server.ts";
import { openPage, startBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import {
  bodyWidth,
  cardsFit,
  chartsDrawn,
  drawnCanvases,
  overflow,
  seriousFindings,
  sideways,
} from "../support/page_reads.js";
import { realStore, SECRET } from "../support/viewer_store.ts";

/** What the steps below work on: runs of every mode, served, and a browser. */
interface Stage {
  readonly url: string;
  readonly browser: Browser;
  /** Run ids by flow; the later one where there are two. */
  readonly runs: Readonly<Record<string, string>>;
  readonly first: string;
  readonly printed: readonly string[];
}

/** Every kind of page, over real runs. */
async function paths({ url, runs, first }: Stage): Promise<string[]> {
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

async function json(address: string) {
  const response = await fetch(address);
  equal(response.status, 200, address);
  return await response.json();
}

/** Waits until every chart is drawn; a page without charts is ready at once. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(chartsDrawn);
}

async function cleanPages(stage: Stage): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await using watched = await openPage(stage.browser, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      for (const path of await paths(stage)) {
        await watched.page.goto(stage.url + path);
        await settled(watched.page);
        deepStrictEqual(watched.trouble, [], `${path} ${colorScheme} ${width}`);
        const over = await watched.page.evaluate(overflow);
        ok(over <= 0, `${path} is ${over} px too wide at ${width}`);
      }
    }
  }
}

/** On a phone rows are cards: only pictures and code are wider than the screen. */
async function narrow(stage: Stage): Promise<void> {
  await using watched = await openPage(stage.browser, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = watched;
  for (const path of await paths(stage)) {
    await page.goto(stage.url + path);
    await settled(page);
    for (const { name, focusable } of await page.evaluate(sideways)) {
      ok(focusable, `${name} of ${path} scrolls, but not by keyboard`);
      ok(
        /^(?:Flame graph|.* body|.*header fields|PRE)$/.test(name),
        `${name} of ${path}`,
      );
    }
  }
  await page.goto(stage.url);
  ok(await page.evaluate(cardsFit));
  for (const text of ["throttle_rate", "load", "demo"]) {
    ok(await page.locator(".runs").getByText(text).first().isVisible(), text);
  }
  await page.getByRole("link", { name: "error_rate" }).click();
  await page.waitForURL(/sort=-error_rate/);
}

/** The choice is the browser's: the store is only read. */
async function baseline({ url, browser, runs, first }: Stage): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${url}runs/${first}`);
  equal(await page.locator("#to-baseline").isVisible(), false);
  await page.getByRole("button", { name: "Make it the baseline" }).click();
  await page.goto(url);
  match(
    await page.locator(`tr:has(input[value="${first}"]) th`).innerText(),
    /busy baseline/,
  );
  await page.goto(`${url}runs/${runs.busy}`);
  await page.getByRole("link", { name: "Compare with the baseline" }).click();
  await page.waitForURL(`${url}compare?a=${first}&b=${runs.busy}`);
  match(await page.locator("#compared").innerText(), /requests a second/);
  await page.waitForSelector("#chart-compared.drawn canvas");
  await page.goto(`${url}runs/${first}`);
  await page.getByRole("button", { name: "No longer the baseline" }).click();
  await page.goto(`${url}runs/${runs.busy}`);
  equal(await page.locator("#to-baseline").isVisible(), false);
}

/** What is folded away on a screen is on paper. */
async function printed({ url, browser, runs }: Stage): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  const traces = await json(`${url}api/v1/runs/${runs.rows}/traces`);
  const { trace_id } = traces.traces[0];
  await page.goto(`${url}runs/${runs.rows}/traces/${trace_id}`);
  const curl = page.locator("pre[aria-label='curl command']").first();
  equal(await curl.isVisible(), false);
  await page.emulateMedia({ media: "print" });
  equal(await curl.isVisible(), true);
  equal(await page.locator(".tabs a").first().isVisible(), false);
}

async function accessible(stage: Stage): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // axe is injected, which the viewer's own policy would refuse.
    await using watched = await openPage(stage.browser, {
      colorScheme,
      bypassCSP: true,
    });
    for (const path of await paths(stage)) {
      await watched.page.goto(stage.url + path);
      await settled(watched.page);
      await watched.page.addScriptTag({ content: axe });
      const serious = await watched.page.evaluate(seriousFindings);
      deepStrictEqual(serious, [], `${path} ${colorScheme}`);
    }
  }
}

async function linksLead(stage: Stage): Promise<void> {
  const seen = new Set<string>();
  const left = [""];
  while (left.length > 0 && seen.size < 150) {
    const path = left.shift()!;
    const response = await fetch(stage.url + path);
    equal(response.status, 200, path);
    const text = await response.text();
    for (const [, link] of text.matchAll(/href="(\/[^"#]*)/g)) {
      const next = link!.slice(1).replaceAll("&amp;", "&");
      if (seen.has(next)) continue;
      seen.add(next);
      left.push(next);
    }
  }
  ok(seen.size > 40);
}

async function charts({ url, browser, runs }: Stage): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${url}runs/${runs.busy}`);
  await page.waitForSelector("#chart-latency.drawn canvas");
  const drawn: boolean[] = await page.evaluate(drawnCanvases);
  ok(drawn.length >= 4 && drawn.every(Boolean), "every canvas has a picture");
  await page.locator("#chart-latency .place").focus();
  await page.keyboard.press("ArrowRight");
  match(await page.locator("#say").innerText(), /p50 .+, p95 .+, p99 /);
}

async function keyboard({ url, browser, runs }: Stage): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(url);
  await page.keyboard.press("/");
  await page.keyboard.type("flow:rows", { delay: 5 });
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=flow/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}runs/${runs.rows}`);
  await page.keyboard.press("f");
  await page.waitForURL(/outcome=failed/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/traces\/[0-9a-f]+$/);
  match(await page.locator("h1").innerText(), /Iteration \d+ ✗ failed/);
  const link = page.locator(".waterfall tr.bad.check a").first();
  await link.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#span-\d+$/);
  match(await page.locator(".span:target").innerText(), /expected/);
  const there = page.url();
  await page.reload();
  equal(page.url(), there);
  await page.keyboard.press("1");
  await page.waitForURL(`${url}runs/${runs.rows}`);
}

async function withoutScripts({ url, browser, runs }: Stage): Promise<void> {
  await using watched = await openPage(browser, { javaScriptEnabled: false });
  const { page } = watched;
  await page.goto(`${url}runs/${runs.busy}`);
  match(await page.locator("#verdict").innerText(), /FAIL/);
  ok(await page.locator("#chart-latency svg.area path.line").count() > 0);
  ok(await page.locator("#heat svg path").count() > 0);
  await page.goto(`${url}runs/${runs.rows}/flame`);
  await page.locator("svg.flame a").nth(1).click();
  match(page.url(), /at=/);
}

async function noSecret(stage: Stage): Promise<void> {
  const all = [
    ...await paths(stage),
    ...Object.values(stage.runs).flatMap((id) => [
      ...Object.keys(REPORT_FORMATS).map((format) =>
        `runs/${id}/export/${format}`
      ),
      ...[
        "",
        "/flow",
        "/series",
        "/heatmap",
        "/histogram",
        "/steps",
        "/failures",
        "/traces",
        "/flame",
      ]
        .map((rest) => `api/v1/runs/${id}${rest}`),
    ]),
  ];
  const blob = btoa(SECRET);
  let redacted = 0;
  for (const path of all) {
    const text = await (await fetch(stage.url + path)).text();
    ok(!text.includes(SECRET) && !text.includes(blob), path);
    if (text.includes("[redacted]")) redacted++;
  }
  ok(redacted > 0, "the runs did send the secret");
}

async function sameFigures({ url, runs }: Stage): Promise<void> {
  const meta = await json(`${url}api/v1/runs/${runs.busy}`);
  const histogram = await json(`${url}api/v1/runs/${runs.busy}/histogram`);
  for (const p of ["p50", "p90", "p95", "p99"]) {
    const value = histogram.response.percentiles_ms[p.slice(1)];
    ok(
      Math.abs(value - meta.latency[p]) <= meta.latency[p] * 0.002 + 0.002,
      `${p}: ${value} and ${meta.latency[p]}`,
    );
  }
}

async function oneKnee(
  { url, browser, runs, printed }: Stage,
): Promise<void> {
  const { knee } = await json(`${url}api/v1/runs/${runs.climb}`);
  const line = printed.flatMap((text) => text.split("\n"))
    .find((each) => each.startsWith("knee_point_found: "));
  equal(line, `knee_point_found: ${knee.class}: ${knee.detail}`);
  await using watched = await openPage(browser);
  await watched.page.goto(`${url}runs/${runs.climb}`);
  equal(await watched.page.locator(".knee .found").innerText(), line);
}

/** Playwright answers a page's requests from the file, as they were answered. */
async function harReplays({ url, browser, runs }: Stage): Promise<void> {
  const file = Deno.makeTempFileSync({ suffix: ".har" });
  try {
    const text = await (await fetch(`${url}runs/${runs.rows}/export/har`))
      .text();
    Deno.writeTextFileSync(file, text);
    const { entries } = JSON.parse(text).log;
    const item = entries.find((each: { request: { url: string } }) =>
      each.request.url.endsWith("/items/2")
    );
    await using watched = await openPage(browser);
    await watched.page.routeFromHAR(file, { notFound: "abort" });
    const answer = await watched.page.goto(item.request.url);
    equal(answer!.status(), 200);
    deepStrictEqual(await answer!.json(), { id: 2, name: "Item 2" });
  } finally {
    Deno.removeSync(file);
  }
}

async function reportFile({ url, browser, runs }: Stage): Promise<void> {
  const file = Deno.makeTempFileSync({ suffix: ".html" });
  try {
    const response = await fetch(`${url}runs/${runs.rows}/report.html`);
    Deno.writeTextFileSync(file, await response.text());
    await using watched = await openPage(browser, { javaScriptEnabled: false });
    await watched.page.goto(`file://${file}`);
    deepStrictEqual(watched.trouble, []);
    match(await watched.page.locator("#verdict").innerText(), /FAIL/);
    equal(await watched.page.locator("script").count(), 0);
    const width = await watched.page.evaluate(bodyWidth);
    ok(width !== "none", "its style sheet is allowed by its own policy");
    ok(Deno.statSync(file).size < 4 * 1024 * 1024);
  } finally {
    Deno.removeSync(file);
  }
}

Deno.test({
  name: WITHOUT_BROWSER
    ? "viewer: real runs of every mode in a browser (needs Chromium: apt-get install -y chromium)"
    : "viewer: real runs of every mode in a browser",
  ignore: WITHOUT_BROWSER,
  fn: inBrowser,
});

async function inBrowser(t: Deno.TestContext): Promise<void> {
  using store = await realStore();
  const viewer = await startViewer({
    storeDir: store.path,
    hostname: "127.0.0.1",
    port: 0,
  });
  const browser = await startBrowser();
  const runs = Object.fromEntries(
    store.ids.map((id) => [id.split("-").slice(1, -1).join("-"), id]),
  );
  const first = store.ids.find((id) => id.includes("-busy-"))!;
  const stage: Stage = {
    url: viewer.url,
    browser,
    runs,
    first,
    printed: store.printed,
  };
  try {
    await t.step(
      "no page has an error, a refused script or a bar across",
      () => cleanPages(stage),
    );
    await t.step("axe has no serious finding", () => accessible(stage));
    await t.step("a phone shows cards", () => narrow(stage));
    await t.step("a baseline is kept and compared with", () => baseline(stage));
    await t.step("paper shows what is folded away", () => printed(stage));
    await t.step("every link leads somewhere", () => linksLead(stage));
    await t.step(
      "the charts are drawn and follow the arrow keys",
      () => charts(stage),
    );
    await t.step(
      "from the list to the failing span by keyboard",
      () => keyboard(stage),
    );
    await t.step(
      "pages are whole without scripts",
      () => withoutScripts(stage),
    );
    await t.step("a secret of a run is in no answer", () => noSecret(stage));
    await t.step(
      "the API's percentiles are those of meta.json",
      () => sameFigures(stage),
    );
    await t.step(
      "card, printed line and meta.json give one knee",
      () => oneKnee(stage),
    );
    await t.step(
      "a HAR file is understood by another program",
      () => harReplays(stage),
    );
    await t.step(
      "a report file opens without scripts and from a file",
      () => reportFile(stage),
    );
  } finally {
    await browser.close();
    await viewer.close();
  }
}
