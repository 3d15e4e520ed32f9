import assert from "node:assert/strict";
import { SlotGate } from "../../../../lib/engine/schedule/slot_gate.ts";
import { SpentSlots } from "../../../../lib/engine/schedule/spent_slots.ts";
import { settle } from "../../../support/manual_clock.ts";
import { UNHINDERED, type Visitor } from "../../../../lib/engine/vu/gate.ts";

const SILENT = { late() {}, held() {} };

/** A visitor at a fixed moment. */
function visitor(now = 50): Visitor {
  return { stopped: false, now: () => now, sleep: () => Promise.resolve() };
}

Deno.test("SlotGate gives a slot to the oldest waiting request before any free VU", async () => {
  const gate = new SlotGate(SILENT);
  const order: string[] = [];
  const inside = [visitor(), visitor()];
  void gate.begin(visitor()).then(() => order.push("free VU"));
  void Promise.resolve(gate.enter(inside[0]!)).then(() => order.push("first"));
  void Promise.resolve(gate.enter(inside[1]!)).then(() => order.push("second"));
  for (const at of [10, 20, 30]) {
    gate.due(at, at);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  assert.deepEqual(order, ["first", "second", "free VU"]);
});

Deno.test("SlotGate keeps slots for whoever comes next, oldest first", async () => {
  const gate = new SlotGate(SILENT);
  gate.due(10, 10);
  gate.due(20, 20);
  assert.equal(gate.unserved, 2);
  const vu = visitor();
  assert.equal(await gate.begin(vu), true);
  assert.deepEqual(gate.enter(vu), { dueAt: 10 });
  assert.deepEqual(
    gate.enter(vu),
    { dueAt: 20 },
    "a second request spends another",
  );
  assert.equal(gate.unserved, 0);
});

Deno.test("SlotGate counts from the actual start when a VU stood by", async () => {
  const late: number[] = [];
  const gate = new SlotGate({ late: (ms) => late.push(ms) });
  const vu = visitor(50);
  const begun = gate.begin(vu);
  gate.due(40, 43);
  assert.equal(await begun, true);
  assert.deepEqual(gate.enter(vu), { dueAt: 50 });
  assert.deepEqual(late, [3]);
});

Deno.test("SlotGate sends everyone home when no iterations begin any more", async () => {
  const gate = new SlotGate(SILENT);
  const waiting = gate.begin(visitor());
  gate.endBeginnings();
  assert.equal(await waiting, false);
  assert.equal(await gate.begin(visitor()), false);
  gate.due(10, 10);
  assert.equal(gate.unserved, 0, "slots past the end are none");
});

Deno.test("SlotGate releases requests inside iterations when the run is over", async () => {
  const gate = new SlotGate(SILENT);
  const waiting = gate.enter(visitor(70));
  gate.release();
  assert.deepEqual(await waiting, { dueAt: 70 });
  assert.equal(gate.enter({ ...visitor(), stopped: true }), UNHINDERED);
});

Deno.test("SlotGate begins no iteration beyond the VUs it is allowed, and catches up when allowed more", async () => {
  const gate = new SlotGate(SILENT);
  gate.allow(1);
  const [one, two] = [visitor(), visitor()];
  const begun: string[] = [];
  void gate.begin(two).then(() => begun.push("two"));
  void gate.begin(one).then(() => begun.push("one"));
  gate.due(10, 10);
  gate.due(20, 20);
  await settle();
  assert.deepEqual(begun, ["one"]);
  assert.equal(gate.unserved, 1);
  gate.allow(2);
  await settle();
  assert.deepEqual(begun, ["one", "two"]);
  assert.deepEqual(gate.enter(two), { dueAt: 20 }, "it waited in the backlog");
});

Deno.test("SlotGate takes the place of a VU that ended its iteration", async () => {
  const gate = new SlotGate(SILENT);
  gate.allow(1);
  const vu = visitor();
  gate.due(10, 10);
  gate.due(20, 20);
  assert.equal(await gate.begin(vu), true);
  gate.ended();
  assert.equal(await gate.begin(vu), true);
  assert.equal(gate.unserved, 0);
});

Deno.test("SlotGate gives nobody a slot that was spent before it was due", () => {
  const spent = new SpentSlots();
  const gate = new SlotGate(SILENT, spent);
  spent.spend();
  spent.spend();
  for (const at of [10, 20, 30]) gate.due(at, at);
  assert.equal(gate.unserved, 1);
  assert.deepEqual(gate.enter(visitor()), { dueAt: 30 });
});
