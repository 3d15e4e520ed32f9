import assert from "node:assert/strict";
import { SlotLimiter } from "../../../../lib/engine/limiter/slot_limiter.ts";
import {
  IMMEDIATE,
  type Requester,
  SpentSlots,
} from "../../../../lib/engine/limiter/limiter.ts";
import { settle } from "../../../support/manual_clock.ts";

const SILENT = { late() {}, offered() {}, held() {} };

/** A requester at a fixed moment. */
function requester(now = 50, beganAt = now): Requester {
  return {
    stopped: false,
    beganAt,
    now: () => now,
    sleep: () => Promise.resolve(),
  };
}

/** Whether a VU is given a slot to begin an iteration with. */
function begins(limiter: SlotLimiter, vu: Requester): Promise<boolean> {
  return new Promise((resolve) =>
    limiter.startIteration((permit) => {
      vu.slot = permit;
      resolve(permit !== undefined);
    })
  );
}

Deno.test("SlotLimiter gives a slot to the oldest waiting request before any free VU", async () => {
  const limiter = new SlotLimiter(SILENT);
  const order: string[] = [];
  const inside = [requester(), requester()];
  void begins(limiter, requester()).then(() => order.push("free VU"));
  void Promise.resolve(limiter.acquire(inside[0]!)).then(() =>
    order.push("first")
  );
  void Promise.resolve(limiter.acquire(inside[1]!)).then(() =>
    order.push("second")
  );
  for (const at of [10, 20, 30]) {
    limiter.due(at, at);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  assert.deepEqual(order, ["first", "second", "free VU"]);
});

Deno.test("SlotLimiter keeps slots for the next callers, oldest first", async () => {
  const limiter = new SlotLimiter(SILENT);
  limiter.due(10, 10);
  limiter.due(20, 20);
  assert.equal(limiter.unserved, 2);
  const vu = requester();
  assert.equal(await begins(limiter, vu), true);
  assert.deepEqual(limiter.acquire(vu), {
    dueAt: 10,
    backlogged: true,
  });
  assert.deepEqual(
    limiter.acquire(vu),
    { dueAt: 20, backlogged: true },
    "a second request spends another",
  );
  assert.equal(limiter.unserved, 0);
});

Deno.test("SlotLimiter counts from the actual start when a VU stood by", async () => {
  const late: number[] = [];
  const limiter = new SlotLimiter({
    late: (ms) => late.push(ms),
    offered() {},
  });
  const vu = requester(50);
  const begun = begins(limiter, vu);
  limiter.due(40, 43);
  assert.equal(await begun, true);
  assert.deepEqual(limiter.acquire(vu), { dueAt: 50 });
  assert.deepEqual(late, [3]);
});

Deno.test("SlotLimiter sends everyone home when no iterations begin any more", async () => {
  const limiter = new SlotLimiter(SILENT);
  const waiting = begins(limiter, requester());
  limiter.stopStarting();
  assert.equal(await waiting, false);
  assert.equal(await begins(limiter, requester()), false);
  limiter.due(10, 10);
  assert.equal(limiter.unserved, 0, "slots past the end are none");
});

Deno.test("SlotLimiter releases requests inside iterations when the run is over", async () => {
  const limiter = new SlotLimiter(SILENT);
  const waiting = limiter.acquire(requester(70));
  limiter.release();
  assert.deepEqual(await waiting, { dueAt: 70 });
  assert.equal(limiter.acquire({ ...requester(), stopped: true }), IMMEDIATE);
});

Deno.test("SlotLimiter begins no iteration beyond the VUs it is allowed, and catches up when allowed more", async () => {
  const limiter = new SlotLimiter(SILENT);
  limiter.allow(1);
  const [one, two] = [requester(), requester()];
  const begun: string[] = [];
  void begins(limiter, two).then(() => begun.push("two"));
  void begins(limiter, one).then(() => begun.push("one"));
  limiter.due(10, 10);
  limiter.due(20, 20);
  await settle();
  assert.deepEqual(begun, ["one"]);
  assert.equal(limiter.unserved, 1);
  limiter.allow(2);
  await settle();
  assert.deepEqual(begun, ["one", "two"]);
  assert.deepEqual(
    limiter.acquire(two),
    { dueAt: 20, backlogged: true },
    "it waited in the backlog",
  );
});

Deno.test("SlotLimiter takes the place of a VU that ended its iteration", async () => {
  const limiter = new SlotLimiter(SILENT);
  limiter.allow(1);
  const vu = requester();
  limiter.due(10, 10);
  limiter.due(20, 20);
  assert.equal(await begins(limiter, vu), true);
  limiter.iterationEnded();
  assert.equal(await begins(limiter, vu), true);
  assert.equal(limiter.unserved, 0);
});

Deno.test("SlotLimiter gives out no slot that was spent before it was due", () => {
  const spent = new SpentSlots();
  const limiter = new SlotLimiter(SILENT, spent);
  spent.spend();
  spent.spend();
  for (const at of [10, 20, 30]) limiter.due(at, at);
  assert.equal(limiter.unserved, 1);
  assert.deepEqual(limiter.acquire(requester()), {
    dueAt: 30,
    backlogged: true,
  });
});

Deno.test("SlotLimiter sends what waits in place of slots of others, where no more come", async () => {
  const spent = new SpentSlots();
  const limiter = new SlotLimiter(SILENT, spent);
  const waits = limiter.acquire(requester(5));
  limiter.expectSlots(false);
  assert.deepEqual(await waits, { dueAt: 5 });
  assert.deepEqual(await limiter.acquire(requester(7)), { dueAt: 7 });
  assert.deepEqual([spent.take(), spent.take(), spent.take()], [
    true,
    true,
    false,
  ]);
  limiter.expectSlots(true);
  const next = limiter.acquire(requester(9));
  limiter.due(9, 9);
  assert.deepEqual(await next, { dueAt: 9 });
  assert.equal(spent.take(), false);
});

Deno.test("SlotLimiter offers a slot with the iteration that takes it, and one that none took when it was due", async () => {
  const offered: number[] = [];
  const limiter = new SlotLimiter({
    late() {},
    offered: (at) => void offered.push(at),
  });
  const vu = requester(50, 5);
  const begun = begins(limiter, vu);
  for (const due of [40, 41, 42]) limiter.due(due, 45);
  await begun;
  limiter.acquire(vu);
  limiter.acquire(vu);
  assert.equal(limiter.leave(42), 1);
  const waiting = limiter.acquire(requester(60, 6));
  limiter.due(55, 55);
  await waiting;
  assert.deepEqual(offered, [5, 5, 42, 6]);
});
