import { deepStrictEqual, equal, ok } from "node:assert/strict";
import type { Span } from "../../lib/model/result/trace.ts";
import { openPage } from "./browser.ts";
import { type Harness, json } from "./viewer_harness.ts";

const UNIT: Readonly<Record<string, number>> = {
  us: 0.001,
  "\u00b5s": 0.001,
  ms: 1,
  s: 1_000,
};

/** `1.28ms` in milliseconds. */
function millisecondsOf(text: string): number {
  const [, figure, unit] = /^([\d.]+) ?(\S+)$/.exec(text)!;
  return Number(figure) * UNIT[unit!]!;
}

/** Every cell of a real run is a link to a trace with a response in it. */
export async function cells({ url, browser, runs }: Harness): Promise<void> {
  await using watched = await openPage(browser);
  const { page } = watched;
  const address = `${url}runs/${runs.busy}`;
  await page.goto(address);
  const links = page.locator("#heat svg.area a");
  const all = await links.evaluateAll((found) =>
    found.map((each) => [
      each.firstChild!.textContent!,
      each.getAttribute("href")!,
    ])
  );
  const { counts } = await json(`${url}api/v1/runs/${runs.busy}/heatmap`);
  const filled = counts.flat().filter((count: number) => count > 0).length;
  // A response that ended with a second may count in the next one.
  ok(all.length >= filled * 0.9, `${all.length} of ${filled} cells`);
  for (const [name, href] of all) {
    const [, from, to, low, high] =
      /^(\S+) to (\S+), (.+) to (.+): [\d,]+ samples?$/.exec(name!)!;
    const id = href!.split("/").at(-1);
    const { spans } = await json(
      `${url}api/v1/runs/${runs.busy}/traces/${id}`,
    );
    const inside = spans.some((call: Span) => {
      if (call.kind !== "call") return false;
      const end = (call.start_us + call.duration_us) / 1_000;
      const ms = spans.filter(({ parent_id, name }: Span) =>
        parent_id === call.span_id && (name === "ttfb" || name === "transfer")
      ).reduce((sum: number, each: Span) => sum + each.duration_us / 1_000, 0);
      return end >= millisecondsOf(from!) - 1 &&
        end <= millisecondsOf(to!) + 1 &&
        ms >= millisecondsOf(low!) * 0.99 - 0.003 &&
        ms <= millisecondsOf(high!) * 1.01 + 0.003;
    });
    ok(inside, `${name}: ${href}`);
  }
  await byKeyboard(watched, all.map(([, href]) => href!));
}

/** The map is one stop of the Tab key; an arrow leads to another cell, Enter opens it. */
async function byKeyboard(
  { page, errors }: Awaited<ReturnType<typeof openPage>>,
  hrefs: readonly string[],
): Promise<void> {
  const links = page.locator("#heat svg.area a");
  equal(await page.locator("#heat svg.area a[tabindex='0']").count(), 1);
  await links.first().focus();
  const focused = () =>
    page.locator("#heat svg.area a:focus title").textContent();
  const before = await focused();
  for (const key of ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"]) {
    await page.keyboard.press(key);
    if (await focused() !== before) break;
  }
  ok(await focused() !== before, "an arrow key leads on");
  equal(await page.locator("#titled").innerText(), await focused());
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/traces\//);
  ok(hrefs.includes(new URL(page.url()).pathname));
  deepStrictEqual(errors, []);
}
