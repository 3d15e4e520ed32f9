import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { PreciseClock } from "../../../../lib/base/time/precise_clock.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { STRICT } from "../../../support/strict.ts";

/** Real sleeps of the system: a call that a test leaves under way is an error. */
function check(name: string, fn: (clock: PreciseClock) => Promise<void>): void {
  Deno.test({
    name: `PreciseClock ${name}`,
    ...STRICT,
    async fn() {
      const clock = new PreciseClock(systemClock);
      try {
        await fn(clock);
      } finally {
        await clock.close();
      }
    },
  });
}

check("wakes every sleeper, and none early", async (clock) => {
  await Promise.all([7, 0.2, 30, 3, 0.1, 3, 5].map(async (ms) => {
    const from = clock.now();
    await clock.sleep(ms);
    ok(clock.now() - from >= ms, `${clock.now() - from} of ${ms} ms`);
  }));
});

check("wakes one that is due before the others", async (clock) => {
  const cancelled = new AbortController();
  const long = clock.sleep(3_600_000, cancelled.signal);
  for (let turn = 0; turn < 20; turn++) await clock.sleep(0.2);
  cancelled.abort();
  await long;
});

check("ends a sleep with its signal, and wakes the others", async (clock) => {
  const { signal } = new AbortController();
  equal(await clock.sleep(3_600_000, AbortSignal.abort()), undefined);
  const soon = new AbortController();
  const first = clock.sleep(1, soon.signal);
  const second = clock.sleep(2, signal);
  soon.abort();
  await first;
  await second;
});

check(
  "takes a sleep of no time as one turn of the event loop",
  async (clock) => {
    await clock.sleep(0);
    await clock.sleep(-1);
  },
);

/** By the time of a test: a call ends later than asked, as those of the system do. */
function fakeSystem(lateMs = 0.08) {
  const base = new ManualClock();
  /** In milliseconds, and how many were under way with it. */
  const calls: { readonly ms: number; readonly underWay: number }[] = [];
  let underWay = 0;
  const clock = new PreciseClock(base, {
    async sleep(us) {
      calls.push({ ms: us / 1_000, underWay: ++underWay });
      await base.sleep(us / 1_000 + (us > 0 ? lateMs : 0.04));
      underWay--;
    },
    close() {},
  });
  return { base, calls, clock };
}

Deno.test("PreciseClock calls the system once for all that go to sleep in one turn", async () => {
  const { base, calls, clock } = fakeSystem();
  const sleeps = [9, 4, 6, 4].map((ms) => clock.sleep(ms));
  await base.pass(0);
  await base.pass(10);
  await Promise.all(sleeps);
  const from4to6to9 = calls.map(({ ms }) => Math.ceil(ms));
  deepStrictEqual(from4to6to9, [4, 2, 3]);
  ok(calls.every(({ underWay }) => underWay === 1));
  await base.pass(100);
  equal(calls.length, 3, "nothing sleeps any more");
});

for (const lateMs of [0.02, 0.2]) {
  Deno.test(`PreciseClock finds out that calls end ${lateMs} ms late`, async () => {
    const { base, clock } = fakeSystem(lateMs);
    const late: number[] = [];
    const sleeps = (async () => {
      for (let nth = 0; nth < 2_000; nth++) {
        const due = base.now() + 1;
        await clock.sleep(1);
        late.push(base.now() - due);
      }
    })();
    await base.drive(sleeps);
    ok(late.every((each) => each >= 0));
    const last = late.slice(-100).toSorted((a, b) => a - b);
    ok(last[50]! < 0.01, `${last[50]} ms`);
  });
}

Deno.test("PreciseClock makes no call longer than 25 ms, and no more than 8 at once", async () => {
  const { base, calls, clock } = fakeSystem();
  const sleeps = [clock.sleep(60)];
  for (let ms = 20; ms > 0; ms--) {
    await base.pass(0);
    sleeps.push(clock.sleep(ms));
  }
  await base.pass(61);
  await Promise.all(sleeps);
  ok(calls.every(({ ms }) => ms <= 25));
  equal(Math.max(...calls.map(({ underWay }) => underWay)), 8);
});

Deno.test("PreciseClock leaves its sleepers to the other clock once it is closed", async () => {
  const base = new ManualClock();
  const call = Promise.withResolvers<void>();
  let isOpen = true;
  const clock = new PreciseClock(base, {
    sleep: () => call.promise,
    close: () => isOpen = false,
  });
  const cancelled = new AbortController();
  let woken = "";
  const sleeps = [
    clock.sleep(50).then(() => woken += "a"),
    clock.sleep(20).then(() => woken += "b"),
    clock.sleep(9_000, cancelled.signal).then(() => woken += "c"),
  ];
  cancelled.abort();
  await sleeps[2];
  const closed = clock.close();
  deepStrictEqual(base.sleepers.map((each) => each.at - base.time), [20, 50]);
  sleeps.push(clock.sleep(30).then(() => woken += "d"));
  await base.pass(60);
  await Promise.all(sleeps);
  equal(woken, "cbda");
  ok(isOpen, "a call is under way");
  call.resolve();
  await closed;
  ok(!isOpen);
});

Deno.test("PreciseClock wakes who is due first, whatever the order they came in", () =>
  fc.assert(fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
    async (times) => {
      const { base, clock } = fakeSystem();
      const woken: number[] = [];
      const sleeps = times.map((ms) =>
        clock.sleep(ms).then(() => woken.push(ms))
      );
      await base.pass(0);
      await base.pass(51);
      await Promise.all(sleeps);
      deepStrictEqual(woken, times.toSorted((a, b) => a - b));
    },
  )));
