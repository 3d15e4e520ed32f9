import { equal, match, ok } from "node:assert/strict";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { startViewer } from "../../viewer/server.ts";
import { workspace } from "./bench.ts";
import { openPage } from "./browser.ts";
import { metaOf, putRun } from "./viewer_fixture.ts";
import type { Harness } from "./viewer_harness.ts";

/*
 * What a person does with the viewer's pages.
 */

/** Links of one kind that are followed: runs and traces are many and alike. */
const ALIKE = 5;

/** From page to page: what a link names is there. */
export async function linksLead(harness: Harness): Promise<void> {
  const kinds = new Map<string, number>();
  const seen = new Set<string>();
  const left = [""];
  while (left.length > 0) {
    const path = left.shift()!;
    const response = await fetch(harness.url + path);
    equal(response.status, 200, path);
    const text = await response.text();
    if (!response.headers.get("content-type")!.startsWith("text/html")) {
      continue;
    }
    if (response.headers.has("content-disposition")) continue;
    for (const [, link] of text.matchAll(/href="(\/[^"#]*)/g)) {
      const next = link!.slice(1).replaceAll("&amp;", "&");
      if (seen.has(next)) continue;
      seen.add(next);
      const count = (kinds.get(kindOf(next)) ?? 0) + 1;
      kinds.set(kindOf(next), count);
      if (count <= ALIKE) left.push(next);
    }
  }
  for (const kind of ["runs/*/export/har", "flows/*", "runs/*/traces/*"]) {
    ok(kinds.has(kind), `${kind} of ${[...kinds.keys()]}`);
  }
}

/** An address without what it names: a run's `flame?at`. */
function kindOf(address: string): string {
  const [path = "", query = ""] = address.split("?");
  const names = [...new Set(new URLSearchParams(query).keys())].sort();
  return path.replace(/^(runs|flows|assets)\/[^/]+/, "$1/*")
    .replace(/traces\/[^/]+/, "traces/*") +
    (names.length > 0 ? `?${names}` : "");
}

export async function keyboard({ url, browser, runs }: Harness): Promise<void> {
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
  await page.waitForURL(/\/traces\/[0-9a-f]+\?outcome=failed$/);
  match(await page.locator("h1").innerText(), /Iteration \d+ ✗ failed/);
  const failed = page.locator(".waterfall details.bad.check").first();
  const detail = failed.locator(".span");
  match(await detail.innerText(), /expected/);
  await failed.locator("summary").focus();
  await page.keyboard.press("Enter");
  equal(await detail.isVisible(), false);
  await page.goto(page.url() + "#" + await failed.getAttribute("id"));
  await detail.waitFor();
  await page.keyboard.press("]");
  await page.waitForURL((url) => !url.hash);
  match(await page.locator(".pager").innerText(), /2 of \d+ that fit/);
  match(await page.locator("h1").innerText(), /✗ failed/);
  await page.goBack();
  const there = page.url();
  await page.reload();
  equal(page.url(), there);
  await page.keyboard.press("1");
  await page.waitForURL(`${url}runs/${runs.rows}`);
}

/** The choice is the browser's: the store is only read. */
export async function baseline(
  { url, browser, runs, first }: Harness,
): Promise<void> {
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
  await page.waitForSelector("#chart-compared.ready");
  await page.goto(`${url}runs/${first}`);
  await page.getByRole("button", { name: "No longer the baseline" }).click();
  await page.goto(`${url}runs/${runs.busy}`);
  equal(await page.locator("#to-baseline").isVisible(), false);
}

/**
 * A run that goes on: its figures follow, a viewer that is gone is said to be until
 * it is back, and at the run's end the page is whole.
 */
export async function followed({ browser }: Harness): Promise<void> {
  using folder = workspace({});
  const going = metaOf({ status: "running", verdict: null, ended_at: null });
  const write = (meta: RunMeta) => putRun(folder.path, meta);
  const counted = (completed: number) => ({
    requests: 4 * completed,
    iterations: { ...going.iterations, started: completed, completed },
  });
  write({ ...going, ...counted(7) });
  const start = (port: number) =>
    startViewer({ storeDir: folder.path, hostname: "127.0.0.1", port });
  let viewer = await start(0);
  await using watched = await openPage(browser);
  const { page } = watched;
  try {
    await page.goto(`${viewer.url}runs/${going.id}`);
    match(await page.locator("#verdict").innerText(), /RUNNING/);
    equal(await page.locator("#baseline").count(), 0);
    write({ ...going, ...counted(1_234) });
    const figure = page.locator('[data-figure="requests"] .value');
    await figure.getByText("4,936").waitFor();
    match(await page.locator(".why").innerText(), /1,234 iterations/);
    const said = page.locator("#say");
    await viewer.close();
    await said.getByText("No connection to the viewer").waitFor();
    viewer = await start(Number(new URL(viewer.url).port));
    await said.getByText("No connection").waitFor({ state: "detached" });
    write(metaOf(counted(2_000)));
    await page.getByRole("heading", { name: "PASS" }).waitFor();
  } finally {
    await viewer.close();
  }
}
