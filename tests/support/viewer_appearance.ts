import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import axe from "axe-core/axe.min.js" with { type: "text" };
import { startViewer } from "../../viewer/server.ts";
import { workspace } from "./bench.ts";
import { openPage } from "./browser.ts";
import {
  cardsFit,
  cursors,
  findings,
  overflow,
  sideways,
} from "./page_reads.js";
import { metaOf, putRun } from "./viewer_fixture.ts";
import { type Harness, json, paths, settled } from "./viewer_harness.ts";

/*
 * How the viewer's pages look: in every theme, on a phone, on paper, without
 * scripts.
 */

/** How a page is looked at. */
export const VIEWS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  // Colours make nothing wider.
  { colorScheme: "light", width: 390 },
] as const;

/** Every page is loaded once a view; whatever can be said of it is asked then. */
export async function everyPage(
  harness: Harness,
  { colorScheme, width }: typeof VIEWS[number],
): Promise<void> {
  await using watched = await openPage(harness.browser, {
    colorScheme,
    viewport: { width, height: 900 },
  });
  const { page, errors } = watched;
  for (const path of await paths(harness)) {
    const what = `${path} ${colorScheme} ${width}`;
    await page.goto(harness.url + path);
    await settled(page);
    deepStrictEqual(errors, [], what);
    const over = await page.evaluate(overflow);
    ok(over <= 0, `${what} is ${over} px too wide`);
    if (width > 390) await accessible(page, colorScheme, what);
    else await narrow(page, what);
  }
}

/** What does not depend on colours is the same in both themes. */
async function accessible(
  page: Page,
  colorScheme: "light" | "dark",
  what: string,
): Promise<void> {
  // Not as a script of the page, which the viewer's own policy refuses.
  await page.evaluate(axe);
  const rules = colorScheme === "dark"
    ? ["color-contrast", "link-in-text-block"]
    : undefined;
  deepStrictEqual(await page.evaluate(findings, rules), [], what);
}

/** On a phone rows are cards: only pictures and code are wider than the screen. */
async function narrow(page: Page, what: string): Promise<void> {
  for (const { name, focusable } of await page.evaluate(sideways)) {
    ok(focusable, `${name} of ${what} scrolls, but not by keyboard`);
    ok(
      /^(?:Flame graph|.* body|.*header fields|PRE)$/.test(name),
      `${name} of ${what}`,
    );
  }
}

export async function cards({ url, browser }: Harness): Promise<void> {
  await using watched = await openPage(browser, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = watched;
  await page.goto(url);
  ok(await page.evaluate(cardsFit));
  for (const text of ["throttle_rate", "load", "demo"]) {
    ok(await page.locator(".runs").getByText(text).first().isVisible(), text);
  }
  await page.getByRole("link", { name: "error_rate" }).click();
  await page.waitForURL(/sort=-error_rate/);
}

const LATENCY = { min: 1, avg: 2, p50: 2, p90: 4, p99: 250, max: 300 };

/** On a laptop no column of the list is beyond the edge, however much its rows say. */
export async function laptopList({ browser }: Harness): Promise<void> {
  using folder = workspace({});
  const counts = { started: 90_000, passed: 80_000, throttled: 9_000 };
  for (const [i, status] of (["finished", "interrupted"] as const).entries()) {
    putRun(
      folder.path,
      metaOf({
        id: `20261120T18021${i}Z-checkout-0000aa`,
        ...{ mode: "stress", status, verdict: "fail", duration_ms: 754_000 },
        tags: ["nightly", "regression"],
        iterations: { ...counts, completed: 90_000, failed: 10_000 },
        ...{ error_rate: 0.1111, throttle_rate: 0.1234 + i / 100 },
        latency: { ...LATENCY, p95: 123.4 + i * 90 },
        knee: {
          ...{ class: "inconclusive", detail: "", vus: 7, at_ms: 1_500 },
          threshold: "p95(latency) < 9ms",
        },
      }),
    );
  }
  const viewer = await startViewer({
    ...{ storeDir: folder.path, hostname: "127.0.0.1", port: 0 },
  });
  try {
    await using watched = await openPage(browser, {
      viewport: { width: 1280, height: 800 },
    });
    await watched.page.goto(viewer.url);
    await watched.page.getByText("inconclusive").first().waitFor();
    deepStrictEqual(await watched.page.evaluate(sideways), []);
  } finally {
    await viewer.close();
  }
}

/** The menu of exports, at every width of a screen. */
export async function menu({ url, browser, runs }: Harness): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${url}runs/${runs.busy}`);
  await page.locator("summary", { hasText: "Export" }).click();
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const { x, width: wide } = (await page.locator(".menu ul").boundingBox())!;
    ok(x >= 0 && x + wide <= width, `${x} to ${x + wide} of ${width}`);
  }
}

/** What is folded away on a screen is on paper. */
export async function printed({ url, browser, runs }: Harness): Promise<void> {
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
  await page.goto(`${url}runs/${runs.rows}`);
  equal(await page.locator(".actions").isVisible(), false);
  // Paper cannot be ticked, pressed or swapped.
  for (const path of ["", `compare?a=${runs.busy}&b=${runs.rows}`]) {
    await page.goto(`${url}${path}`);
    const controls = page.locator("button, input, .button");
    ok(await controls.count() > 0);
    equal(await controls.locator("visible=true").count(), 0, path);
  }
  // As wide as A4: a table that is wider makes the whole page smaller, and loses no column.
  await page.setViewportSize({ width: 718, height: 1_000 });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const path of [`runs/${runs.busy}`, `runs/${runs.rows}/config`]) {
    await page.goto(`${url}${path}`);
    deepStrictEqual(await page.evaluate(sideways), []);
    equal(await styleOf(page, "body", "backgroundColor"), "rgb(255, 255, 255)");
  }
  equal(await styleOf(page, "pre", "maxHeight"), "none");
}

/** How the first such element looks. */
function styleOf(page: Page, element: string, property: string) {
  return page.evaluate(
    `getComputedStyle(document.querySelector("${element}")).${property}`,
  );
}

export async function withoutScripts(
  { url, browser, runs }: Harness,
): Promise<void> {
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

/** One drawing, with and without scripts; scripts add cursors and the choice of a part of the time. */
export async function charts({ url, browser, runs }: Harness): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${url}runs/${runs.busy}`);
  await settled(page);
  equal(await page.locator("canvas").count(), 0);
  await page.locator("#chart-latency .plot").focus();
  await page.keyboard.press("ArrowRight");
  match(await page.locator("#say").innerText(), /p50 .+, p95 .+, p99 /);
  const together = async (when: string) => {
    const shown = await page.evaluate(cursors);
    ok(shown.length >= 4);
    deepStrictEqual(shown, shown.map(() => ({ when, drawn: true })));
  };
  await together("0s");
  match(await page.locator("#chart-vus .now").innerText(), /: 4/);
  const area = page.locator("#chart-load svg.area");
  await area.scrollIntoViewIfNeeded();
  const { x, y, width } = (await area.boundingBox())!;
  await page.mouse.move(x + width - 2, y + 20);
  await together((await page.locator("#chart-load .when").innerText()).trim());
  ok(!await page.locator("#chart-load .when").getByText(/^0s$/).count());
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + 20);
  await page.mouse.up();
  await page.waitForURL(/t0=\d+&t1=\d+#time$/);
  await settled(page);
  await page.locator("#chart-load .plot").focus();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("t0"));
}
