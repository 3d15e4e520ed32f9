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
  /** They come in one moment. */
  const add = (count: number) => {
    const at = clock.now();
    for (let index = 0; index < count; index++) {
      const number = next++;
      handOver.add(
        (response) => {
          equal(response as unknown, number);
          handed.push(number);
          clock.pass(workMs);
        },
        number as unknown as WireResponse,
        at,
      );
    }
  };
  return { add, handed, handOver, clock };
}

/** The same on a thread that has a response each tenth of a millisecond. */
async function busy(workMs = 0) {
  const all = counted(workMs);
  begin(all.handOver, 1_000);
  for (let moment = 0; moment < 600; moment++) {
    all.clock.pass(0.1);
    all.handOver.add(() => {}, undefined, all.clock.now());
  }
  for (let turns = 0; turns < 20; turns++) await turn();
  return all;
}

function begin(handOver: HandOver, exchanges: number): void {
  for (let index = 0; index < exchanges; index++) handOver.began();
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

Deno.test("HandOver: a response that no other can come with is handed over at once", () => {
  const { add, handed, handOver } = counted();
  begin(handOver, 1);
  add(1);
  deepStrictEqual(handed, [0]);
});

Deno.test("HandOver: sparse responses are all read before the first is handed over", async () => {
  const { add, handed, handOver } = counted();
  begin(handOver, 20);
  add(1);
  await microtasks();
  deepStrictEqual(handed, []);
  for (let turns = 0; turns < 10; turns++) {
    add(1);
    await turn();
  }
  deepStrictEqual(handed, []);
  for (let turns = 0; handed.length < 11 && turns < 100; turns++) {
    const before: number = handed.length;
    await turn();
    ok(handed.length <= before + 1, "a look between any two");
  }
  deepStrictEqual(handed, upTo(11));
});

Deno.test("HandOver: sparse responses that never end are handed over all the same", async () => {
  const { add, handed, handOver } = counted();
  begin(handOver, 10_000);
  for (let turns = 0; handed.length < 100; turns++) {
    ok(turns < 1_000);
    add(1);
    await turn();
  }
});

Deno.test("HandOver: a busy thread hands few responses of a turn over when all of them are read", async () => {
  const { add, handed } = await busy();
  add(1);
  add(19);
  deepStrictEqual(handed, []);
  await Promise.resolve();
  deepStrictEqual(handed, upTo(20));
});

Deno.test("HandOver: a thread is busy, too, whose VUs work for long", async () => {
  const { add, handed, handOver, clock } = counted(5);
  begin(handOver, 1_000);
  for (let moment = 0; handed.length < 20; moment++) {
    ok(moment < 100);
    clock.pass(2);
    add(1);
    for (let turns = 0; turns < 10; turns++) await turn();
  }
  clock.pass(2);
  const before: number = handed.length;
  add(1);
  await Promise.resolve();
  equal(handed.length, before + 1);
  // A second later it is tried again.
  clock.pass(1_000);
  add(1);
  equal(handed.length, before + 1);
  for (let turns = 0; handed.length < before + 2; turns++) {
    ok(turns < 100);
    await turn();
  }
});

Deno.test("HandOver: after a burst nothing is handed over until a turn brought few", async () => {
  const { add, handed } = await busy();
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
  const { add, handed } = await busy();
  const { length } = handed;
  for (let turns = 0; handed.length < length + 100; turns++) {
    ok(turns < 1_000);
    add(40);
    await turn();
  }
});

Deno.test("HandOver: what takes long leaves the event loop a turn now and then", async () => {
  const { add, handed } = await busy(0.5);
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

Deno.test("HandOver.read: a WebSocket waits in a burst alone, behind what came before", async () => {
  const { handOver, clock } = await busy();
  const went: string[] = [];
  const frame = () => void went.push("frame");
  handOver.read(frame, clock.now());
  await Promise.resolve();
  deepStrictEqual(went.splice(0), ["frame"]);
  for (let index = 0; index < 100; index++) {
    handOver.add(
      (name: string) => void went.push(name),
      "response",
      clock.now(),
    );
  }
  handOver.read(frame, clock.now());
  await microtasks();
  deepStrictEqual(went, []);
  for (let turns = 0; went.length < 101 && turns < 20; turns++) await turn();
  equal(went.length, 101);
  equal(went[100], "frame");
});

Deno.test("HandOver: what ends by the work on a response of a busy thread is handed over too", async () => {
  const { clock, handOver } = await busy();
  const handed: string[] = [];
  begin(handOver, 2);
  const at = clock.now();
  handOver.add(
    () => {
      handed.push("first");
      handOver.add(() => handed.push("ended by it"), undefined, at);
    },
    undefined,
    at,
  );
  await microtasks();
  deepStrictEqual(handed, ["first", "ended by it"]);
});
