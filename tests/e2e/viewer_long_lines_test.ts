import { deepStrictEqual, equal } from "node:assert/strict";
import { startViewer } from "../../viewer/server.ts";
import { openPage, startBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { workspace } from "../support/bench.ts";
import { overflow, sideways } from "../support/page_reads.js";
import { metaOf, putRun } from "../support/viewer_fixture.ts";

const TRACE = {
  ...{ trace_id: "00ff", iteration: 0, vu: 0, outcome: "failed" },
  ...{ start_us: 0, duration_us: 1000 },
  spans: [{
    ...{ span_id: "1", name: "get", start_us: 0, duration_us: 900 },
    outcome: "failed",
    failure: { code: "status", message: "response status was 404 Not Found" },
    request: { line: `GET /${"x".repeat(900)} HTTP/1.1`, headers: [] },
    response: { line: "HTTP/1.1 404 Not Found", headers: [] },
  }],
};

Deno.test({
  name: "viewer: a long request line wraps inside its box, at every width",
  ignore: WITHOUT_BROWSER,
  async fn() {
    using store = workspace({});
    const { id } = metaOf();
    putRun(store.path, metaOf(), {
      "traces.json": `{"schema":1,"policy":"all","traces":[\n${
        JSON.stringify(TRACE)
      }\n],"truncated":false}\n`,
    });
    const viewer = startViewer({
      ...{ storeDir: store.path, hostname: "127.0.0.1", port: 0 },
    });
    const browser = await startBrowser();
    try {
      for (const width of [390, 1280]) {
        await using watched = await openPage(browser, {
          viewport: { width, height: 800 },
        });
        const { page } = watched;
        await page.goto(`${viewer.url}runs/${id}/traces/00ff?span=1#span-1`);
        equal(await page.evaluate(overflow), 0, String(width));
        const wide = await page.evaluate(sideways) as { name: string }[];
        deepStrictEqual(wide.filter(({ name }) => name === "PRE"), []);
      }
    } finally {
      await browser.close();
      await viewer.close();
    }
  },
});
