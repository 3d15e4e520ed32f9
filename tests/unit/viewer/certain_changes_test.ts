import assert from "node:assert/strict";
import { basename } from "node:path";
import { asker } from "../../support/viewer_fixture.ts";
import { storeMadeRun } from "../results/comparison/made_run.ts";

/** The page of two runs of a store. */
async function comparedText(
  store: string,
  a: string,
  b: string,
): Promise<string> {
  const path = `/compare?a=${basename(a)}&b=${basename(b)}`;
  return await (await asker(store)(path)).text();
}

Deno.test("compare page: says whether B is worse, or why that cannot be said", async () => {
  const store = await Deno.makeTempDir();
  try {
    const size = { seconds: 20, perSecond: 20 };
    const a = await storeMadeRun(store, { seed: 1, ...size });
    const b = await storeMadeRun(store, { seed: 2, ms: 40, ...size });
    const page = await comparedText(store, a, b);
    const [steps] = page.match(/aria-label="Steps of both".*?<\/table>/s)!;
    const rows = steps.replaceAll(/<[^>]*>|\s+/g, " ");
    assert.match(rows, /verdict/);
    assert.match(rows, /cart .*?% \(\+.*?% to \+.*?%\) +worse/);
    const short = await storeMadeRun(store, { seed: 3, seconds: 1 });
    const [worse] = page.match(/<section id="certain".*?<\/section>/s)!;
    assert.match(worse, /B is worse by more than 5%: p50/);
    assert.match(worse, /How sure the differences are/);
    assert.doesNotMatch(worse, /<th[^>]*><\/th>/);
    // A forest plot: what surely changed first, each with its interval on one axis.
    const [first, ...others] = worse.match(/class="forest \w+"/g)!;
    assert.equal(first, 'class="forest worse"');
    assert.equal(others.at(-1), 'class="forest same"');
    assert.match(worse, /The band is the margin of 5/);
    const refused = { seed: 4, failing: 0.9, ...size };
    const lost = await storeMadeRun(store, refused);
    assert.match(
      await comparedText(store, lost, b),
      /mostly those of failures\./,
    );
    const unsure = await comparedText(store, a, short);
    assert.doesNotMatch(unsure, /id="certain"/);
    assert.match(
      unsure,
      /cannot be said: run .* it lasted 1s, expected at least 10s/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});

Deno.test("compare page: two targets in the same seconds are a duel, which sees smaller changes", async () => {
  const store = await Deno.makeTempDir();
  try {
    const size = { seconds: 20, perSecond: 20 };
    const side = (seed: number, target: string, startedAt = 1e12 + seed) =>
      storeMadeRun(store, { seed, ...size, facts: { target, startedAt } });
    const [a, b] = [await side(1, "old"), await side(2, "new")];
    assert.match(
      await comparedText(store, a, b),
      /measured in the same seconds/,
    );
    // Of another time they are two runs.
    assert.doesNotMatch(
      await comparedText(store, a, await side(3, "new", 2e12)),
      /measured in the same seconds/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});
