import {
  deepStrictEqual,
  notDeepStrictEqual,
  strictEqual,
} from "node:assert/strict";
import fc from "fast-check";
import {
  counterMemory,
  sharedCounter,
} from "../../../../lib/engine/data/counter.ts";
import { openPool, type RowSource } from "../../../../lib/engine/data/pool.ts";
import {
  DISTRIBUTIONS,
  EXHAUSTION,
  type Pool,
} from "../../../../lib/model/ir/flow.ts";

function open(
  distribution: Pool["distribution"],
  on_exhausted: Pool["on_exhausted"],
  size: number,
  seed = 1,
): RowSource {
  const counter = sharedCounter(counterMemory(1), 0);
  return openPool({ distribution, on_exhausted }, size, seed, counter);
}

function picks(source: RowSource, count: number) {
  return Array.from({ length: count }, (_, vu) => source.next(vu % 3));
}

const table: readonly [
  string,
  Pool["distribution"],
  Pool["on_exhausted"],
  readonly (number | undefined)[],
][] = [
  ["unique rows run dry under fail", "unique-per-vu", "fail", [
    0,
    1,
    2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]],
  ["unique rows run dry under stop", "unique-per-vu", "stop", [
    0,
    1,
    2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]],
  ["unique rows begin again under cycle", "unique-per-vu", "cycle", [
    0,
    1,
    2,
    0,
    1,
    2,
    0,
  ]],
  ["round-robin goes round whatever the policy", "round-robin", "fail", [
    0,
    1,
    2,
    0,
    1,
    2,
    0,
  ]],
];

for (const [what, distribution, policy, expected] of table) {
  Deno.test(`pool: ${what}`, () => {
    const source = open(distribution, policy, 3);
    deepStrictEqual(picks(source, 7), expected);
    strictEqual(source.exhausted, policy);
  });
}

Deno.test("pool: every row it hands out exists", () => {
  fc.assert(fc.property(
    fc.constantFrom(...DISTRIBUTIONS),
    fc.constantFrom(...EXHAUSTION),
    fc.integer({ min: 1, max: 50 }),
    fc.integer(),
    (distribution, policy, size, seed) => {
      for (const row of picks(open(distribution, policy, size, seed), 120)) {
        if (row === undefined) strictEqual(distribution, "unique-per-vu");
        else strictEqual(Number.isInteger(row) && row >= 0 && row < size, true);
      }
    },
  ));
});

Deno.test("pool: unique rows come once each, all of them, in file order", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 200 }),
    fc.constantFrom("fail", "stop"),
    fc.array(fc.nat(9), { maxLength: 300 }),
    (size, policy, vus) => {
      const source = open("unique-per-vu", policy, size);
      const rows = vus.map((vu) => source.next(vu));
      deepStrictEqual(
        rows,
        vus.map((_, index) => index < size ? index : undefined),
      );
    },
  ));
});

Deno.test("pool: cycle and round-robin use every row equally often", () => {
  fc.assert(fc.property(
    fc.constantFrom("unique-per-vu", "round-robin"),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 5 }),
    (distribution, size, rounds) => {
      const counts = new Map<number, number>();
      for (
        const row of picks(open(distribution, "cycle", size), size * rounds)
      ) {
        counts.set(row!, (counts.get(row!) ?? 0) + 1);
      }
      deepStrictEqual(
        [...counts.values()],
        Array.from({ length: size }, () => rounds),
      );
    },
  ));
});

Deno.test("pool: random picks go by the seed, and reach every row", () => {
  const first = picks(open("random", "fail", 10, 7), 200);
  deepStrictEqual(picks(open("random", "fail", 10, 7), 200), first);
  notDeepStrictEqual(picks(open("random", "fail", 10, 8), 200), first);
  strictEqual(new Set(first).size, 10);
});

Deno.test("pool: random rows come once each where every row has its turn, in an order that goes by the seed", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 200 }),
    fc.integer(),
    (size, seed) => {
      const rows = picks(everyRow(size, seed), size);
      deepStrictEqual(rows.toSorted((a, b) => a! - b!), [...rows.keys()]);
      deepStrictEqual(picks(everyRow(size, seed), size), rows);
    },
  ));
  const orders = [1, 2, 3, 4].map((seed) => picks(everyRow(50, seed), 50));
  strictEqual(new Set(orders.map(String)).size, 4);
  const [first] = orders;
  notDeepStrictEqual(first, [...first!.keys()], "not in file order");
});

/** A random pool of an integration run. */
function everyRow(size: number, seed: number): RowSource {
  const pool = { distribution: "random", on_exhausted: "fail" } as const;
  const counter = sharedCounter(counterMemory(1), 0);
  return openPool(pool, size, seed, counter, true);
}

Deno.test("pool: a random pick depends on its number, not on the thread", () => {
  const memory = counterMemory(1);
  const pool = { distribution: "random", on_exhausted: "fail" } as const;
  const one = openPool(pool, 100, 5, sharedCounter(memory, 0));
  const two = openPool(pool, 100, 5, sharedCounter(memory, 0));
  const taken = Array.from(
    { length: 50 },
    (_, index) => (index % 3 === 0 ? one : two).next(0),
  );
  deepStrictEqual(taken, picks(open("random", "fail", 100, 5), 50));
});

Deno.test("pool: a dry pool stops counting, so that it never wraps round", () => {
  const memory = counterMemory(1);
  const counter = sharedCounter(memory, 0);
  const pool = { distribution: "unique-per-vu", on_exhausted: "fail" } as const;
  picks(openPool(pool, 2, 1, counter), 100);
  strictEqual(counter.taken(), 2);
});

Deno.test("sharedCounter: counters in one memory do not touch each other", () => {
  const memory = counterMemory(2);
  const [a, b] = [sharedCounter(memory, 0), sharedCounter(memory, 1)];
  deepStrictEqual([a.take(), a.take(), b.take()], [0, 1, 0]);
  deepStrictEqual([a.taken(), b.taken()], [2, 1]);
});

Deno.test({
  name: "pool: no row is handed out twice across threads",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const size = 200_000;
    const memory = counterMemory(2);
    const threads = Array.from(
      { length: 3 },
      () =>
        new Worker(new URL("./pool_worker.ts", import.meta.url), {
          type: "module",
        }),
    );
    const picked = await Promise.all(threads.map((thread) => {
      const answer = new Promise<number[]>((resolve, reject) => {
        thread.onmessage = ({ data }) => resolve(data);
        thread.onerror = ({ message }) => reject(new Error(message));
      });
      thread.postMessage({ memory, size });
      return answer;
    }));
    threads.forEach((thread) => thread.terminate());
    const all = picked.flat();
    strictEqual(all.length, size);
    strictEqual(new Set(all).size, size);
  },
});
