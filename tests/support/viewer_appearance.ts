import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import axe from "axe-core/axe.min.js" with { type: "text" };
import { openPage } from "./browser.ts";
import {
  cardsFit,
  drawnCanvases,
  findings,
  overflow,
  sideways,
} from "./page_reads.js";
import { type Harness, json, paths, settled } from "./viewer_harness.ts";

/*
 * How the viewer's pages look: in every theme, on a phone, on paper, without
 * scripts.
 */

export async function cleanPages(harness: Harness): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await using watched = await openPage(harness.browser, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      for (const path of await paths(harness)) {
        await watched.page.goto(harness.url + path);
        await settled(watched.page);
        deepStrictEqual(
          watched.errors,
          [],
          `${path} ${colorScheme} ${width}`,
        );
        const over = await watched.page.evaluate(overflow);
        ok(over <= 0, `${path} is ${over} px too wide at ${width}`);
      }
    }
  }
}

export async function accessible(harness: Harness): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // axe is injected, which the viewer's own policy would refuse.
    await using watched = await openPage(harness.browser, {
      colorScheme,
      bypassCSP: true,
    });
    for (const path of await paths(harness)) {
      await watched.page.goto(harness.url + path);
      await settled(watched.page);
      await watched.page.addScriptTag({ content: axe });
      const found = await watched.page.evaluate(findings);
      deepStrictEqual(found, [], `${path} ${colorScheme}`);
    }
  }
}

/** On a phone rows are cards: only pictures and code are wider than the screen. */
export async function narrow(harness: Harness): Promise<void> {
  await using watched = await openPage(harness.browser, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = watched;
  for (const path of await paths(harness)) {
    await page.goto(harness.url + path);
    await settled(page);
    for (const { name, focusable } of await page.evaluate(sideways)) {
      ok(focusable, `${name} of ${path} scrolls, but not by keyboard`);
      ok(
        /^(?:Flame graph|.* body|.*header fields|PRE)$/.test(name),
        `${name} of ${path}`,
      );
    }
  }
  await page.goto(harness.url);
  ok(await page.evaluate(cardsFit));
  for (const text of ["throttle_rate", "load", "demo"]) {
    ok(await page.locator(".runs").getByText(text).first().isVisible(), text);
  }
  await page.getByRole("link", { name: "error_rate" }).click();
  await page.waitForURL(/sort=-error_rate/);
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

export async function charts({ url, browser, runs }: Harness): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${url}runs/${runs.busy}`);
  await page.waitForSelector("#chart-latency.drawn canvas");
  const drawn: boolean[] = await page.evaluate(drawnCanvases);
  ok(drawn.length >= 4 && drawn.every(Boolean), "every canvas has a picture");
  await page.locator("#chart-latency .place").focus();
  await page.keyboard.press("ArrowRight");
  match(await page.locator("#say").innerText(), /p50 .+, p95 .+, p99 /);
  const times = await page.locator(".stacked .when").allInnerTexts();
  deepStrictEqual(times, times.map(() => "0s"), "all charts name the second");
  match(await page.locator("#chart-vus .now").innerText(), /: 4/);
}
