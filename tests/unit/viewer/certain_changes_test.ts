import assert from "node:assert/strict";
import { basename } from "node:path";
import { markupOf } from "../../../viewer/markup/jsx_runtime.ts";
import { certainChanges } from "../../../viewer/page/comparison_blocks.tsx";
import { asker } from "../../support/viewer_fixture.ts";
import { storeMadeRun } from "../results/comparison/made_run.ts";

Deno.test("certainChanges says whether B is worse, or why that cannot be said", async () => {
  const store = await Deno.makeTempDir();
  try {
    const size = { seconds: 20, perSecond: 20 };
    const a = await storeMadeRun(store, { seed: 1, ...size });
    const b = await storeMadeRun(store, { seed: 2, ms: 40, ...size });
    const page = await (await asker(store)(
      `/compare?a=${basename(a)}&b=${basename(b)}`,
    )).text();
    const [steps] = page.match(/aria-label="Steps of both".*?<\/table>/s)!;
    const rows = steps.replaceAll(/<[^>]*>|\s+/g, " ");
    assert.match(rows, /verdict/);
    assert.match(rows, /cart .*?% \(\+.*?% to \+.*?%\) +worse/);
    const short = await storeMadeRun(store, { seed: 3, seconds: 1 });
    const worse = markupOf((await certainChanges([a, b])).content);
    assert.match(worse, /B is worse by more than 5%: p50/);
    assert.match(worse, /How sure the differences are/);
    assert.doesNotMatch(worse, /<th[^>]*><\/th>/);
    // A forest plot: what surely changed first, each with its interval on one axis.
    const [first, ...others] = worse.match(/class="forest \w+"/g)!;
    assert.equal(first, 'class="forest worse"');
    assert.equal(others.at(-1), 'class="forest same"');
    assert.match(worse, /The band is the margin of 5/);
    const refused = { seed: 4, failing: 0.9, ...size };
    const lost = await certainChanges([await storeMadeRun(store, refused), b]);
    assert.match(markupOf(lost.content), /mostly those of failures\./);
    const unsure = await certainChanges([a, short]);
    assert.equal(unsure.figures, undefined);
    assert.match(
      markupOf(unsure.note),
      /cannot be said: run .* it lasted 1s, expected at least 10s/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});

Deno.test("certainChanges: two targets in the same seconds are a duel, which sees smaller changes", async () => {
  const store = await Deno.makeTempDir();
  try {
    const size = { seconds: 20, perSecond: 20 };
    const side = (seed: number, target: string, startedAt = 1e12 + seed) =>
      storeMadeRun(store, { seed, ...size, facts: { target, startedAt } });
    const textOf = async (a: string, b: string) =>
      markupOf((await certainChanges([a, b])).content);
    const [a, b] = [await side(1, "old"), await side(2, "new")];
    assert.match(await textOf(a, b), /measured in the same seconds/);
    // Of another time they are two runs.
    assert.doesNotMatch(
      await textOf(a, await side(3, "new", 2e12)),
      /measured in the same seconds/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});
