import { match, ok } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";
import { TRACES, tracesText } from "./exported_run.ts";

const ID = metaOf().id;

Deno.test("page: the list of traces says which parts of its filter it ignores", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf(), { "traces.json": tracesText(TRACES) });
  const ask = asker(folder.path);
  const page = async (query: string) =>
    await (await ask(`/runs/${ID}/traces?${query}`)).text();
  match(
    await page("status=abc&slower=xyz&outcome=fail&q=%20&vu="),
    /cannot use: status=abc, slower=xyz, outcome=fail\./,
  );
  const usable = "status=200&outcome=failed&sort=-duration&min=&q=x&limit=5";
  ok(!(await page(usable)).includes("cannot use"));
});
