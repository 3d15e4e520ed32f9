import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { RowSummary } from "../../../lib/model/result/run.ts";
import { workspace } from "../../support/bench.ts";
import {
  asker,
  groupOf,
  metaOf,
  putRun,
} from "../../support/viewer_fixture.ts";

const rowOf = (n: number): RowSummary => ({
  iteration: n,
  row: n,
  outcome: n % 100 === 99 ? "failed" : "passed",
  duration_ms: 1,
  failures: n % 100 === 99
    ? [groupOf({
      step: "one",
      outcome: "failed",
      code: "status",
      message: "response status was 500",
      count: 1,
    })]
    : [],
});
const ROWS = Array.from({ length: 1_000 }, (_, n) => rowOf(n));
const META = metaOf({
  mode: "integration",
  verdict: "fail",
  iterations: {
    started: 1_000,
    completed: 1_000,
    passed: 990,
    failed: 10,
    throttled: 0,
  },
  rows: ROWS.slice(0, 210),
  other_rows: 790,
});
const FILE = `{"schema":1,"rows":[\n${
  ROWS.slice(210).map((row) => JSON.stringify(row)).join(",\n")
}\n]}\n`;

Deno.test("run page: every row of a large run is listed, page by page, failures first", async () => {
  using folder = workspace({});
  putRun(folder.path, META, { "rows.json": FILE });
  const ask = asker(folder.path);
  const page = async (rows: string) =>
    await (await ask(`/runs/${META.id}${rows}`)).text();
  const named = (text: string) =>
    [...text.matchAll(/<th scope="row"[^>]*>row ([\d,]+)</g)]
      .map(([, number]) => Number(number!.replace(",", "")));
  const pages = await Promise.all(
    ["", "?rows=2", "?rows=3", "?rows=4", "?rows=5"].map(page),
  );
  const listed = pages.flatMap(named);
  equal(new Set(listed).size, 1_000);
  deepEqual(listed.slice(0, 11), [
    ...[100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000],
    1,
  ]);
  match(pages[0]!, /10 did not pass, 990 passed/);
  match(pages[1]!, /page 2 of 5 <a href="[^"]*rows=3#rows"/);
  // The cause counts rows of the whole run.
  match(pages[0]!, /row 800[\s\S]*and 2 more/);
});

Deno.test("JUnit export: every row of a large run is a test case", async () => {
  using folder = workspace({});
  putRun(folder.path, META, { "rows.json": FILE });
  const response = await asker(folder.path)(`/runs/${META.id}/export/junit`);
  const text = await response.text();
  equal([...text.matchAll(/<testcase /g)].length, 1_000);
  equal([...text.matchAll(/<failure /g)].length, 10);
  ok(!text.includes("more row"));
});

Deno.test("run page: rows that cannot be read take their block with them, and nothing else", async () => {
  using folder = workspace({});
  putRun(folder.path, META, { "rows.json": '{"rows":[{"iteration":"x"}]}' });
  const response = await asker(folder.path)(`/runs/${META.id}`);
  equal(response.status, 200);
  match(await response.text(), /Not readable.[\s\S]*holds no rows of a run/);
});
