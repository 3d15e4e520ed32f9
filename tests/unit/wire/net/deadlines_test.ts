import assert from "node:assert/strict";
import fc from "fast-check";
import {
  Deadline,
  Deadlines,
  type Expiring,
} from "../../../../lib/wire/net/deadlines.ts";
import { ManualClock, settle } from "../../../support/manual_clock.ts";

function expiring(log: string[], name: string): Expiring {
  return { expire: () => void log.push(name) };
}

Deno.test("Deadlines end what was started, each at its own time", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const log: string[] = [];
  deadlines.start(new Deadline(expiring(log, "a")), clock.now(), 100);
  await clock.pass(60);
  deadlines.start(new Deadline(expiring(log, "b")), clock.now(), 100);
  deadlines.start(new Deadline(expiring(log, "c")), clock.now(), 10);
  await clock.pass(9);
  assert.deepEqual(log, []);
  await clock.pass(1);
  assert.deepEqual(log, ["c"]);
  await clock.pass(30);
  assert.deepEqual(log, ["c", "a"]);
  await clock.pass(60);
  assert.deepEqual(log, ["c", "a", "b"]);
  deadlines.close();
});

Deno.test("Deadlines leave what was stopped in time, and start it again", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const log: string[] = [];
  const first = new Deadline(expiring(log, "first"));
  const second = new Deadline(expiring(log, "second"));
  for (let turn = 0; turn < 50; turn++) {
    deadlines.start(first, clock.now(), 100);
    deadlines.start(second, clock.now(), 100);
    await clock.pass(30);
    deadlines.stop(second);
    deadlines.stop(first);
    deadlines.stop(first);
  }
  assert.deepEqual(log, []);
  deadlines.start(first, clock.now(), 100);
  await clock.pass(150);
  assert.deepEqual(log, ["first"]);
  assert.equal(first.running, false);
  deadlines.close();
});

Deno.test("Deadlines of a thread that was held up leave what is read next", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const log: string[] = [];
  const read = new Deadline(expiring(log, "read"));
  deadlines.start(read, clock.now(), 100);
  deadlines.start(new Deadline(expiring(log, "hung")), clock.now(), 100);
  clock.time += 3_000;
  await clock.pass(0);
  assert.deepEqual(log, []);
  deadlines.stop(read);
  await clock.pass(10);
  assert.deepEqual(log, ["hung"]);
  deadlines.close();
});

Deno.test("Deadlines keep one sleeper a length, and none when idle or closed", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const many = Array.from(
    { length: 1000 },
    () => new Deadline(expiring([], "")),
  );
  for (const each of many) deadlines.start(each, clock.now(), 100);
  assert.equal(clock.sleepers.length, 1);
  for (const each of many) deadlines.stop(each);
  await clock.pass(100);
  assert.equal(clock.sleepers.length, 0);
  deadlines.start(many[0]!, clock.now(), 100);
  deadlines.start(many[1]!, clock.now(), 200);
  assert.equal(clock.sleepers.length, 2);
  deadlines.close();
  await settle();
  assert.equal(clock.sleepers.length, 0);
});

Deno.test("Deadlines expire exactly those that were not stopped", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          after: fc.integer({ min: 0, max: 50 }),
          timeout: fc.constantFrom(10, 20, 35),
          stopAfter: fc.option(fc.integer({ min: 0, max: 60 })),
        }),
        { maxLength: 20 },
      ),
      async (plans) => {
        const clock = new ManualClock();
        const begin = clock.now();
        const deadlines = new Deadlines(clock);
        const ended = new Map<number, number>();
        const running = plans.map((_, index) =>
          new Deadline({
            expire: () => void ended.set(index, clock.now() - begin),
          })
        );
        for (let now = 0; now <= 120; now++) {
          plans.forEach(({ after, timeout, stopAfter }, index) => {
            if (after === now) {
              deadlines.start(running[index]!, clock.now(), timeout);
            }
            if (stopAfter !== null && after + stopAfter === now) {
              deadlines.stop(running[index]!);
            }
          });
          await clock.pass(1);
        }
        plans.forEach(({ after, timeout, stopAfter }, index) => {
          const expires = stopAfter === null || stopAfter > timeout - 1;
          assert.equal(ended.get(index), expires ? after + timeout : undefined);
        });
        deadlines.close();
      },
    ),
    { numRuns: 50 },
  );
});
