import { deepStrictEqual, equal, ok } from "node:assert/strict";
import type { AttemptContext, OpenTools } from "../../../lib/steps/protocol.ts";
import { wait } from "../../../lib/steps/wait.ts";
import { attempted } from "../../support/attempted.ts";

/** The pauses of so many iterations, in milliseconds. */
async function pauses(
  count: number,
  { seed = 1, position = 0, from = 0 } = {},
): Promise<number[]> {
  const block = { duration_us: { from_us: 1_000_000, to_us: 3_000_000 } };
  const adapter = await wait.open(block, { seed, position } as OpenTools);
  const slept: number[] = [];
  for (let iteration = from; iteration < from + count; iteration++) {
    await attempted(adapter, {
      iteration,
      now: () => 0,
      sleep: (ms: number) => Promise.resolve(void slept.push(ms)),
    } as AttemptContext);
  }
  return slept;
}

Deno.test("wait: a pause of a range is drawn by seed, step and iteration, evenly", async () => {
  const all = await pauses(4_000);
  deepStrictEqual(await pauses(100, { from: 50 }), all.slice(50, 150));
  for (const each of all) ok(each >= 1_000 && each <= 3_000, `${each}`);
  const mean = all.reduce((sum, each) => sum + each) / all.length;
  ok(Math.abs(mean - 2_000) < 50, `${mean}`);
  const quarter = all.filter((each) => each < 1_500).length / all.length;
  ok(Math.abs(quarter - 0.25) < 0.03, `${quarter}`);
  for (const other of [{ seed: 2 }, { seed: 1 + 2 ** 32 }, { position: 1 }]) {
    const drawn = await pauses(4_000, other);
    equal(drawn.filter((each, n) => each === all[n]).length, 0);
  }
});

Deno.test("wait: its bounds are known before the run", () => {
  const duration_us = { from_us: 1_000_000, to_us: 3_000_000 };
  deepStrictEqual(wait.waitsUs!({ duration_us }), [1_000_000, 3_000_000]);
  deepStrictEqual(wait.waitsUs!({ duration_us: 5 }), [5, 5]);
});
