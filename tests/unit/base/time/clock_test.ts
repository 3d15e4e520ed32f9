import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";

Deno.test("systemClock has one arrival for all that a turn of the event loop brought", async () => {
  const arrival = () => systemClock.arrival!();
  const reads = Array.from({ length: 3 }, () =>
    Promise.resolve().then(() => {
      const at = arrival();
      for (const until = systemClock.now() + 0.05; systemClock.now() < until;);
      return at;
    }));
  const [first, ...others] = await Promise.all(reads);
  ok(others.every((each) => each === first));
  await systemClock.sleep(0);
  ok(arrival() > first! + 0.1, "what comes later came later");
  equal(arrival() <= systemClock.now(), true);
});

Deno.test("systemClock.sleep of more than a timer can wait is several of them", async () => {
  const own = globalThis.setTimeout;
  const set: (number | undefined)[] = [];
  globalThis.setTimeout = ((callback: () => void, ms?: number) => {
    set.push(ms);
    return own(callback);
  }) as typeof own;
  try {
    await systemClock.sleep(2 ** 31 + 1_000);
    deepStrictEqual(set.splice(0), [2 ** 31 - 1, 1_001]);
    await systemClock.sleep(2 ** 31 - 1);
    deepStrictEqual(set.splice(0), [2 ** 31 - 1]);
    await systemClock.sleep(2 ** 40, AbortSignal.abort());
    deepStrictEqual(set, []);
  } finally {
    globalThis.setTimeout = own;
  }
});
