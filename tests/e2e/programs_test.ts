import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { VERSION } from "../../lib/base/values/build.ts";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { openPage, startBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { follow } from "../support/live_command.ts";
import { spawnAgent } from "../support/live_agent.ts";
import { BUILT, HOME_FOLDER } from "../support/program.ts";

/*
 * What somebody who has just got the two programs does first.
 */

const DENO = Deno.version.deno.replaceAll(".", "\\.");

/** A copy without its repository has no commit to show. */
const BUILD = BUILT === undefined
  ? `(?:commit [0-9a-f]{12}, )?from source with Deno ${DENO}`
  : `commit (?:[0-9a-f]{12}(?:\\+changes)?|unknown), (?:compiled|packed) with Deno ${DENO} for \\S+`;

/** Every example there is for the embedded target, in the order they run. */
const DEMO_FLOWS = [
  "shop",
  "login",
  "values",
  "setup",
  "graphql",
  "catalog",
  "ws",
  "demo_load",
];

Deno.test("--version says version, commit and how the program was built", async () => {
  const expected = (name: string) =>
    new RegExp(`^${name} ${VERSION.replaceAll(".", "\\.")} \\(${BUILD}\\)\\n$`);
  match((await bench(["--version"])).stdout, expected("bench"));
  const agent = await spawnAgent(["--version"]).output();
  match(new TextDecoder().decode(agent.stdout), expected("bench-agent"));
});

Deno.test("bench demo runs every example, and bench serve shows them", async (t) => {
  using folder = workspace({});
  const { code, stdout, stderr } = await bench(["demo"], { cwd: folder.path });
  equal(code, 0, stdout + stderr);
  const passed = [...stdout.matchAll(/^(\w+) {2}✓ PASS/gm)];
  deepStrictEqual(passed.map(([, name]) => name), DEMO_FLOWS);

  const server = follow(
    spawnBench(["serve", "--addr", "127.0.0.1:0"], { cwd: folder.path }),
  );
  const [url] = await server.printed(/http:\/\/[\d.:]+/);
  await t.step("as a page without scripts", async () => {
    const page = await (await fetch(url)).text();
    for (const flow of DEMO_FLOWS) ok(page.includes(flow), flow);
  });
  await t.step({
    name: "in Chromium, where nothing goes wrong",
    ignore: WITHOUT_BROWSER,
    fn: () => look(url),
  });
  server.process.kill("SIGTERM");
  equal((await server.ended()).code, 0);
});

Deno.test("an example of the checkout runs from its folder", async () => {
  const { code, stderr } = await bench(
    ["validate", "examples/shop.bench.yaml"],
    { cwd: HOME_FOLDER },
  );
  equal(code, 0, stderr);
});

/** Opens the run list and a run; nothing may go wrong on them. */
async function look(url: string): Promise<void> {
  const browser = await startBrowser();
  try {
    await using watched = await openPage(browser);
    const { page, errors } = watched;
    await page.goto(url);
    await page.locator('a[href^="/runs/"][href*="demo_load"]').first().click();
    await page.waitForLoadState("networkidle");
    match(await page.title(), /demo_load/);
    deepStrictEqual(errors, []);
  } finally {
    await browser.close();
  }
}
