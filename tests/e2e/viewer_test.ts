import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { FORMATS } from "../../viewer/model/formats.ts";
import { startViewer } from "../../viewer/server.ts";
import { openPage, startBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { bodyWidth } from "../support/page_reads.js";
import {
  baseline,
  followed,
  keyboard,
  linksLead,
} from "../support/viewer_actions.ts";
import {
  cards,
  charts,
  everyPage,
  laptopList,
  menu,
  printed,
  VIEWS,
  withoutScripts,
} from "../support/viewer_appearance.ts";
import { cells } from "../support/heat_map.ts";
import { type Harness, json, paths } from "../support/viewer_harness.ts";
import { realStore, SECRET } from "../support/viewer_runs.ts";

async function noSecret(harness: Harness): Promise<void> {
  const all = [
    ...await paths(harness),
    ...Object.values(harness.runs).flatMap((id) => [
      ...Object.keys(FORMATS).map((format) => `runs/${id}/export/${format}`),
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
    const text = await (await fetch(harness.url + path)).text();
    ok(!text.includes(SECRET) && !text.includes(blob), path);
    if (text.includes("[redacted]")) redacted++;
  }
  ok(redacted > 0, "the runs did send the secret");
}

async function sameFigures({ url, runs }: Harness): Promise<void> {
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
  { url, browser, runs, printed }: Harness,
): Promise<void> {
  const { knee } = await json(`${url}api/v1/runs/${runs.climb}`);
  const line = printed.flatMap((text) => text.split("\n"))
    .find((each) => each.startsWith("knee_point_found: "));
  equal(line, `knee_point_found: ${knee.class}: ${knee.detail}`);
  await using watched = await openPage(browser);
  await watched.page.goto(`${url}runs/${runs.climb}`);
  equal(await watched.page.locator(".knee .found").innerText(), line);
}

/** What the run found is what its page shows. */
async function sameFindings({ url, browser, runs }: Harness): Promise<void> {
  const { findings } = await json(`${url}api/v1/runs/${runs.busy}`);
  await using watched = await openPage(browser);
  await watched.page.goto(`${url}runs/${runs.busy}`);
  deepStrictEqual(
    await watched.page.locator(".findings strong").allInnerTexts(),
    findings.map(({ seen }: { seen: string }) => seen.replaceAll("`", "")),
  );
}

/** Playwright serves a page's requests from the file, as they were served. */
async function harReplays({ url, browser, runs }: Harness): Promise<void> {
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
    const response = await watched.page.goto(item.request.url);
    equal(response!.status(), 200);
    deepStrictEqual(await response!.json(), { id: 2, name: "Item 2" });
  } finally {
    Deno.removeSync(file);
  }
}

async function reportFile({ url, browser, runs }: Harness): Promise<void> {
  const file = Deno.makeTempFileSync({ suffix: ".html" });
  try {
    const response = await fetch(`${url}runs/${runs.rows}/report.html`);
    Deno.writeTextFileSync(file, await response.text());
    await using watched = await openPage(browser, { javaScriptEnabled: false });
    await watched.page.goto(`file://${file}`);
    deepStrictEqual(watched.errors, []);
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
  // Steps run beside each other, which the check of exits cannot follow.
  sanitizeExit: false,
  fn: inBrowser,
});

const STEPS: Readonly<Record<string, (harness: Harness) => Promise<void>>> = {
  "a phone shows cards": cards,
  "a laptop shows every column of the list": laptopList,
  "the menu of exports is within the page": menu,
  "a baseline is kept and compared with": baseline,
  "a run that goes on is followed": followed,
  "paper shows what is folded away": printed,
  "the charts follow the pointer and the arrow keys together, and a dragged part is chosen":
    charts,
  "from the list to the failing span by keyboard": keyboard,
  "pages are whole without scripts": withoutScripts,
  "the API's percentiles are those of meta.json": sameFigures,
  "card, printed line and meta.json give one knee": oneKnee,
  "page and meta.json give the same findings": sameFindings,
  "every cell of the heat map opens a trace that lies in it": cells,
  "a HAR file is understood by another program": harReplays,
  "a report file opens without scripts and from a file": reportFile,
};

async function inBrowser(t: Deno.TestContext): Promise<void> {
  using store = await realStore();
  const viewer = await startViewer({
    storeDir: store.path,
    hostname: "127.0.0.1",
    port: 0,
  });
  const browser = await startBrowser();
  const harness: Harness = {
    url: viewer.url,
    browser,
    runs: Object.fromEntries(
      store.ids.map((id) => [id.split("-").slice(1, -1).join("-"), id]),
    ),
    first: store.ids.find((id) => id.includes("-busy-"))!,
    printed: store.printed,
  };
  try {
    for (const [name, step] of Object.entries(STEPS)) {
      await t.step(name, () => step(harness));
    }
    // They only read: while the browser draws for one, the viewer works for another.
    await Promise.all([
      ...VIEWS.map((view) =>
        t.step(
          `no page has an error, a refused script, a bar across or something axe finds: ${view.colorScheme}, ${view.width} px`,
          () => everyPage(harness, view),
        )
      ),
      t.step("every link leads somewhere", () => linksLead(harness)),
      t.step("a secret of a run is in no response", () => noSecret(harness)),
    ]);
  } finally {
    await browser.close();
    await viewer.close();
  }
}
