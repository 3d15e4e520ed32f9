import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname } from "node:path";
import { startDemoTarget } from "../../cli/demo/server.ts";
import { type Block, blocksOf, PAGES } from "../support/docs/blocks.ts";
import { bare, EXCEPTIONS } from "../support/docs/exceptions.ts";
import { type PageHarness, pageHarness } from "../support/docs/page_harness.ts";
import { PageRun } from "../support/docs/run_block.ts";
import { exampleFlows, runExample } from "../support/docs/run_example.ts";

/** Pages under way at the same time: most of what they do is wait. */
const AT_ONCE = 4;

/** They use up the machine on purpose, so nothing else is run beside them. */
const ALONE = ["docs/tutorial.md", "examples/stress"];

/** Steps of one test overlap, which the check of exits cannot follow. */
const OVERLAPPING = { sanitizeExit: false };

const pages = PAGES.map((page) => ({ page, blocks: blocksOf(page) }))
  .filter(({ blocks }) => blocks.length > 0);

/** Blocks or flows that share a harness, by the name of what they are from. */
interface Work {
  readonly name: string;
  readonly steps: readonly WorkStep[];
}

interface WorkStep {
  readonly title: string;
  run(harness: PageHarness, page: PageRun): Promise<void>;
}

function allWork(): Work[] {
  const only = Deno.env.get("BENCH_DOCS_PAGE");
  const folders = Map.groupBy(exampleFlows(), dirname);
  return [
    ...pages.map(({ page, blocks }): Work => ({
      name: page,
      steps: blocks.map((block) => ({
        title: titleOf(block),
        run: (_, page) => page.run(block),
      })),
    })),
    ...[...folders].map(([name, flows]): Work => ({
      name,
      steps: flows.map((flow) => ({
        title: flow,
        run: (harness) => runExample(flow, harness),
      })),
    })),
  ].filter(({ name }) => only === undefined || name === only)
    .toSorted((a, b) => b.steps.length - a.steps.length);
}

Deno.test({
  name: "docs: every block of every page, and every example, does what it says",
  ...OVERLAPPING,
  async fn(t) {
    const demo = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
    const doWork = ({ name, steps }: Work) =>
      t.step({
        name,
        ...OVERLAPPING,
        async fn(t) {
          await using harness = await pageHarness(name, demo);
          const page = new PageRun(harness);
          for (const { title, run } of steps) {
            await t.step(title, () => run(harness, page));
          }
        },
      });
    const work = allWork();
    const waiting = work.filter(({ name }) => !ALONE.includes(name));
    const worker = async () => {
      for (let next; (next = waiting.shift());) await doWork(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    for (const each of work) if (ALONE.includes(each.name)) await doWork(each);
    await demo.close();
  },
});

function titleOf({ page, line, language, notes }: Block): string {
  const said = Object.entries(notes).map((each) => each.join(": "));
  return [`${page}:${line}`, language, ...said].join(" ");
}

Deno.test("docs: a block that is a file is used further down its page", () => {
  const unused = pages.flatMap(({ page, blocks }) =>
    blocks.flatMap(({ notes: { file }, line }, index) => {
      if (file === undefined) return [];
      const [stem] = file.split("/").at(-1)!.split(".");
      const later = blocks.slice(index).map(({ text, notes }, offset) =>
        [offset === 0 ? "" : text, notes.run, notes.shows, notes.resembles]
          .join("\n")
      );
      return later.some((each) => each.includes(stem!))
        ? []
        : [`${page}:${line}`];
    })
  );
  deepStrictEqual(unused, []);
});

Deno.test("docs: every exception is a line of its page, and has a reason", () => {
  for (const { page, line, reason } of EXCEPTIONS) {
    ok(reason.length > 0);
    const there = blocksOf(page).some(({ language, text }) =>
      language === "sh" && text.split("\n").some((each) => bare(each) === line)
    );
    ok(there, `${page} no longer has \`${line}\``);
  }
});
