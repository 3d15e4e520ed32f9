import { deepStrictEqual, ok } from "node:assert/strict";
import { startDemoTarget } from "../../lib/demo/server.ts";
import { type Block, blocksOf, PAGES } from "../support/docs/blocks.ts";
import { bare, EXCEPTIONS } from "../support/docs/exceptions.ts";
import { pagePlace } from "../support/docs/page_place.ts";
import { PageRun } from "../support/docs/run_block.ts";

/** Pages under way at the same time: most of what they do is wait. */
const AT_ONCE = 4;

/** It uses up the machine on purpose, so nothing else is run beside it. */
const ALONE = "docs/tutorial.md";

/** Steps of one test overlap, so that none of them can watch for leaks. */
const OVERLAPPING = {
  sanitizeOps: false,
  sanitizeResources: false,
  sanitizeExit: false,
};

const only = Deno.env.get("BENCH_DOCS_PAGE");
const pages = PAGES.filter((page) => only === undefined || page === only)
  .map((page) => ({ page, blocks: blocksOf(page) }))
  .filter(({ blocks }) => blocks.length > 0);

Deno.test({
  name: "docs: every block of every page does what the page says",
  ...OVERLAPPING,
  async fn(t) {
    const demo = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
    const runPage = ({ page, blocks }: (typeof pages)[number]) =>
      t.step({
        name: page,
        ...OVERLAPPING,
        async fn(t) {
          await using place = await pagePlace(demo);
          const run = new PageRun(place);
          for (const block of blocks) {
            await t.step(titleOf(block), () => run.run(block));
          }
        },
      });
    const waiting = pages.filter(({ page }) => page !== ALONE)
      .toSorted((a, b) => b.blocks.length - a.blocks.length);
    const worker = async () => {
      for (let next; (next = waiting.shift());) await runPage(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const last = pages.find(({ page }) => page === ALONE);
    if (last) await runPage(last);
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
