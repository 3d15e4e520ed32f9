import { match, ok } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";
import { TRACES, tracesText } from "./exported_run.ts";

const ID = metaOf().id;

Deno.test("pages: the list of traces and the flame graph say which parts of their filter they ignore", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf(), { "traces.json": tracesText(TRACES) });
  const ask = asker(folder.path);
  const page = async (query: string) =>
    await (await ask(`/runs/${ID}/${query}`)).text();
  for (const tab of ["traces", "flame"]) {
    match(
      await page(`${tab}?status=abc&slower=xyz&outcome=fail&q=%20&vu=`),
      /cannot use: status=abc, slower=xyz, outcome=fail\./,
    );
    const usable = "status=200&outcome=failed&sort=-duration&min=&q=x&limit=5";
    ok(!(await page(`${tab}?${usable}`)).includes("cannot use"));
  }
  ok(!(await page("flame?at=login&find=ttfb")).includes("cannot use"));
});

Deno.test("pages: where no trace fits the filter, the list of traces and the flame graph say so", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf(), { "traces.json": tracesText(TRACES) });
  const ask = asker(folder.path);
  for (const tab of ["traces", "flame"]) {
    const path = `/runs/${ID}/${tab}`;
    const text = await (await ask(`${path}?q=none-has-this`)).text();
    match(
      text,
      new RegExp(`No trace fits\\.\\s*<a href="${path}">Show all</a>`),
    );
    ok(!text.includes("The graph has no such path"), tab);
    ok(!text.includes("0 kept traces"), tab);
  }
});
