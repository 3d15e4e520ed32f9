import { equal, ok } from "node:assert/strict";
import { renderMarkdown } from "../../../../lib/results/formats/markdown.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import { CASES, RUN_DIR } from "./summary_cases.ts";

const GOLDEN = new URL("../../../golden/markdown/", import.meta.url);

/*
 * To accept changed reports, and then read the diff:
 * deno test -A tests/unit/results/formats/markdown_test.ts -- --update
 */
for (const [name, { meta }] of Object.entries(CASES)) {
  Deno.test(`renderMarkdown of ${name} is the golden text`, async () => {
    const file = new URL(`${name}.md`, GOLDEN);
    const actual = renderMarkdown(meta, RUN_DIR);
    if (Deno.args.includes("--update")) await Deno.writeTextFile(file, actual);
    equal(actual, await Deno.readTextFile(file));
  });
}

Deno.test("renderMarkdown lets nothing a target says become markup or break a table", () => {
  const { meta } = CASES["throttled_load"]!;
  const message = "| <img src=x> [a](http://b) @team `x` **b**\n## c";
  const hostile: RunMeta = {
    ...meta,
    failures: meta.failures.map((each) => ({ ...each, message })),
  };
  const text = renderMarkdown(hostile, RUN_DIR);
  ok(!/<img|\]\(http|@team|\*\*b/.test(text), text);
  const rows = text.split("\n").filter((line) => line.startsWith("| failed"));
  equal(rows.length, 1);
  equal(rows[0]!.match(/\|/g)!.length, 6);
});

Deno.test("renderMarkdown lets no cell of a fixture become markup or break a table", () => {
  const { meta } = CASES["fail_with_rows"]!;
  const rows = meta.rows!.map((row) => ({
    ...row,
    row_name: "| <img src=x> @team\n\x1b[31m",
  }));
  const text = renderMarkdown({ ...meta, rows }, RUN_DIR);
  ok(!/<img|@team/.test(text) && !text.includes("\x1b"), text);
  const lines = text.split("\n").filter((line) => /^\| failed/.test(line));
  ok(lines.length > 0);
  for (const line of lines) equal(line.match(/\|/g)!.length, 6);
});

Deno.test("renderMarkdown says that percentiles of the flows of a mix are of iterations", () => {
  const { meta } = CASES["pass"]!;
  const flow = {
    ...{ name: "browse", weight: 1, iterations: meta.iterations },
    ...{ error_rate: 0, throttle_rate: 0 },
    ...{ iteration_time: meta.latency, latency: meta.latency },
  };
  const text = renderMarkdown({ ...meta, flows: [flow] }, RUN_DIR);
  ok(/### Flows, by the time of an iteration\n\n\| flow \|/.test(text), text);
});

Deno.test("renderMarkdown says by which options a run was driven, as the summary does", () => {
  const { meta } = CASES["pass"]!;
  const options = { rate: "10/s", vus: 5, stop_on_breach: true } as const;
  const text = renderMarkdown({ ...meta, options }, RUN_DIR);
  ok(
    text.includes(
      '\n\nDriven by <code>--rate "10/s"</code> <code>--vus 5</code> <code>--stop-on-breach</code>.\n\n',
    ),
    text,
  );
});

Deno.test("renderMarkdown says of how many shards a run is, and which were lost", () => {
  const { meta } = CASES["throttled_load"]!;
  const share = { workers: 1, iterations: 1, requests: 1, generator: null };
  const shards = [null, 9_000, null].map((lost_at_ms, shard) => ({
    ...share,
    shard,
    lost_at_ms,
  }));
  const said = "Run by 3 shards; shard 1 was lost after 9s.";
  ok(renderMarkdown({ ...meta, shards }, RUN_DIR).includes(`\n${said}\n`));
  ok(!renderMarkdown(meta, RUN_DIR).includes("shards"));
});

Deno.test("renderMarkdown has the verdicts that a stored run takes part in", () => {
  const { meta } = CASES["pass"]!;
  const judged = [{
    kind: "duel" as const,
    verdict: "worse" as const,
    text: "B is worse: p95 +12%",
    runs: [meta.id, "other"],
  }];
  const text = renderMarkdown({ ...meta, judged }, RUN_DIR);
  ok(text.includes("\n**Duel:** B is worse: p95 +12%\n"), text);
});
