import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startPoll } from "../../../../lib/results/samples/agent_scraper.ts";
import { READING } from "../../../support/agent_reading.ts";
import { ManualClock, settle } from "../../../support/manual_clock.ts";

type Scraped = Awaited<ReturnType<Parameters<typeof startPoll>[0]>>;
const FINE: Scraped = { reading: READING };

/** Polls with responses that take `takes` milliseconds each. */
function polling(
  respond: (nth: number) => Scraped,
  takes: (nth: number) => number = () => 0,
) {
  const clock = new ManualClock();
  const begun: number[] = [];
  const startedAt = clock.now();
  const poll = startPoll(
    async () => {
      const nth = begun.push(clock.now() - startedAt) - 1;
      if (takes(nth) > 0) await clock.sleep(takes(nth));
      return respond(nth);
    },
    clock,
    startedAt,
  );
  return { clock, begun, poll };
}

Deno.test("startPoll: asks at once and then on every second of the run's clock", async () => {
  const { clock, begun, poll } = polling(() => FINE, () => 30);
  await settle();
  await clock.pass(2_500);
  deepStrictEqual(begun, [0, 1_000, 2_000]);
  const { samples, missed } = poll.end();
  deepStrictEqual(samples.map((each) => each.t_ms), [30, 1_030, 2_030]);
  deepStrictEqual(samples[0], { t_ms: 30, ...READING });
  strictEqual(missed, 0);
});

Deno.test("startPoll: a failed scrape is a gap that is counted, and the next second is asked", async () => {
  const { clock, poll } = polling((nth) =>
    nth === 1 || nth === 2 ? { problem: `no ${nth}` } : FINE
  );
  await settle();
  await clock.pass(3_500);
  const { samples, missed, problem } = poll.end();
  deepStrictEqual(samples.map((each) => each.t_ms), [0, 3_000]);
  deepStrictEqual([missed, problem], [2, "no 2"]);
});

Deno.test("startPoll: seconds in which this thread was kept busy are missed, not made up for", async () => {
  const { clock, begun, poll } = polling(
    () => FINE,
    (nth) => nth === 1 ? 2_400 : 0,
  );
  await settle();
  await clock.pass(4_500);
  deepStrictEqual(begun, [0, 1_000, 4_000]);
  strictEqual(poll.end().missed, 2);
});

Deno.test("startPoll: end does not wait for a scrape under way, whose response is dropped", async () => {
  const { clock, begun, poll } = polling(() => FINE, () => 700);
  await settle();
  await clock.pass(1_200);
  const { samples, missed } = poll.end();
  deepStrictEqual([samples.length, missed], [1, 0]);
  await clock.pass(5_000);
  strictEqual(begun.length, 2);
  strictEqual(samples.length, 1);
});

Deno.test("startPoll: end leaves no sleeper behind", async () => {
  const { clock, poll } = polling(() => FINE);
  await settle();
  await clock.pass(100);
  poll.end();
  await settle();
  strictEqual(clock.sleepers.length, 0);
});
