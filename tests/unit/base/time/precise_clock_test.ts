import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { PreciseClock } from "../../../../lib/base/time/precise_clock.ts";
import {
  Alarms,
  TimerMemory,
  TimerThread,
} from "../../../../lib/base/time/timer_thread.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { STRICT } from "../../../support/strict.ts";

async function startedTimer(clients: number): Promise<TimerThread> {
  const timer = new TimerThread(clients);
  while (!timer.memory.running) await systemClock.sleep(0);
  return timer;
}

/** Real threads: what a test leaves running is an error. */
function check(name: string, fn: (clock: PreciseClock) => Promise<void>): void {
  Deno.test({
    name: `PreciseClock ${name}`,
    ...STRICT,
    async fn() {
      const timer = await startedTimer(1);
      try {
        await fn(new PreciseClock(systemClock, timer.memory, 0));
      } finally {
        timer.close();
      }
    },
  });
}

check("wakes every sleeper, and none early", async (clock) => {
  await Promise.all([7, 0.2, 3, 0.1, 3, 5].map(async (ms) => {
    const from = clock.now();
    await clock.sleep(ms);
    ok(clock.now() - from >= ms, `${clock.now() - from} of ${ms} ms`);
  }));
});

check(
  "wakes one that is due before the one its alarm is set to",
  async (clock) => {
    const cancelled = new AbortController();
    const long = clock.sleep(3_600_000, cancelled.signal);
    for (let turn = 0; turn < 20; turn++) await clock.sleep(0.2);
    cancelled.abort();
    await long;
  },
);

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

Deno.test("PreciseClock leaves its sleepers to the other clock when the thread is gone", async () => {
  const base = new ManualClock();
  const memory = TimerMemory.of(1);
  const clock = new PreciseClock(base, memory, 0);
  memory.start();
  const cancelled = new AbortController();
  let woken = "";
  const sleeps = [
    clock.sleep(50).then(() => woken += "a"),
    clock.sleep(20).then(() => woken += "b"),
    clock.sleep(9_000, cancelled.signal).then(() => woken += "c"),
  ];
  cancelled.abort();
  await sleeps[2];
  memory.close();
  while (base.sleepers.length < 2) await systemClock.sleep(0);
  deepStrictEqual(base.sleepers.map((each) => each.at - base.time), [20, 50]);
  sleeps.push(clock.sleep(30).then(() => woken += "d"));
  await base.pass(60);
  await Promise.all(sleeps);
  equal(woken, "cbda");
});

Deno.test("PreciseClock goes by the other clock until the thread has started", async () => {
  const base = new ManualClock();
  const memory = TimerMemory.of(1);
  const clock = new PreciseClock(base, memory, 0);
  const sleep = clock.sleep(20);
  equal(base.sleepers.length, 1);
  await base.pass(20);
  await sleep;
  memory.close();
  memory.start();
  equal(memory.running, false, "one that starts too late stays closed");
});

Deno.test("PreciseClock: one timer thread wakes the clocks of several clients", async () => {
  const timer = await startedTimer(3);
  try {
    await Promise.all([0, 1, 2].map(async (client) => {
      const clock = new PreciseClock(systemClock, timer.memory, client);
      for (let turn = 0; turn < 5; turn++) await clock.sleep(0.3 + client / 7);
    }));
  } finally {
    timer.close();
  }
});

Deno.test("PreciseClock wakes who is due first, whatever the order they came in", () =>
  fc.assert(fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
    async (times) => {
      const base = new ManualClock();
      const memory = TimerMemory.of(1);
      memory.start();
      const clock = new PreciseClock(base, memory, 0);
      const woken: number[] = [];
      const sleeps = times.map((ms) =>
        clock.sleep(ms).then(() => woken.push(ms))
      );
      base.time += 100;
      memory.ring(0);
      await Promise.all(sleeps);
      deepStrictEqual(woken, times.toSorted((a, b) => a - b));
      memory.close();
    },
  )));

/** Alarms of so many clients, whose clocks are 100 ms behind the timer thread's. */
function alarmsOf(clients: number) {
  const memory = TimerMemory.of(clients);
  let [time, reads] = [100, 0];
  const alarms = new Alarms(memory, () => (reads++, time));
  return {
    memory,
    set: (client: number, at: number) => memory.set(client, at, time - 100),
    rung: () => Array.from({ length: clients }, (_, each) => memory.rung(each)),
    at(moment: number) {
      [time, reads] = [moment, 0];
      return { wait: alarms.ringDue(), reads };
    },
  };
}

Deno.test("Alarms: each goes off once, when it is due on its client's clock", () => {
  const { at, set, rung } = alarmsOf(3);
  equal(at(100).wait, Infinity);
  set(0, 5);
  set(2, 9);
  at(100);
  ok(Math.abs(at(101).wait - 3.965) < 1e-9);
  at(104.9);
  deepStrictEqual(rung(), [0, 0, 0]);
  ok(Math.abs(at(105).wait - 3.965) < 1e-9);
  deepStrictEqual(rung(), [1, 0, 0]);
  set(2, 30);
  at(110);
  deepStrictEqual(rung(), [1, 0, 0], "set anew before it was due");
  equal(at(131).wait, Infinity);
  equal(at(200).wait, Infinity);
  deepStrictEqual(rung(), [1, 0, 1]);
});

Deno.test("Alarms: a look at those of 64 workers reads the clock once, and once for each that is new", () => {
  const { at, set } = alarmsOf(64);
  for (let client = 0; client < 64; client++) set(client, 1_000 + client);
  equal(at(101).reads, 65);
  equal(at(102).reads, 1);
  set(7, 900);
  equal(at(103).reads, 2);
});
