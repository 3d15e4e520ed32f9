import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { HandOver } from "../../../../lib/wire/net/hand_over.ts";
import type { WireResponse } from "../../../../lib/wire/net/wire_response.ts";

/** A clock with a hand. */
function movable() {
  let at = 0;
  return {
    now: () => at,
    wall: () => at,
    sleep: () => Promise.resolve(),
    pass: (ms: number) => void (at += ms),
  };
}

/** Responses by number, in the order in which they are handed over. */
function counted(workMs = 0) {
  const clock = movable();
  const handOver = new HandOver(clock);
  const handed: number[] = [];
  let next = 0;
  const add = (count: number) => {
    for (let index = 0; index < count; index++) {
      const number = next++;
      handOver.add((response) => {
        equal(response as unknown, number);
        handed.push(number);
        clock.pass(workMs);
      }, number as unknown as WireResponse);
    }
  };
  return { add, handed };
}

/** All that follows in this turn of the event loop. */
async function microtasks(): Promise<void> {
  for (let index = 0; index < 100; index++) await Promise.resolve();
}

/** One more turn of it. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

Deno.test("HandOver: the responses of a turn are handed over in it, behind all of its reads", async () => {
  const { add, handed } = counted();
  add(1);
  add(19);
  deepStrictEqual(handed, []);
  await microtasks();
  deepStrictEqual(handed, upTo(20));
  add(1);
  await microtasks();
  deepStrictEqual(handed, upTo(21));
});

Deno.test("HandOver: after a burst nothing is handed over until a turn brought few", async () => {
  const { add, handed } = counted();
  add(64);
  await microtasks();
  deepStrictEqual(handed, []);
  add(64);
  await turn();
  deepStrictEqual(handed, []);
  for (let turns = 0; handed.length < 128 && turns < 10; turns++) await turn();
  deepStrictEqual(handed, upTo(128));
});

Deno.test("HandOver: bursts without end are handed over all the same", async () => {
  const { add, handed } = counted();
  for (let turns = 0; handed.length === 0; turns++) {
    ok(turns < 1_000);
    add(40);
    await turn();
  }
});

Deno.test("HandOver: what takes long leaves the event loop a turn now and then", async () => {
  const { add, handed } = counted(0.5);
  add(30);
  await microtasks();
  ok(handed.length > 0 && handed.length < 30, `${handed.length} at once`);
  add(1);
  for (let turns = 0; handed.length < 31 && turns < 50; turns++) await turn();
  deepStrictEqual(handed, upTo(31));
});
