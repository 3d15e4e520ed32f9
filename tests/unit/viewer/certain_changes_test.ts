import assert from "node:assert/strict";
import { markupOf } from "../../../viewer/markup/markup.ts";
import { certainChanges } from "../../../viewer/page/certain_changes.tsx";
import { storeMadeRun } from "../results/comparison/made_run.ts";

Deno.test("certainChanges says whether B is worse, or why that cannot be said", async () => {
  const store = await Deno.makeTempDir();
  try {
    const size = { seconds: 20, perSecond: 20 };
    const a = await storeMadeRun(store, { seed: 1, ...size });
    const b = await storeMadeRun(store, { seed: 2, ms: 40, ...size });
    const short = await storeMadeRun(store, { seed: 3, seconds: 1 });
    const worse = markupOf((await certainChanges([a, b])).markup);
    assert.match(worse, /B is worse by more than 5%: p50/);
    assert.match(worse, /How sure the differences are/);
    const unsure = await certainChanges([a, short]);
    assert.equal(unsure.comparable, false);
    assert.match(
      markupOf(unsure.markup),
      /cannot be said: run .* it lasted 1s, expected at least 10s/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});
