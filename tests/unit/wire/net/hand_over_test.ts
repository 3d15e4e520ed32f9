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
  // All come in one moment.
  const handOver = new HandOver(clock);
  const handed: number[] = [];
  let next = 0;
  const add = (count: number) => {
    for (let index = 0; index < count; index++) {
      const number = next++;
      handOver.add(
        (response) => {
          equal(response as unknown, number);
          handed.push(number);
          clock.pass(workMs);
        },
        number as unknown as WireResponse,
        0,
      );
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

Deno.test("HandOver: few responses of a turn are handed over at once", () => {
  const { add, handed } = counted();
  add(1);
  deepStrictEqual(handed, [0]);
  add(19);
  deepStrictEqual(handed, upTo(20));
});

Deno.test("HandOver: after a burst nothing is handed over until a turn brought few", async () => {
  const { add, handed } = counted();
  add(64);
  await microtasks();
  const first = handed.length;
  ok(first < 64, `${first} at once`);
  add(64);
  await turn();
  await turn();
  equal(handed.length, first);
  for (let turns = 0; handed.length < 128 && turns < 10; turns++) await turn();
  deepStrictEqual(handed, upTo(128));
});

Deno.test("HandOver: bursts without end are handed over all the same", async () => {
  const { add, handed } = counted();
  const { length } = handed;
  for (let turns = 0; handed.length < length + 100; turns++) {
    ok(turns < 1_000);
    add(40);
    await turn();
  }
});

Deno.test("HandOver: what takes long leaves the event loop a turn now and then", async () => {
  const { add, handed } = counted(0.5);
  for (let each = 0; each < 120; each++) add(1);
  let most = 0;
  for (let turns = 0; handed.length < 120 && turns < 500; turns++) {
    const { length } = handed;
    await turn();
    most = Math.max(most, handed.length - length);
  }
  deepStrictEqual(handed, upTo(120));
  ok(most <= 8, `${most} in one turn`);
});

Deno.test("HandOver.turn: who reads in a loop waits in a burst alone, behind what came before", async () => {
  const handOver = new HandOver(movable());
  equal(handOver.turn(0), undefined);
  const went: string[] = [];
  for (let index = 0; index < 100; index++) {
    handOver.add((name: string) => void went.push(name), "response", 0);
  }
  const before = went.length;
  ok(before < 100, `${before} at once`);
  const turned = handOver.turn(0);
  ok(turned);
  turned.then(() => went.push("frame"));
  await microtasks();
  equal(went.length, before);
  for (let turns = 0; went.length < 101 && turns < 20; turns++) await turn();
  equal(went.length, 101);
  equal(went[100], "frame");
});
